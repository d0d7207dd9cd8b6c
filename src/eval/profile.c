#include "eval/profile.h"

enum { FIRST_BUCKETS = 256 };

Profile *profile_new(Ad *ad)
{
    Profile *p = mem_calloc(1, sizeof *p);
    ProfilePlace root = {0};
    p->ad = ad;
    VEC_PUSH(&p->place, root);
    p->n_buckets = FIRST_BUCKETS;
    p->bucket = mem_calloc(p->n_buckets, sizeof *p->bucket);
    watch_start(ad, &p->watch);
    return p;
}

void profile_stop(Profile *p)
{
    watch_stop(p->ad);
}

void profile_free(Profile *p)
{
    VEC_FREE(&p->place);
    VEC_FREE(&p->watch.place);
    mem_free(p->bucket);
    mem_free(p);
}

/* ---- the tree: a hash table from parent and position to the place ---- */

static uint32_t *bucket_of(Profile *p, uint32_t parent, uint32_t position, bool is_line)
{
    uint64_t key = (uint64_t)parent << 32 | position;
    uint32_t i = (uint32_t)((key ^ is_line) * 0x9E3779B97F4A7C15u >> 32) & (p->n_buckets - 1);
    for (;; i = (i + 1) & (p->n_buckets - 1)) {
        uint32_t number = p->bucket[i];
        if (!number) return &p->bucket[i];
        const ProfilePlace *place = &p->place.item[number];
        if (place->parent == parent && place->position == position && place->is_line == is_line)
            return &p->bucket[i];
    }
}

static void grow_buckets(Profile *p)
{
    mem_free(p->bucket);
    p->n_buckets *= 2;
    p->bucket = mem_calloc(p->n_buckets, sizeof *p->bucket);
    for (int i = 1; i < p->place.len; i++) {
        const ProfilePlace *place = &p->place.item[i];
        *bucket_of(p, place->parent, place->position, place->is_line) = (uint32_t)i;
    }
}

static uint32_t add_place(Profile *p, ProfilePlace place)
{
    Tally none = {0};
    VEC_PUSH(&p->place, place);
    VEC_PUSH(&p->watch.place, none);
    return (uint32_t)p->place.len - 1;
}

static uint32_t find_place(Profile *p, uint32_t position, const char *name, bool is_line)
{
    uint32_t parent = p->function;
    uint32_t *bucket = bucket_of(p, parent, position, is_line);
    if (*bucket) return *bucket;
    ProfilePlace place = {.parent = parent, .position = position, .name = name, .is_line = is_line};
    place.depth = p->place.item[parent].depth + 1;
    uint32_t number = *bucket = add_place(p, place);
    if ((uint32_t)p->place.len * 2 > p->n_buckets) grow_buckets(p);
    return number;
}

/* ---- moving in it ---- */

uint32_t profile_line(Profile *p, uint32_t position)
{
    uint32_t before = p->watch.at, place = find_place(p, position, NULL, true);
    watch_move(p->ad, place);
    p->watch.place.item[place].times[watch_phase(p->ad)]++;
    return before;
}

void profile_back(Profile *p, uint32_t before)
{
    watch_move(p->ad, before);
}

ProfileCall profile_enter(Profile *p, uint32_t position, const char *name)
{
    ProfileCall caller = {p->function, p->watch.at, p->watch.busy};
    if (p->place.item[p->function].depth < PROFILE_DEEPEST)
        p->function = find_place(p, position, name, false);
    p->watch.place.item[p->function].times[watch_phase(p->ad)]++;
    p->watch.busy = 0; /* what a rule calls is code of the program */
    return caller;
}

void profile_leave(Profile *p, ProfileCall caller)
{
    p->function = caller.function;
    p->watch.busy = caller.busy;
    watch_move(p->ad, caller.at);
}
