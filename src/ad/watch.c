#include "ad/watch.h"

#include <time.h>

#include "ad/tape.h"

static uint64_t now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* ---- places ---- */

void watch_start(Ad *ad, Watch *w)
{
    Tally outside = {0};
    VEC_PUSH(&w->place, outside);
    w->since = now();
    w->bytes_since = mem_block_bytes();
    ad->watch = w;
}

/* What is recorded from here on belongs to place. */
static void mark_tapes(Ad *ad, uint32_t place)
{
    for (int depth = 1; depth <= ad->depth; depth++) {
        Level *level = ad->level[depth];
        if (level->is_forward) continue;
        int n = level->marks.len;
        PlaceMark *last = n ? &level->marks.item[n - 1] : NULL;
        PlaceMark mark = {level->len, place};
        if (last && last->place == place) continue;
        if (last && last->first == level->len)
            *last = mark;
        else
            VEC_PUSH(&level->marks, mark);
    }
}

Phase watch_phase(const Ad *ad)
{
    return ad->watch->sweeping ? PHASE_SWEEP : ad->depth ? PHASE_RECORD : PHASE_PLAIN;
}

static void charge(Watch *w)
{
    uint64_t time = now(), bytes = mem_block_bytes();
    Tally *tally = &w->place.item[w->at];
    tally->ns[w->phase] += time - w->since;
    tally->bytes[w->phase] += bytes - w->bytes_since;
    w->since = time;
    w->bytes_since = bytes;
}

void watch_move(Ad *ad, uint32_t place)
{
    Watch *w = ad->watch;
    Phase phase = watch_phase(ad);
    if (ad->depth) mark_tapes(ad, place);
    if (w->at == place && w->phase == phase) return;
    charge(w);
    w->at = place;
    w->phase = phase;
}

void watch_stop(Ad *ad)
{
    charge(ad->watch);
    ad->watch = NULL;
}

/* ---- operations ---- */

static bool any_tracked(const Value *in, int n)
{
    for (int i = 0; i < n; i++)
        if (in[i].level) return true;
    return false;
}

static bool any_array(const Value *in, int n)
{
    for (int i = 0; i < n; i++)
        if (in[i].kind == VAL_ARR) return true;
    return n > 2;
}

static Phase op_phase(const Watch *w, bool is_tracked)
{
    return w->sweeping ? PHASE_SWEEP : is_tracked ? PHASE_RECORD : PHASE_PLAIN;
}

static WatchedOp begin(Watch *w, OpCode op, bool is_tracked, bool is_timed)
{
    if (w->busy++ || op == OP_COUNT) return (WatchedOp){0};
    WatchedOp o = {&w->op[op], op_phase(w, is_tracked), is_timed, 0, mem_block_bytes()};
    if (is_timed) o.since = now();
    return o;
}

WatchedOp watch_begin(Ad *ad, OpCode op, const Value *in, int n)
{
    return begin(ad->watch, op, any_tracked(in, n), any_array(in, n));
}

WatchedOp watch_begin_rule(Ad *ad, OpCode op)
{
    return begin(ad->watch, op, true, true);
}

void watch_end(Ad *ad, const WatchedOp *o)
{
    ad->watch->busy--;
    if (!o->tally) return;
    o->tally->times[o->phase]++;
    if (o->is_timed) o->tally->ns[o->phase] += now() - o->since;
    o->tally->bytes[o->phase] += mem_block_bytes() - o->bytes_since;
}

void watch_count(Ad *ad, OpCode op, bool is_tracked)
{
    Watch *w = ad->watch;
    if (w->busy) return;
    w->op[op].times[op_phase(w, is_tracked)]++;
}
