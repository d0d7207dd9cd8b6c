#include "array/truth.h"

#include <string.h>

/* Eight counts in a word, a byte each: they take 255 Bools before they overflow. */
enum { MOST = 255, WAYS = 4, WORD = 8 };

static int64_t count_bytes(uint64_t word)
{
    uint64_t pairs = UINT64_C(0x00ff00ff00ff00ff);
    return (int64_t)(((word & pairs) + (word >> 8 & pairs)) * UINT64_C(0x0001000100010001) >> 48);
}

static int64_t count_words(const bool *x, int64_t words)
{
    uint64_t count[WAYS] = {0}, word[WAYS];
    for (int64_t i = 0; i < words; i++, x += sizeof word) {
        memcpy(word, x, sizeof word);
        for (int k = 0; k < WAYS; k++) count[k] += word[k];
    }
    int64_t all = 0;
    for (int k = 0; k < WAYS; k++) all += count_bytes(count[k]);
    return all;
}

int64_t truth_count(const bool *x, int64_t n)
{
    int64_t count = 0, i = 0, left;
    for (; (left = (n - i) / (WAYS * WORD)) > 0; i += left * WAYS * WORD) {
        left = left < MOST ? left : MOST;
        count += count_words(x + i, left);
    }
    for (; i < n; i++) count += x[i];
    return count;
}
