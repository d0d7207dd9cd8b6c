#include <string.h>

#include "ad/elementwise_gradient.h"
#include "ad/tape.h"
#include "ad/watch.h"

enum { KEPT_NODES = (1 << 28) / sizeof(Node) }; /* larger tapes go back to the system */

bool tape_grow(Level *level, Error *err)
{
    if (level->cap >= NO_PARENT / 2)
        return error_set(err, ERR_MEMORY, "the tape of this derivative is full (%u operations)",
                         level->len);
    level->cap = level->cap ? level->cap * 2 : VEC_FIRST_CAP * 8;
    level->node = mem_realloc(level->node, level->cap * sizeof *level->node);
    return true;
}

static void level_free(Level *level)
{
    if (!level) return;
    mem_free(level->node);
    mem_free(level->cotangent);
    mem_free(level);
}

void ad_free(Ad *ad)
{
    tile_programs_free(elementwise_program_free);
    VEC_FREE(&ad->pool);
    level_free(ad->spare);
    ad->spare = NULL;
}

const Shape *node_shape(const Level *level, uint32_t number)
{
    static const Shape of_number = {0};
    const Node *node = &level->node[number];
    switch (node->form) {
    case FORM_UPDATE_ELEMENT: return &level->node[node->element.shape_of].record->shape;
    case FORM_LEAF:
    case FORM_OUTPUT:
    case FORM_RECORD: return &node->record->shape;
    default: return &of_number;
    }
}

Record *record_new(Level *level, int n, unsigned saves, Value v)
{
    int rank = v.kind == VAL_ARR ? v.arr->rank : 0, n_saved = save_count(saves);
    size_t shape_end = offsetof(Record, shape.dim) + (size_t)rank * sizeof(int64_t);
    size_t saved_end = shape_end + (size_t)n_saved * sizeof(Value);
    char *at = arena_alloc(&level->arena, saved_end + (size_t)n * sizeof(uint32_t));
    Record *record = (Record *)(void *)at;
    record->attr = NULL;
    record->sizes = NULL;
    record->parent = (uint32_t *)(void *)(at + saved_end);
    record->saved = (Value *)(void *)(at + shape_end);
    record->n = n;
    record->saves = (uint16_t)saves;
    shape_copy(&record->shape, rank, rank ? v.arr->dim : NULL);
    return record;
}

static void record_drop(Record *record)
{
    for (int i = 0, n = save_count(record->saves); i < n; i++) value_release(record->saved[i]);
    record->saves = 0;
    if (record->attr && record->attr->selection) {
        selection_release(record->attr->selection);
        record->attr->selection = NULL;
    }
}

void node_drop(Node *node)
{
    switch (node->form) {
    case FORM_RECORD: record_drop(node->record); break;
    case FORM_TANGENT: value_clear(&node->tangent); break;
    case FORM_CUSTOM: custom_drop(node->custom); break;
    default: break;
    }
}

static bool open_level(Ad *ad, bool is_forward)
{
    if (ad->depth == MAX_LEVELS)
        return error_set(ad->err, ERR_DEPTH, "derivatives are nested too deeply (limit %d)",
                         MAX_LEVELS);
    Level *level = ad->spare ? ad->spare : mem_calloc(1, sizeof *level);
    ad->spare = NULL;
    *level = (Level){.is_forward = is_forward,
                     .node = level->node,
                     .cap = level->cap,
                     .cotangent = level->cotangent,
                     .cotangent_cap = level->cotangent_cap};
    ad->level[++ad->depth] = level;
    if (ad->watch) watch_move(ad, ad->watch->at);
    return true;
}

bool ad_open_reverse(Ad *ad)
{
    return open_level(ad, false);
}

bool ad_open_forward(Ad *ad)
{
    return open_level(ad, true);
}

void ad_close(Ad *ad)
{
    Level *level = ad->level[ad->depth];
    ad->level[ad->depth--] = NULL;
    for (uint32_t i = level->dropped; i < level->len; i++)
        if (level->node[i].form >= FORM_RECORD) node_drop(&level->node[i]);
    for (uint32_t i = 0; i < level->n_cotangents; i++) value_release(level->cotangent[i]);
    arena_free(&level->arena);
    VEC_FREE(&level->marks);
    bool is_kept = level->cap <= KEPT_NODES && (!ad->spare || level->cap > ad->spare->cap);
    level_free(is_kept ? ad->spare : level);
    if (is_kept) ad->spare = level;
    if (ad->watch) watch_move(ad, ad->watch->at);
}

size_t ad_tape_nodes(const Ad *ad)
{
    return ad->depth ? ad->level[ad->depth]->len : 0;
}
