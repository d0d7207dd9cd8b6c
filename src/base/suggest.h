/* "Did you mean": the nearest of a set of names. */
#ifndef BASE_SUGGEST_H
#define BASE_SUGGEST_H

typedef struct {
    const char *wanted;
    const char *best; /* NULL while nothing is near enough */
    int distance;
} Suggest;

Suggest suggest_start(const char *wanted);
/* Considers one candidate, which must stay alive. Distance: optimal string alignment (Levenshtein
 * with transpositions). */
void suggest_offer(Suggest *s, const char *candidate);

#endif
