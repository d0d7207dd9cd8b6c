#include "array/truth.h"

#include <string.h>

/* Counts of a byte each, side by side: they take 255 Bools before they overflow. */
enum { WAYS = 16, MOST = 255 };
typedef uint8_t Counts __attribute__((vector_size(WAYS)));

int64_t truth_count(const bool *x, int64_t n)
{
    int64_t total = 0;
    while (n >= WAYS) {
        Counts count = {0}, next;
        const bool *end = x + (n / WAYS < MOST ? n / WAYS : MOST) * WAYS;
        n -= end - x;
        for (; x < end; x += WAYS) {
            memcpy(&next, x, WAYS);
            count += next;
        }
        for (int k = 0; k < WAYS; k++) total += count[k];
    }
    while (n-- > 0) total += x[n];
    return total;
}
