/* A margin gate on logits, what a malformed list gives, and any decision in JSON.
   cc -I. examples/margin.c -lgnosis */
#include <gnosis.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
  size_t bytes = (size_t)1 << 16;
  void *memory = malloc(bytes);
  gnosis_context *context = gnosis_open(memory, bytes);
  if (!context || gnosis_version() != GNOSIS_VERSION_HEADER) return 1;

  /* May the coarse token 2 be served when every exact logit lies within 0.25 of the coarse one?  Gnosis.margin_sound */
  double logits[4] = {1.5, -0.25, 2.125, 1.0};
  int64_t verdict = gnosis_margin_admit_double(context, logits, 4, 2, 0.25);
  printf("margin gate: %s\n", verdict == GNOSIS_ADMIT ? "admit" : verdict == GNOSIS_REFUSE ? "refuse" : gnosis_message(context));

  logits[1] = NAN;
  verdict = gnosis_margin_admit_double(context, logits, 4, 2, 0.25);
  printf("with a NaN: %lld, %s\n", (long long)verdict, gnosis_message(context));

  /* the same gate on whole numbers: logits in units of 1/8 */
  int64_t whole[4] = {12, -2, 17, 8};
  printf("whole numbers: %lld\n", (long long)gnosis_margin_admit(context, whole, 4, 2, 2));

  char answer[256];
  const char *request = "{\"v\": 1, \"id\": 7, \"decision\": \"energySidecarAdmit\", \"args\": [4, 9, 12]}";
  int64_t length = gnosis_decide(context, request, strlen(request), answer, sizeof answer);
  if (length < 0 || (size_t)length > sizeof answer) return 1;
  printf("%.*s\n", (int)length, answer);
  free(memory);
  return 0;
}
