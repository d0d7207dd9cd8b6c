#include "value/map.h"

#include <string.h>

Map *map_new(void)
{
    Map *m = pool_alloc(sizeof *m);
    *m = (Map){.head.refs = 1};
    return m;
}

static uint32_t hash_key(Value key)
{
    if (key.kind == VAL_STR) return str_hash(key.str);
    /* Finaliser of MurmurHash3 (public domain, A. Appleby). */
    uint64_t h = (uint64_t)(key.kind == VAL_BOOL ? key.b : key.i) +
                 (key.kind == VAL_BOOL ? 0x9e3779b97f4a7c15u : 0);
    h = (h ^ h >> 33) * 0xff51afd7ed558ccdu;
    h = (h ^ h >> 33) * 0xc4ceb9fe1a85ec53u;
    return (uint32_t)(h ^ h >> 33);
}

static bool same_key(Value a, Value b)
{
    if (a.kind != b.kind) return false;
    if (a.kind == VAL_STR) return str_equal(a.str, b.str);
    return a.kind == VAL_BOOL ? a.b == b.b : a.i == b.i;
}

static void index_insert(Map *m, int position)
{
    uint32_t at = hash_key(m->entry[position].key) & (uint32_t)(m->n_index - 1);
    while (m->index[at] >= 0) at = (at + 1) & (uint32_t)(m->n_index - 1);
    m->index[at] = position;
}

static void grow(Map *m)
{
    m->cap = m->cap ? m->cap * 2 : 4;
    m->entry = mem_realloc(m->entry, (size_t)m->cap * sizeof *m->entry);
    m->n_index = m->cap * 2;
    m->index = mem_realloc(m->index, (size_t)m->n_index * sizeof *m->index);
    memset(m->index, 0xff, (size_t)m->n_index * sizeof *m->index);
    for (int i = 0; i < m->len; i++) index_insert(m, i);
}

Map *map_copy(const Map *m)
{
    Map *copy = map_new();
    for (int i = 0; i < m->len; i++)
        *map_put(copy, m->entry[i].key) = value_retain(m->entry[i].value);
    return copy;
}

void map_free(Map *m)
{
    for (int i = 0; i < m->len; i++) {
        value_release(m->entry[i].key);
        value_release(m->entry[i].value);
    }
    mem_free(m->entry);
    mem_free(m->index);
    pool_free(m, sizeof *m);
}

bool map_key_check(Value key, Error *err)
{
    if (key.kind == VAL_STR || key.kind == VAL_INT || key.kind == VAL_BOOL) return true;
    return error_set(err, ERR_TYPE, "a map's key must be a Str, an Int or a Bool, not %s",
                     value_type_name(key));
}

Value *map_get(const Map *m, Value key)
{
    if (m->n_index == 0) return NULL;
    uint32_t at = hash_key(key) & (uint32_t)(m->n_index - 1);
    for (; m->index[at] >= 0; at = (at + 1) & (uint32_t)(m->n_index - 1)) {
        MapEntry *e = &m->entry[m->index[at]];
        if (same_key(e->key, key)) return &e->value;
    }
    return NULL;
}

Value *map_put(Map *m, Value key)
{
    Value *found = map_get(m, key);
    if (found) return found;
    if (m->len == m->cap) grow(m);
    m->entry[m->len] = (MapEntry){.key = value_retain(key)};
    index_insert(m, m->len);
    return &m->entry[m->len++].value;
}
