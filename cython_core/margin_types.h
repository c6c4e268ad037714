/* Included by margin.c once for each instruction set; see there. */

#define T double
#define NAME double
#define MASK int64_t
#define LOWEST (-__builtin_inf())
#define MAGNITUDE __builtin_fabs
#ifdef LARGER_DOUBLE
#define LARGER LARGER_DOUBLE
#endif
#include "margin_body.h"

#define T float
#define NAME float
#define MASK int32_t
#define LOWEST (-__builtin_inff())
#define MAGNITUDE __builtin_fabsf
#ifdef LARGER_FLOAT
#define LARGER LARGER_FLOAT
#endif
#include "margin_body.h"

#define T int64_t
#define NAME int64
#define MASK int64_t
#define LOWEST INT64_MIN
#define HIGHEST INT64_MAX
#include "margin_body.h"

#undef LARGER_DOUBLE
#undef LARGER_FLOAT
#undef SET
#undef TARGET
#undef BYTES
