"""The text of gnosis.h."""

from __future__ import annotations

from collections.abc import Iterable

from ..oracle.decisions import BOOL, BOOLS, DECISIONS, INT, INTS, MAYBE_INT, NAT, NATS, PAIRS, gives

_TOP = """\
/* gnosis.h: decisions about compressed neural networks that come with a proof, as a C library.

   Each function decides what the Lean definition of its name decides (gnosis_energy_admit is Gnosis.energyAdmit), exactly, in whole
   numbers; the theorems about them are listed in docs/spine.md of the project.  The code is what Lean's own code generator writes for
   these definitions.  Nothing but setjmp and longjmp is taken from the C library.

   Memory.    A context is memory that the caller lends.  Every call uses it anew and leaves nothing in it.  The library allocates nothing,
              has no global state, never exits and never prints.  One context is for one thread at a time; any number of contexts may be used at once.
   Results.   1 is "admit" or true, 0 is "refuse" or false; numbers and lists go to `out`.  A negative result is a code below, and nothing was decided;
              gnosis_message says more and names the argument.
   Numbers.   int64_t, all values.  Where an argument is said to be natural, a negative value is GNOSIS_MALFORMED.  Numbers inside the
              computation have any size.  For arguments or results that no int64_t holds there are gnosis_call and gnosis_decide.
   Doubles.   A double is the exact number m·2^e that it is: gnosis_whole brings doubles to whole numbers of one unit.
   Limits.    The depth of the stack grows with the length of a list, up to about 160 bytes an entry with gcc 12; a call that would take more than gnosis_limits
              allows (256 KiB unless set) ends with GNOSIS_STACK.  Steps of work are counted in the same way (2^30 unless set). */
#ifndef GNOSIS_H
#define GNOSIS_H
#include <stddef.h>
#include <stdint.h>
#ifdef __cplusplus
extern "C" {
#endif

#define GNOSIS_VERSION_HEADER %(version)du
enum {
  GNOSIS_REFUSE = 0,
  GNOSIS_ADMIT = 1,
  GNOSIS_MEMORY = -1,    /* the lent memory is too little */
  GNOSIS_MALFORMED = -2, /* an argument that the decision is not defined for */
  GNOSIS_WIDE = -3,      /* the result is no int64_t */
  GNOSIS_ROOM = -4,      /* the result is longer than the room for it */
  GNOSIS_STACK = -5,     /* a list too long for the stack */
  GNOSIS_WORK = -6,      /* more steps than allowed */
  GNOSIS_LEAK = -7       /* an internal error: please report it */
};
typedef struct gnosis_heap gnosis_context;

/* The version of the interface; GNOSIS_VERSION_HEADER when library and header belong together. */
uint32_t gnosis_version(void);
/* A context in `memory` of `bytes` bytes, 8 KiB at least; NULL when it is too little.  64 KiB is enough for vectors of a few hundred entries. */
gnosis_context *gnosis_open(void *memory, size_t bytes);
/* Bytes of stack and steps of work that a call may take. */
void gnosis_limits(gnosis_context *, size_t stack, uint64_t work);
/* The code of the last call that failed, why it failed, and the most bytes that a call took since gnosis_open. */
int64_t gnosis_code(const gnosis_context *);
const char *gnosis_message(gnosis_context *);
uint64_t gnosis_peak(const gnosis_context *);

/* ---- any decision, by its name ---- */

/* The answer to one line of JSON, {"v": 1, "id": 7, "decision": "energyAdmit", "args": [[1, -2], [3, 4], 23]}, as `gnosis spine decide` gives it:
   its length in bytes, complete when that is not more than `room`.  Integers of up to 4300 digits. */
int64_t gnosis_decide(gnosis_context *, const char *line, size_t bytes, char *answer, size_t room);

uint32_t gnosis_count(void);                                      /* how many decisions there are */
int32_t gnosis_find(const char *name);                            /* the number of a decision; -1 without one */
const char *gnosis_name(uint32_t decision);
const char *gnosis_argument(uint32_t decision, uint32_t argument); /* its name in Lean, UTF-8; NULL behind the last */
const char *gnosis_takes(uint32_t decision);                      /* a letter for each argument */
char gnosis_gives(uint32_t decision);                             /* the letter of the result */

/* Numbers of any size, as words of 64 bits.  Words of the result, complete when they are not more than `room`; or a negative code.
     i n   an integer, a natural number: 0 i64 | 1 head limbs…      head: limbs·2 + (1 if negative); limbs lowest first, the highest not 0
     I N   such numbers: count, 0 i64… | count, 1 (head limbs…)…
     B     truth values: count, 0 or 1 each
     L M   lists of integers, of truth values: count, lengths; then as I or B all entries
     P T   pairs, triples of natural numbers: as N all numbers
   results: b a truth value: 0 or 1; o none or a number: 0 | 1 number; a list: count, then each entry as such a result */
int64_t gnosis_call(gnosis_context *, uint32_t decision, const uint64_t *in, size_t words, uint64_t *out, size_t room);

/* ---- typed ----
   Lists are an array and its length.  Lists of lists are all entries in a row, the lengths, and how many lists.  Pairs and triples are flat,
   and the length counts them.  Behind each: the result, and the names of the arguments in Lean. */

"""
_BOTTOM = """
#ifdef __cplusplus
}
#endif
#endif
"""
_RESULT = {
    BOOL: "1 or 0",
    INT: "0; an integer in *out",
    NAT: "0; a natural number in *out",
    MAYBE_INT: "1 with an integer in *out, or 0",
    INTS: "how many integers are in out",
    NATS: "how many natural numbers are in out",
    BOOLS: "how many truth values are in out",
    PAIRS: "how many pairs are in out, two numbers each; room counts numbers",
}


_DOUBLES = """
/* ---- doubles ----
   Each double is taken as the exact number that it is, and the decision is made on whole numbers of units, powers of two; the units are
   chosen so that the decision is the one on the numbers themselves (the theorem behind each).  NaN and infinity are GNOSIS_MALFORMED.  `int64_t` arguments are counts and places. */

/* Doubles as whole numbers of their largest common unit 2^*exponent; 0, or GNOSIS_WIDE where an int64_t does not hold one. */
int64_t gnosis_whole(gnosis_context *, const double *x, size_t length, int32_t *exponent, int64_t *out);
"""


def header(version: int, declared: Iterable[tuple[str, str, str]], doubles: Iterable[tuple[str, str, str]]) -> str:
    """The text of gnosis.h.  declared, doubles: name, parameters and decision of each typed call; name, parameters and theorem of each that takes doubles."""
    lines = []
    for name, parameters, decision in declared:
        arguments = ", ".join(f"{argument}: {kind}" for argument, kind in DECISIONS[decision])
        lines.append(f"/* Gnosis.{decision} ({arguments}): {_RESULT[gives(decision)]} */\nint64_t gnosis_{name}({parameters});")
    exact = [f"int64_t gnosis_{name}_double({parameters}); /* Gnosis.{theorem} */" for name, parameters, theorem in doubles]
    return _TOP % {"version": version} + "\n".join(lines) + "\n" + _DOUBLES + "\n".join(exact) + "\n" + _BOTTOM
