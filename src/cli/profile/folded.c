/* The stacks of viv run --folded. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/profile/report.h"
#include "syntax/source.h"

/* Semicolons part the frames, and a line ends a stack: neither may be in one. */
static void print_clean(FILE *to, const char *text)
{
    for (; *text; text++) fputc(*text == ';' || *text == '\n' ? '_' : *text, to);
}

static void print_frame(FILE *to, const ProfilePlace *place)
{
    Location at = source_locate(place->position);
    print_clean(to, at.source ? at.source->name : "viv");
    if (place->is_line)
        fprintf(to, ":%u", at.line);
    else if (place->name)
        fprintf(to, ":%s", place->name);
    else
        fprintf(to, ":def at %u", at.line);
}

static void print_stack(FILE *to, const Profile *p, uint32_t number)
{
    uint32_t frame[PROFILE_DEEPEST + 2];
    int n = 0;
    for (uint32_t i = number; i; i = p->place.item[i].parent) frame[n++] = i;
    while (n > 0) {
        print_frame(to, &p->place.item[frame[--n]]);
        if (n > 0) fputc(';', to);
    }
}

/* Sweeps are frames of their own, so that the picture shows them beside what was recorded. */
static void print_place(FILE *to, const Profile *p, uint32_t number)
{
    const Tally *t = &p->watch.place.item[number];
    uint64_t forward = (t->ns[PHASE_PLAIN] + t->ns[PHASE_RECORD]) / 1000,
             sweep = t->ns[PHASE_SWEEP] / 1000;
    if (forward) {
        print_stack(to, p, number);
        fprintf(to, "%s %llu\n", number ? "" : "loading", (unsigned long long)forward);
    }
    if (sweep) {
        print_stack(to, p, number);
        fprintf(to, " (sweep) %llu\n", (unsigned long long)sweep);
    }
}

bool profile_write_folded(const Profile *p, const char *path)
{
    FILE *to = fopen(path, "w");
    for (int i = 0; to && i < p->place.len; i++) print_place(to, p, (uint32_t)i);
    bool ok = to && !ferror(to);
    if (to && fclose(to) != 0) ok = false;
    if (!ok) usage_error("%s: %s", path, strerror(errno));
    return ok;
}
