#include "base/suggest.h"

#include <string.h>

enum { LONGEST = 40 };

Suggest suggest_start(const char *wanted)
{
    return (Suggest){.wanted = wanted};
}

static int min3(int a, int b, int c)
{
    int m = a < b ? a : b;
    return m < c ? m : c;
}

static int distance_of(const char *a, int la, const char *b, int lb)
{
    int row[3][LONGEST + 1];
    for (int j = 0; j <= lb; j++) row[0][j] = j;
    for (int i = 1; i <= la; i++) {
        int *now = row[i % 3], *up = row[(i + 2) % 3], *up2 = row[(i + 1) % 3];
        now[0] = i;
        for (int j = 1; j <= lb; j++) {
            int change = a[i - 1] != b[j - 1];
            now[j] = min3(up[j] + 1, now[j - 1] + 1, up[j - 1] + change);
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] &&
                up2[j - 2] + 1 < now[j])
                now[j] = up2[j - 2] + 1;
        }
    }
    return row[la % 3][lb];
}

void suggest_offer(Suggest *s, const char *candidate)
{
    int la = (int)strlen(s->wanted), lb = (int)strlen(candidate);
    if (la > LONGEST || lb > LONGEST || la == 0) return;
    int limit = la == 1 ? 0 : la <= 4 ? 1 : la <= 7 ? 2 : 3;
    int d = distance_of(s->wanted, la, candidate, lb);
    if (d > limit || d >= (la > lb ? la : lb)) return;
    if (!s->best || d < s->distance || (d == s->distance && strcmp(candidate, s->best) < 0)) {
        s->best = candidate;
        s->distance = d;
    }
}
