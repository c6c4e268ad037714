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

#define GNOSIS_VERSION_HEADER 1u
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

/* Gnosis.dot (τ: integers, a: integers): 0; an integer in *out */
int64_t gnosis_dot(gnosis_context *context, const int64_t *tau, size_t tau_length, const int64_t *a, size_t a_length, int64_t *out);
/* Gnosis.energy (v: integers): 0; an integer in *out */
int64_t gnosis_energy(gnosis_context *context, const int64_t *v, size_t v_length, int64_t *out);
/* Gnosis.energyAdmit (τ: integers, a: integers, γ: integer): 1 or 0 */
int64_t gnosis_energy_admit(gnosis_context *context, const int64_t *tau, size_t tau_length, const int64_t *a, size_t a_length, int64_t gamma);
/* Gnosis.energySidecarAdmit (E: integer, A: integer, γ: integer): 1 or 0 */
int64_t gnosis_energy_sidecar_admit(gnosis_context *context, int64_t E, int64_t A, int64_t gamma);
/* Gnosis.energySidecarAdmitStrict (E: integer, A: integer, γ: integer): 1 or 0 */
int64_t gnosis_energy_sidecar_admit_strict(gnosis_context *context, int64_t E, int64_t A, int64_t gamma);
/* Gnosis.energyBlockedAdmit (e: integers, α: integers, γ: integer): 1 or 0 */
int64_t gnosis_energy_blocked_admit(gnosis_context *context, const int64_t *e, size_t e_length, const int64_t *alpha, size_t alpha_length, int64_t gamma);
/* Gnosis.energyOutside (a: integers, S: booleans): 0; an integer in *out */
int64_t gnosis_energy_outside(gnosis_context *context, const int64_t *a, size_t a_length, const uint8_t *S, size_t S_length, int64_t *out);
/* Gnosis.energySplitAdmit (E: integer, a: integers, S: booleans, γ: integer): 1 or 0 */
int64_t gnosis_energy_split_admit(gnosis_context *context, int64_t E, const int64_t *a, size_t a_length, const uint8_t *S, size_t S_length, int64_t gamma);
/* Gnosis.argmax (z: integers): 0; a natural number in *out */
int64_t gnosis_argmax(gnosis_context *context, const int64_t *z, size_t z_length, int64_t *out);
/* Gnosis.marginAdmit (z: integers, w: natural number, τ: integer): 1 or 0 */
int64_t gnosis_margin_admit(gnosis_context *context, const int64_t *z, size_t z_length, int64_t w, int64_t tau);
/* Gnosis.marginAdmitStrict (z: integers, w: natural number, τ: integer): 1 or 0 */
int64_t gnosis_margin_admit_strict(gnosis_context *context, const int64_t *z, size_t z_length, int64_t w, int64_t tau);
/* Gnosis.marginAdmitLowest (z: integers, w: natural number, τ: integer): 1 or 0 */
int64_t gnosis_margin_admit_lowest(gnosis_context *context, const int64_t *z, size_t z_length, int64_t w, int64_t tau);
/* Gnosis.rowAdmit (z: integers, ε: integers, w: natural number): 1 or 0 */
int64_t gnosis_row_admit(gnosis_context *context, const int64_t *z, size_t z_length, const int64_t *eps, size_t eps_length, int64_t w);
/* Gnosis.candidates (z: integers, ε: integers): how many natural numbers are in out */
int64_t gnosis_candidates(gnosis_context *context, const int64_t *z, size_t z_length, const int64_t *eps, size_t eps_length, int64_t *out, size_t room);
/* Gnosis.topkAdmit (z: integers, S: booleans, ε: integer): 1 or 0 */
int64_t gnosis_topk_admit(gnosis_context *context, const int64_t *z, size_t z_length, const uint8_t *S, size_t S_length, int64_t eps);
/* Gnosis.topkGapAdmit (z: integers, k: natural number, ε: integer): 1 or 0 */
int64_t gnosis_topk_gap_admit(gnosis_context *context, const int64_t *z, size_t z_length, int64_t k, int64_t eps);
/* Gnosis.topTwo (z: integers): 0; an integer in *out */
int64_t gnosis_top_two(gnosis_context *context, const int64_t *z, size_t z_length, int64_t *out);
/* Gnosis.twoStageAdmit (groups: lists of integers, gsel: booleans, esel: lists of booleans, ε: integer): 1 or 0 */
int64_t gnosis_two_stage_admit(gnosis_context *context, const int64_t *groups, const size_t *groups_lengths, size_t groups_length, const uint8_t *gsel, size_t gsel_length, const uint8_t *esel, const size_t *esel_lengths, size_t esel_length, int64_t eps);
/* Gnosis.jitAdmit (z: integers, w: natural number, E: integers, A: integer, γ: integer): 1 or 0 */
int64_t gnosis_jit_admit(gnosis_context *context, const int64_t *z, size_t z_length, int64_t w, const int64_t *E, size_t E_length, int64_t A, int64_t gamma);
/* Gnosis.jitAdmitStrict (z: integers, w: natural number, E: integers, A: integer, γ: integer): 1 or 0 */
int64_t gnosis_jit_admit_strict(gnosis_context *context, const int64_t *z, size_t z_length, int64_t w, const int64_t *E, size_t E_length, int64_t A, int64_t gamma);
/* Gnosis.jitAdmitLowest (z: integers, w: natural number, E: integers, A: integer, γ: integer): 1 or 0 */
int64_t gnosis_jit_admit_lowest(gnosis_context *context, const int64_t *z, size_t z_length, int64_t w, const int64_t *E, size_t E_length, int64_t A, int64_t gamma);
/* Gnosis.jitLeadAdmit (z: integers, w: natural number, E: integers, A: integer): 1 or 0 */
int64_t gnosis_jit_lead_admit(gnosis_context *context, const int64_t *z, size_t z_length, int64_t w, const int64_t *E, size_t E_length, int64_t A);
/* Gnosis.jitRowAdmit (z: integers, w: natural number, ε: integers, E: integers, A: integer): 1 or 0 */
int64_t gnosis_jit_row_admit(gnosis_context *context, const int64_t *z, size_t z_length, int64_t w, const int64_t *eps, size_t eps_length, const int64_t *E, size_t E_length, int64_t A);
/* Gnosis.servedArgmax (coarse: integers, exact: integers, ε: integers): 0; a natural number in *out */
int64_t gnosis_served_argmax(gnosis_context *context, const int64_t *coarse, size_t coarse_length, const int64_t *exact, size_t exact_length, const int64_t *eps, size_t eps_length, int64_t *out);
/* Gnosis.headServed (z: integers, ε: integers, y: integers, err: integers, exact: integers): 0; a natural number in *out */
int64_t gnosis_head_served(gnosis_context *context, const int64_t *z, size_t z_length, const int64_t *eps, size_t eps_length, const int64_t *y, size_t y_length, const int64_t *err, size_t err_length, const int64_t *exact, size_t exact_length, int64_t *out);
/* Gnosis.topCandidates (k: natural number, z: integers, ε: integers, js: natural numbers): how many natural numbers are in out */
int64_t gnosis_top_candidates(gnosis_context *context, int64_t k, const int64_t *z, size_t z_length, const int64_t *eps, size_t eps_length, const int64_t *js, size_t js_length, int64_t *out, size_t room);
/* Gnosis.topAmong (z: integers, k: natural number, js: natural numbers): how many natural numbers are in out */
int64_t gnosis_top_among(gnosis_context *context, const int64_t *z, size_t z_length, int64_t k, const int64_t *js, size_t js_length, int64_t *out, size_t room);
/* Gnosis.headTopK (k: natural number, z: integers, ε: integers, y: integers, err: integers, exact: integers): how many natural numbers are in out */
int64_t gnosis_head_top_k(gnosis_context *context, int64_t k, const int64_t *z, size_t z_length, const int64_t *eps, size_t eps_length, const int64_t *y, size_t y_length, const int64_t *err, size_t err_length, const int64_t *exact, size_t exact_length, int64_t *out, size_t room);
/* Gnosis.tukeyAdmit (r: integer, γ: integer): 1 or 0 */
int64_t gnosis_tukey_admit(gnosis_context *context, int64_t r, int64_t gamma);
/* Gnosis.tukeyWeight (r: integer, γ: integer): 0; an integer in *out */
int64_t gnosis_tukey_weight(gnosis_context *context, int64_t r, int64_t gamma, int64_t *out);
/* Gnosis.sum (l: integers): 0; an integer in *out */
int64_t gnosis_sum(gnosis_context *context, const int64_t *l, size_t l_length, int64_t *out);
/* Gnosis.rankLt (s: integers, x: integer): 0; a natural number in *out */
int64_t gnosis_rank_lt(gnosis_context *context, const int64_t *s, size_t s_length, int64_t x, int64_t *out);
/* Gnosis.lies (k: natural number, x: integer, rest: integers): 1 or 0 */
int64_t gnosis_lies(gnosis_context *context, int64_t k, int64_t x, const int64_t *rest, size_t rest_length);
/* Gnosis.liesOrder (k: natural number, order: integers): 1 or 0 */
int64_t gnosis_lies_order(gnosis_context *context, int64_t k, const int64_t *order, size_t order_length);
/* Gnosis.conformalRank (n: natural number, num: natural number, den: natural number): 0; a natural number in *out */
int64_t gnosis_conformal_rank(gnosis_context *context, int64_t n, int64_t num, int64_t den, int64_t *out);
/* Gnosis.insertUp (x: integer, l: integers): how many integers are in out */
int64_t gnosis_insert_up(gnosis_context *context, int64_t x, const int64_t *l, size_t l_length, int64_t *out, size_t room);
/* Gnosis.sortUp (s: integers): how many integers are in out */
int64_t gnosis_sort_up(gnosis_context *context, const int64_t *s, size_t s_length, int64_t *out, size_t room);
/* Gnosis.entryAt (l: integers, i: natural number): 1 with an integer in *out, or 0 */
int64_t gnosis_entry_at(gnosis_context *context, const int64_t *l, size_t l_length, int64_t i, int64_t *out);
/* Gnosis.kthSmallest (k: natural number, s: integers): 1 with an integer in *out, or 0 */
int64_t gnosis_kth_smallest(gnosis_context *context, int64_t k, const int64_t *s, size_t s_length, int64_t *out);
/* Gnosis.conformalThreshold (scores: integers, num: natural number, den: natural number): 1 with an integer in *out, or 0 */
int64_t gnosis_conformal_threshold(gnosis_context *context, const int64_t *scores, size_t scores_length, int64_t num, int64_t den, int64_t *out);
/* Gnosis.conformalAdmit (scores: integers, num: natural number, den: natural number, γ: integer): 1 or 0 */
int64_t gnosis_conformal_admit(gnosis_context *context, const int64_t *scores, size_t scores_length, int64_t num, int64_t den, int64_t gamma);
/* Gnosis.poolAbove (pool: integers, S: integers): 0; a natural number in *out */
int64_t gnosis_pool_above(gnosis_context *context, const int64_t *pool, size_t pool_length, const int64_t *S, size_t S_length, int64_t *out);
/* Gnosis.conformalMarginAdmit (scores: integers, num: natural number, den: natural number, γ: integer, z: integers, w: natural number): 1 or 0 */
int64_t gnosis_conformal_margin_admit(gnosis_context *context, const int64_t *scores, size_t scores_length, int64_t num, int64_t den, int64_t gamma, const int64_t *z, size_t z_length, int64_t w);
/* Gnosis.conformalMarginAdmitLowest (scores: integers, num: natural number, den: natural number, γ: integer, z: integers, w: natural number): 1 or 0 */
int64_t gnosis_conformal_margin_admit_lowest(gnosis_context *context, const int64_t *scores, size_t scores_length, int64_t num, int64_t den, int64_t gamma, const int64_t *z, size_t z_length, int64_t w);
/* Gnosis.conformalJitAdmit (scores: integers, num: natural number, den: natural number, z: integers, w: natural number, A: integer, γ: integer): 1 or 0 */
int64_t gnosis_conformal_jit_admit(gnosis_context *context, const int64_t *scores, size_t scores_length, int64_t num, int64_t den, const int64_t *z, size_t z_length, int64_t w, int64_t A, int64_t gamma);
/* Gnosis.conformalJitAdmitLowest (scores: integers, num: natural number, den: natural number, z: integers, w: natural number, A: integer, γ: integer): 1 or 0 */
int64_t gnosis_conformal_jit_admit_lowest(gnosis_context *context, const int64_t *scores, size_t scores_length, int64_t num, int64_t den, const int64_t *z, size_t z_length, int64_t w, int64_t A, int64_t gamma);
/* Gnosis.conformalJitLeadAdmit (scores: integers, num: natural number, den: natural number, z: integers, w: natural number, A: integer): 1 or 0 */
int64_t gnosis_conformal_jit_lead_admit(gnosis_context *context, const int64_t *scores, size_t scores_length, int64_t num, int64_t den, const int64_t *z, size_t z_length, int64_t w, int64_t A);
/* Gnosis.conformalServed (scores: integers, num: natural number, den: natural number, coarse: integers, exact: integers): 0; a natural number in *out */
int64_t gnosis_conformal_served(gnosis_context *context, const int64_t *scores, size_t scores_length, int64_t num, int64_t den, const int64_t *coarse, size_t coarse_length, const int64_t *exact, size_t exact_length, int64_t *out);
/* Gnosis.layersMax (c: integers, s: integers): 0; an integer in *out */
int64_t gnosis_layers_max(gnosis_context *context, const int64_t *c, size_t c_length, const int64_t *s, size_t s_length, int64_t *out);
/* Gnosis.cofactors (P: integer, c: integers, γ: integers): 1 or 0 */
int64_t gnosis_cofactors(gnosis_context *context, int64_t P, const int64_t *c, size_t c_length, const int64_t *gamma, size_t gamma_length);
/* Gnosis.layersFail (γ: integers, s: integers): 1 or 0 */
int64_t gnosis_layers_fail(gnosis_context *context, const int64_t *gamma, size_t gamma_length, const int64_t *s, size_t s_length);
/* Gnosis.layersMaxAdmit (units: lists of integers, c: integers, γ: integers, P: integer, num: natural number, den: natural number): 1 or 0 */
int64_t gnosis_layers_max_admit(gnosis_context *context, const int64_t *units, const size_t *units_lengths, size_t units_length, const int64_t *c, size_t c_length, const int64_t *gamma, size_t gamma_length, int64_t P, int64_t num, int64_t den);
/* Gnosis.sumAbs (δ: integers): 0; an integer in *out */
int64_t gnosis_sum_abs(gnosis_context *context, const int64_t *delta, size_t delta_length, int64_t *out);
/* Gnosis.basinAdmit (δ: integers, R: integer): 1 or 0 */
int64_t gnosis_basin_admit(gnosis_context *context, const int64_t *delta, size_t delta_length, int64_t R);
/* Gnosis.basinVectorAdmit (d: integers, R: integer): 1 or 0 */
int64_t gnosis_basin_vector_admit(gnosis_context *context, const int64_t *d, size_t d_length, int64_t R);
/* Gnosis.basinControl (R: integer, spent: integer, d: integers): how many truth values are in out */
int64_t gnosis_basin_control(gnosis_context *context, int64_t R, int64_t spent, const int64_t *d, size_t d_length, int64_t *out, size_t room);
/* Gnosis.flowAdmitFrom (R: integer, N: integer, D: integer, ps: integers, qs: integers, ds: integers): 1 or 0 */
int64_t gnosis_flow_admit_from(gnosis_context *context, int64_t R, int64_t N, int64_t D, const int64_t *ps, size_t ps_length, const int64_t *qs, size_t qs_length, const int64_t *ds, size_t ds_length);
/* Gnosis.basinFlowAdmit (ps: integers, qs: integers, ds: integers, R: integer): 1 or 0 */
int64_t gnosis_basin_flow_admit(gnosis_context *context, const int64_t *ps, size_t ps_length, const int64_t *qs, size_t qs_length, const int64_t *ds, size_t ds_length, int64_t R);
/* Gnosis.flowPathAdmitFrom (R: integer, N: integer, D: integer, ps: integers, qs: integers, ds: integers): 1 or 0 */
int64_t gnosis_flow_path_admit_from(gnosis_context *context, int64_t R, int64_t N, int64_t D, const int64_t *ps, size_t ps_length, const int64_t *qs, size_t qs_length, const int64_t *ds, size_t ds_length);
/* Gnosis.basinFlowPathAdmit (ps: integers, qs: integers, ds: integers, R: integer): 1 or 0 */
int64_t gnosis_basin_flow_path_admit(gnosis_context *context, const int64_t *ps, size_t ps_length, const int64_t *qs, size_t qs_length, const int64_t *ds, size_t ds_length, int64_t R);
/* Gnosis.flowSurvives (R: integer, N: integer, D: integer, ps: integers, qs: integers): 1 or 0 */
int64_t gnosis_flow_survives(gnosis_context *context, int64_t R, int64_t N, int64_t D, const int64_t *ps, size_t ps_length, const int64_t *qs, size_t qs_length);
/* Gnosis.flowControl (R: integer, N: integer, D: integer, ps: integers, qs: integers, ds: integers): how many truth values are in out */
int64_t gnosis_flow_control(gnosis_context *context, int64_t R, int64_t N, int64_t D, const int64_t *ps, size_t ps_length, const int64_t *qs, size_t qs_length, const int64_t *ds, size_t ds_length, int64_t *out, size_t room);
/* Gnosis.basinFlowControl (ps: integers, qs: integers, ds: integers, R: integer): how many truth values are in out */
int64_t gnosis_basin_flow_control(gnosis_context *context, const int64_t *ps, size_t ps_length, const int64_t *qs, size_t qs_length, const int64_t *ds, size_t ds_length, int64_t R, int64_t *out, size_t room);
/* Gnosis.roundedStep (N: integer, D: integer, p: integer, q: integer, r: integer, d: integer): 0; an integer in *out */
int64_t gnosis_rounded_step(gnosis_context *context, int64_t N, int64_t D, int64_t p, int64_t q, int64_t r, int64_t d, int64_t *out);
/* Gnosis.roundedPathAdmitFrom (R: integer, N: integer, D: integer, ps: integers, qs: integers, rs: integers, ds: integers): 1 or 0 */
int64_t gnosis_rounded_path_admit_from(gnosis_context *context, int64_t R, int64_t N, int64_t D, const int64_t *ps, size_t ps_length, const int64_t *qs, size_t qs_length, const int64_t *rs, size_t rs_length, const int64_t *ds, size_t ds_length);
/* Gnosis.basinFlowRoundedAdmit (ps: integers, qs: integers, rs: integers, ds: integers, R: integer): 1 or 0 */
int64_t gnosis_basin_flow_rounded_admit(gnosis_context *context, const int64_t *ps, size_t ps_length, const int64_t *qs, size_t qs_length, const int64_t *rs, size_t rs_length, const int64_t *ds, size_t ds_length, int64_t R);
/* Gnosis.roundedSurvives (R: integer, N: integer, D: integer, ps: integers, qs: integers, rs: integers): 1 or 0 */
int64_t gnosis_rounded_survives(gnosis_context *context, int64_t R, int64_t N, int64_t D, const int64_t *ps, size_t ps_length, const int64_t *qs, size_t qs_length, const int64_t *rs, size_t rs_length);
/* Gnosis.roundedControl (R: integer, N: integer, D: integer, ps: integers, qs: integers, rs: integers, ds: integers): how many truth values are in out */
int64_t gnosis_rounded_control(gnosis_context *context, int64_t R, int64_t N, int64_t D, const int64_t *ps, size_t ps_length, const int64_t *qs, size_t qs_length, const int64_t *rs, size_t rs_length, const int64_t *ds, size_t ds_length, int64_t *out, size_t room);
/* Gnosis.basinFlowRoundedControl (ps: integers, qs: integers, rs: integers, ds: integers, R: integer): how many truth values are in out */
int64_t gnosis_basin_flow_rounded_control(gnosis_context *context, const int64_t *ps, size_t ps_length, const int64_t *qs, size_t qs_length, const int64_t *rs, size_t rs_length, const int64_t *ds, size_t ds_length, int64_t R, int64_t *out, size_t room);
/* Gnosis.sqDist (m: integer, xs: integers, zs: integers): 0; an integer in *out */
int64_t gnosis_sq_dist(gnosis_context *context, int64_t m, const int64_t *xs, size_t xs_length, const int64_t *zs, size_t zs_length, int64_t *out);
/* Gnosis.nearestInt (m: integer, x: integer): 0; an integer in *out */
int64_t gnosis_nearest_int(gnosis_context *context, int64_t m, int64_t x, int64_t *out);
/* Gnosis.roundError (m: integer, x: integer): 0; an integer in *out */
int64_t gnosis_round_error(gnosis_context *context, int64_t m, int64_t x, int64_t *out);
/* Gnosis.secondNearest (m: integer, x: integer): 0; an integer in *out */
int64_t gnosis_second_nearest(gnosis_context *context, int64_t m, int64_t x, int64_t *out);
/* Gnosis.cubicDecode (m: integer, xs: integers): how many integers are in out */
int64_t gnosis_cubic_decode(gnosis_context *context, int64_t m, const int64_t *xs, size_t xs_length, int64_t *out, size_t room);
/* Gnosis.dnDecode (m: integer, xs: integers): how many integers are in out */
int64_t gnosis_dn_decode(gnosis_context *context, int64_t m, const int64_t *xs, size_t xs_length, int64_t *out, size_t room);
/* Gnosis.dnPlusDecode (h: integer, xs: integers): how many integers are in out */
int64_t gnosis_dn_plus_decode(gnosis_context *context, int64_t h, const int64_t *xs, size_t xs_length, int64_t *out, size_t room);
/* Gnosis.isD8 (zs: integers): 1 or 0 */
int64_t gnosis_is_d8(gnosis_context *context, const int64_t *zs, size_t zs_length);
/* Gnosis.isE8 (ws: integers): 1 or 0 */
int64_t gnosis_is_e8(gnosis_context *context, const int64_t *ws, size_t ws_length);
/* Gnosis.d8Decode (m: integer, xs: integers): how many integers are in out */
int64_t gnosis_d8_decode(gnosis_context *context, int64_t m, const int64_t *xs, size_t xs_length, int64_t *out, size_t room);
/* Gnosis.e8Decode (h: integer, xs: integers): how many integers are in out */
int64_t gnosis_e8_decode(gnosis_context *context, int64_t h, const int64_t *xs, size_t xs_length, int64_t *out, size_t room);
/* Gnosis.betOk (N: natural number, p: natural number, q: natural number): 1 or 0 */
int64_t gnosis_bet_ok(gnosis_context *context, int64_t N, int64_t p, int64_t q);
/* Gnosis.stepFactor (N: natural number, p: natural number, q: natural number, u: natural number): 0; a natural number in *out */
int64_t gnosis_step_factor(gnosis_context *context, int64_t N, int64_t p, int64_t q, int64_t u, int64_t *out);
/* Gnosis.covered (N: natural number, p: natural number, q: natural number, nδ: natural number, dδ: natural number, t: natural number, L: natural number, b: natural number): 1 or 0 */
int64_t gnosis_covered(gnosis_context *context, int64_t N, int64_t p, int64_t q, int64_t n_delta, int64_t d_delta, int64_t t, int64_t L, int64_t b);
/* Gnosis.cumlossAdmit (N: natural number, p: natural number, q: natural number, nδ: natural number, dδ: natural number, t: natural number, L: natural number, u: natural number, b: natural number): 1 or 0 */
int64_t gnosis_cumloss_admit(gnosis_context *context, int64_t N, int64_t p, int64_t q, int64_t n_delta, int64_t d_delta, int64_t t, int64_t L, int64_t u, int64_t b);
/* Gnosis.cumlossStep (N: natural number, p: natural number, q: natural number, nδ: natural number, dδ: natural number, t: natural number, L: natural number, u: natural number, b: natural number): 0; a natural number in *out */
int64_t gnosis_cumloss_step(gnosis_context *context, int64_t N, int64_t p, int64_t q, int64_t n_delta, int64_t d_delta, int64_t t, int64_t L, int64_t u, int64_t b, int64_t *out);
/* Gnosis.pays (N: natural number, p: natural number, q: natural number, u: natural number, a: natural number): 1 or 0 */
int64_t gnosis_pays(gnosis_context *context, int64_t N, int64_t p, int64_t q, int64_t u, int64_t a);
/* Gnosis.reservePays (p: natural number, q: natural number, nδ: natural number, dδ: natural number, r: natural number): 1 or 0 */
int64_t gnosis_reserve_pays(gnosis_context *context, int64_t p, int64_t q, int64_t n_delta, int64_t d_delta, int64_t r);
/* Gnosis.leastCharge (N: natural number, p: natural number, q: natural number, u: natural number): 0; a natural number in *out */
int64_t gnosis_least_charge(gnosis_context *context, int64_t N, int64_t p, int64_t q, int64_t u, int64_t *out);
/* Gnosis.leastReserve (p: natural number, q: natural number, nδ: natural number, dδ: natural number): 0; a natural number in *out */
int64_t gnosis_least_reserve(gnosis_context *context, int64_t p, int64_t q, int64_t n_delta, int64_t d_delta, int64_t *out);
/* Gnosis.chargeAdmit (account: natural number, offer: natural number, budget: natural number): 1 or 0 */
int64_t gnosis_charge_admit(gnosis_context *context, int64_t account, int64_t offer, int64_t budget);
/* Gnosis.chargeSettle (account: natural number, offer: natural number, charge: natural number, budget: natural number): 0; a natural number in *out */
int64_t gnosis_charge_settle(gnosis_context *context, int64_t account, int64_t offer, int64_t charge, int64_t budget, int64_t *out);
/* Gnosis.chargeRun (account: natural number, steps: triples of natural numbers): how many truth values are in out */
int64_t gnosis_charge_run(gnosis_context *context, int64_t account, const int64_t *steps, size_t steps_length, int64_t *out, size_t room);
/* Gnosis.unionAdmit (nδ: natural number, dδ: natural number, nπ: natural number, dπ: natural number, t: natural number): 1 or 0 */
int64_t gnosis_union_admit(gnosis_context *context, int64_t n_delta, int64_t d_delta, int64_t n_pi, int64_t d_pi, int64_t t);
/* Gnosis.unionLife (nδ: natural number, dδ: natural number, nπ: natural number, dπ: natural number): 0; a natural number in *out */
int64_t gnosis_union_life(gnosis_context *context, int64_t n_delta, int64_t d_delta, int64_t n_pi, int64_t d_pi, int64_t *out);
/* Gnosis.stakeAdmit (N: natural number, m: natural number, b: natural number, a: natural number): 1 or 0 */
int64_t gnosis_stake_admit(gnosis_context *context, int64_t N, int64_t m, int64_t b, int64_t a);
/* Gnosis.bettingFactor (N: natural number, m: natural number, b: natural number, a: natural number, x: natural number): 0; a natural number in *out */
int64_t gnosis_betting_factor(gnosis_context *context, int64_t N, int64_t m, int64_t b, int64_t a, int64_t x, int64_t *out);
/* Gnosis.stepsOk (N: natural number, m: natural number, b: natural number, steps: pairs of natural numbers): 1 or 0 */
int64_t gnosis_steps_ok(gnosis_context *context, int64_t N, int64_t m, int64_t b, const int64_t *steps, size_t steps_length);
/* Gnosis.bettingNum (N: natural number, m: natural number, b: natural number, steps: pairs of natural numbers): 0; a natural number in *out */
int64_t gnosis_betting_num(gnosis_context *context, int64_t N, int64_t m, int64_t b, const int64_t *steps, size_t steps_length, int64_t *out);
/* Gnosis.bettingDen (N: natural number, b: natural number, steps: pairs of natural numbers): 0; a natural number in *out */
int64_t gnosis_betting_den(gnosis_context *context, int64_t N, int64_t b, const int64_t *steps, size_t steps_length, int64_t *out);
/* Gnosis.bettingRejects (N: natural number, m: natural number, b: natural number, nδ: natural number, dδ: natural number, steps: pairs of natural numbers): 1 or 0 */
int64_t gnosis_betting_rejects(gnosis_context *context, int64_t N, int64_t m, int64_t b, int64_t n_delta, int64_t d_delta, const int64_t *steps, size_t steps_length);
/* Gnosis.bettingUpperFrom (N: natural number, b: natural number, nδ: natural number, dδ: natural number, steps: pairs of natural numbers, m: natural number): 0; a natural number in *out */
int64_t gnosis_betting_upper_from(gnosis_context *context, int64_t N, int64_t b, int64_t n_delta, int64_t d_delta, const int64_t *steps, size_t steps_length, int64_t m, int64_t *out);
/* Gnosis.bettingUpper (N: natural number, b: natural number, nδ: natural number, dδ: natural number, steps: pairs of natural numbers): 0; a natural number in *out */
int64_t gnosis_betting_upper(gnosis_context *context, int64_t N, int64_t b, int64_t n_delta, int64_t d_delta, const int64_t *steps, size_t steps_length, int64_t *out);
/* Gnosis.claimBound (G: natural number, rejected: booleans): 0; a natural number in *out */
int64_t gnosis_claim_bound(gnosis_context *context, int64_t G, const uint8_t *rejected, size_t rejected_length, int64_t *out);
/* Gnosis.mirrored (G: natural number, steps: pairs of natural numbers): how many pairs are in out, two numbers each; room counts numbers */
int64_t gnosis_mirrored(gnosis_context *context, int64_t G, const int64_t *steps, size_t steps_length, int64_t *out, size_t room);
/* Gnosis.bettingUpperBound (G: natural number, b: natural number, nδ: natural number, dδ: natural number, steps: pairs of natural numbers): 0; a natural number in *out */
int64_t gnosis_betting_upper_bound(gnosis_context *context, int64_t G, int64_t b, int64_t n_delta, int64_t d_delta, const int64_t *steps, size_t steps_length, int64_t *out);
/* Gnosis.bettingLowerBound (G: natural number, b: natural number, nδ: natural number, dδ: natural number, steps: pairs of natural numbers): 0; a natural number in *out */
int64_t gnosis_betting_lower_bound(gnosis_context *context, int64_t G, int64_t b, int64_t n_delta, int64_t d_delta, const int64_t *steps, size_t steps_length, int64_t *out);
/* Gnosis.leftMass (ps: pairs of natural numbers): 0; a natural number in *out */
int64_t gnosis_left_mass(gnosis_context *context, const int64_t *ps, size_t ps_length, int64_t *out);
/* Gnosis.rightMass (ps: pairs of natural numbers): 0; a natural number in *out */
int64_t gnosis_right_mass(gnosis_context *context, const int64_t *ps, size_t ps_length, int64_t *out);
/* Gnosis.excess (S: natural number, S': natural number, ps: pairs of natural numbers): 0; a natural number in *out */
int64_t gnosis_excess(gnosis_context *context, int64_t S, int64_t S2, const int64_t *ps, size_t ps_length, int64_t *out);
/* Gnosis.tvNum (ps: pairs of natural numbers): 0; a natural number in *out */
int64_t gnosis_tv_num(gnosis_context *context, const int64_t *ps, size_t ps_length, int64_t *out);
/* Gnosis.gridLoss (G: natural number, ps: pairs of natural numbers): 0; a natural number in *out */
int64_t gnosis_grid_loss(gnosis_context *context, int64_t G, const int64_t *ps, size_t ps_length, int64_t *out);
/* Gnosis.ratioAdmit (P: natural number, Q: natural number, a: natural number, b: natural number, ps: pairs of natural numbers): 1 or 0 */
int64_t gnosis_ratio_admit(gnosis_context *context, int64_t P, int64_t Q, int64_t a, int64_t b, const int64_t *ps, size_t ps_length);
/* Gnosis.spreadAdmit (P: natural number, Q: natural number, c: natural number, e: natural number, f: natural number, g: natural number, ps: pairs of natural numbers): 1 or 0 */
int64_t gnosis_spread_admit(gnosis_context *context, int64_t P, int64_t Q, int64_t c, int64_t e, int64_t f, int64_t g, const int64_t *ps, size_t ps_length);
/* Gnosis.servedAdmit (P: natural number, Q: natural number, n: natural number, d: natural number): 1 or 0 */
int64_t gnosis_served_admit(gnosis_context *context, int64_t P, int64_t Q, int64_t n, int64_t d);
/* Gnosis.total (s: natural numbers): 0; a natural number in *out */
int64_t gnosis_total(gnosis_context *context, const int64_t *s, size_t s_length, int64_t *out);
/* Gnosis.rootsOk (S: natural number, S': natural number, ps: pairs of natural numbers, s: natural numbers): 1 or 0 */
int64_t gnosis_roots_ok(gnosis_context *context, int64_t S, int64_t S2, const int64_t *ps, size_t ps_length, const int64_t *s, size_t s_length);
/* Gnosis.hellingerAdmit (ps: pairs of natural numbers, s: natural numbers, n: natural number, d: natural number): 1 or 0 */
int64_t gnosis_hellinger_admit(gnosis_context *context, const int64_t *ps, size_t ps_length, const int64_t *s, size_t s_length, int64_t n, int64_t d);
/* Gnosis.weightedBudget (ps: pairs of natural numbers): 0; a natural number in *out */
int64_t gnosis_weighted_budget(gnosis_context *context, const int64_t *ps, size_t ps_length, int64_t *out);
/* Gnosis.topkBudget (N: natural number, Bmax: natural number, head: pairs of natural numbers): 0; a natural number in *out */
int64_t gnosis_topk_budget(gnosis_context *context, int64_t N, int64_t Bmax, const int64_t *head, size_t head_length, int64_t *out);
/* Gnosis.tiltPairs (ps: pairs of natural numbers): how many pairs are in out, two numbers each; room counts numbers */
int64_t gnosis_tilt_pairs(gnosis_context *context, const int64_t *ps, size_t ps_length, int64_t *out, size_t room);
/* Gnosis.gaugeOk (B: natural number, ps: pairs of natural numbers): 1 or 0 */
int64_t gnosis_gauge_ok(gnosis_context *context, int64_t B, const int64_t *ps, size_t ps_length);
/* Gnosis.stepBudgetAdmit (G: natural number, zn: natural number, zd: natural number, u: natural number): 1 or 0 */
int64_t gnosis_step_budget_admit(gnosis_context *context, int64_t G, int64_t zn, int64_t zd, int64_t u);
/* Gnosis.flipAt (asked: booleans, tokens: natural numbers, says: natural numbers): 0; a natural number in *out */
int64_t gnosis_flip_at(gnosis_context *context, const uint8_t *asked, size_t asked_length, const int64_t *tokens, size_t tokens_length, const int64_t *says, size_t says_length, int64_t *out);
/* Gnosis.refineText (τ: integer, coarse: pairs of natural numbers, fine: natural numbers, steps: triples of natural numbers, prompt: natural numbers): how many natural numbers are in out */
int64_t gnosis_refine_text(gnosis_context *context, int64_t tau, const int64_t *coarse, size_t coarse_length, const int64_t *fine, size_t fine_length, const int64_t *steps, size_t steps_length, const int64_t *prompt, size_t prompt_length, int64_t *out, size_t room);

/* ---- doubles ----
   Each double is taken as the exact number that it is, and the decision is made on whole numbers of units, powers of two; the units are
   chosen so that the decision is the one on the numbers themselves (the theorem behind each).  NaN and infinity are GNOSIS_MALFORMED.  `int64_t` arguments are counts and places. */

/* Doubles as whole numbers of their largest common unit 2^*exponent; 0, or GNOSIS_WIDE where an int64_t does not hold one. */
int64_t gnosis_whole(gnosis_context *, const double *x, size_t length, int32_t *exponent, int64_t *out);
int64_t gnosis_energy_admit_double(gnosis_context *context, const double *tau, size_t tau_length, const double *a, size_t a_length, double gamma); /* Gnosis.energy_units_invariant */
int64_t gnosis_energy_sidecar_admit_double(gnosis_context *context, double E, double A, double gamma); /* Gnosis.energy_sidecar_scale_invariant */
int64_t gnosis_energy_sidecar_admit_strict_double(gnosis_context *context, double E, double A, double gamma); /* Gnosis.energy_sidecar_strict_scale_invariant */
int64_t gnosis_jit_admit_double(gnosis_context *context, const double *z, size_t z_length, int64_t w, const double *E, size_t E_length, double A, double gamma); /* Gnosis.jit_scale_invariant */
int64_t gnosis_jit_admit_strict_double(gnosis_context *context, const double *z, size_t z_length, int64_t w, const double *E, size_t E_length, double A, double gamma); /* Gnosis.jit_scale_invariant */
int64_t gnosis_jit_lead_admit_double(gnosis_context *context, const double *z, size_t z_length, int64_t w, const double *E, size_t E_length, double A); /* Gnosis.jit_lead_scale_invariant */
int64_t gnosis_margin_admit_double(gnosis_context *context, const double *z, size_t z_length, int64_t w, double tau); /* Gnosis.margin_scale_invariant */
int64_t gnosis_margin_admit_strict_double(gnosis_context *context, const double *z, size_t z_length, int64_t w, double tau); /* Gnosis.margin_scale_invariant */
int64_t gnosis_margin_admit_lowest_double(gnosis_context *context, const double *z, size_t z_length, int64_t w, double tau); /* Gnosis.margin_scale_invariant */
int64_t gnosis_row_admit_double(gnosis_context *context, const double *z, size_t z_length, const double *eps, size_t eps_length, int64_t w); /* Gnosis.row_scale_invariant */
int64_t gnosis_candidates_double(gnosis_context *context, const double *z, size_t z_length, const double *eps, size_t eps_length, int64_t *out, size_t room); /* Gnosis.candidates_list_scale_invariant */
int64_t gnosis_topk_admit_double(gnosis_context *context, const double *z, size_t z_length, const uint8_t *S, size_t S_length, double eps); /* Gnosis.topk_scale_invariant */
int64_t gnosis_topk_gap_admit_double(gnosis_context *context, const double *z, size_t z_length, int64_t k, double eps); /* Gnosis.top_k_gap_scale_invariant */
int64_t gnosis_tukey_admit_double(gnosis_context *context, double r, double gamma); /* Gnosis.tukey_scale_invariant */
int64_t gnosis_conformal_admit_double(gnosis_context *context, const double *scores, size_t scores_length, int64_t num, int64_t den, double gamma); /* Gnosis.conformal_scale_invariant */
int64_t gnosis_conformal_margin_admit_double(gnosis_context *context, const double *scores, size_t scores_length, int64_t num, int64_t den, double gamma, const double *z, size_t z_length, int64_t w); /* Gnosis.conformal_margin_scale_invariant */
int64_t gnosis_conformal_margin_admit_lowest_double(gnosis_context *context, const double *scores, size_t scores_length, int64_t num, int64_t den, double gamma, const double *z, size_t z_length, int64_t w); /* Gnosis.conformal_lowest_scale_invariant */
int64_t gnosis_basin_admit_double(gnosis_context *context, const double *delta, size_t delta_length, double R); /* Gnosis.basin_scale_invariant */
int64_t gnosis_basin_vector_admit_double(gnosis_context *context, const double *d, size_t d_length, double R); /* Gnosis.basin_scale_invariant */

#ifdef __cplusplus
}
#endif
#endif
