#include "array/sort.h"

#include "array/walk.h"
#include "base/interrupt.h"
#include "base/mem.h"

typedef struct {
    int64_t key, position;
} Entry;

/* ---- short lanes: insertion sort on short runs, then merging ---- */

static void sort_run(Entry *entry, int64_t n)
{
    for (int64_t i = 1; i < n; i++) {
        Entry e = entry[i];
        int64_t k = i;
        for (; k > 0 && entry[k - 1].key > e.key; k--) entry[k] = entry[k - 1];
        entry[k] = e;
    }
}

/* Of equal keys the left one goes first. */
static void merge(const Entry *left, int64_t n_left, const Entry *right, int64_t n_right,
                  Entry *out)
{
    while (n_left > 0 && n_right > 0) {
        bool from_right = right->key < left->key;
        *out++ = from_right ? *right : *left;
        right += from_right;
        left += !from_right;
        n_right -= from_right;
        n_left -= !from_right;
    }
    while (n_left-- > 0) *out++ = *left++;
    while (n_right-- > 0) *out++ = *right++;
}

/* Gives whichever of the two holds the result. */
static Entry *sort_merging(Entry *entry, Entry *other, int64_t n)
{
    enum { RUN = 16 };
    for (int64_t i = 0; i < n; i += RUN) sort_run(entry + i, n - i < RUN ? n - i : RUN);
    for (int64_t run = RUN; run < n; run *= 2) {
        for (int64_t i = 0; i < n; i += 2 * run) {
            int64_t n_left = n - i < run ? n - i : run;
            int64_t n_right = n - i - n_left < run ? n - i - n_left : run;
            merge(entry + i, n_left, entry + i + n_left, n_right, other + i);
        }
        Entry *swap = entry;
        entry = other;
        other = swap;
    }
    return entry;
}

/* ---- long lanes: by one byte of the key after the other, the lowest first ---- */

enum { KEY_BYTES = 8, BYTE_VALUES = 256 };

static unsigned key_byte(int64_t key, int byte)
{
    uint64_t ordered = (uint64_t)key ^ (uint64_t)1 << 63; /* negative keys first */
    return ordered >> (8 * byte) & 0xFF;
}

static bool deal_out(const Entry *entry, Entry *out, int64_t n, int byte, const int64_t *count,
                     Error *err)
{
    int64_t next[BYTE_VALUES], total = 0;
    for (int v = 0; v < BYTE_VALUES; v++) {
        next[v] = total;
        total += count[v];
    }
    Stretch s = {0};
    while (stretch_next(&s, n, err))
        for (int64_t i = s.start; i < s.end; i++)
            out[next[key_byte(entry[i].key, byte)]++] = entry[i];
    return stretch_done(&s, n);
}

/* NULL when interrupted. */
static Entry *sort_by_bytes(Entry *entry, Entry *other, int64_t n, Error *err)
{
    int64_t count[KEY_BYTES][BYTE_VALUES] = {0};
    Stretch s = {0};
    while (stretch_next(&s, n, err))
        for (int64_t i = s.start; i < s.end; i++)
            for (int byte = 0; byte < KEY_BYTES; byte++)
                count[byte][key_byte(entry[i].key, byte)]++;
    if (!stretch_done(&s, n)) return NULL;
    for (int byte = 0; byte < KEY_BYTES; byte++) {
        if (count[byte][key_byte(entry[0].key, byte)] == n) continue; /* all the same */
        if (!deal_out(entry, other, n, byte, count[byte], err)) return NULL;
        Entry *swap = entry;
        entry = other;
        other = swap;
    }
    return entry;
}

/* ---- lanes along an axis ---- */

typedef struct {
    const Array *a;
    Array *out;
    int64_t n, stride, out_stride; /* of the axis */
    Entry *entry;                  /* room for 2n */
} Lanes;

static bool load_lane(const Lanes *s, int64_t first, bool *sorted, Error *err)
{
    Stretch part = {0};
    int64_t before = INT64_MIN;
    *sorted = true;
    while (stretch_next(&part, s->n, err))
        for (int64_t i = part.start; i < part.end; i++) {
            int64_t key = order_key(s->a, first + i * s->stride);
            s->entry[i] = (Entry){key, i};
            *sorted &= key >= before;
            before = key;
        }
    return stretch_done(&part, s->n);
}

static bool sort_lane(const Lanes *s, int64_t first, int64_t out_first, Error *err)
{
    enum { LONG_LANE = 256 };
    Entry *result = s->entry;
    bool sorted;
    if (!load_lane(s, first, &sorted, err)) return false;
    if (!sorted)
        result = s->n < LONG_LANE ? sort_merging(s->entry, s->entry + s->n, s->n)
                                  : sort_by_bytes(s->entry, s->entry + s->n, s->n, err);
    if (!result) return false;
    int64_t *out = array_ints(s->out) + out_first;
    Stretch part = {0};
    while (stretch_next(&part, s->n, err))
        for (int64_t i = part.start; i < part.end; i++) out[i * s->out_stride] = result[i].position;
    return stretch_done(&part, s->n);
}

static bool sort_lanes(const Lanes *s, int axis, Error *err)
{
    int64_t dim[MAX_RANK];
    for (int k = 0; k < s->a->rank; k++) dim[k] = k == axis ? 1 : s->a->dim[k];
    const int64_t *const stride[] = {s->a->stride, s->out->stride};
    Walk w;
    if (!walk_start(&w, s->a->rank, dim, 2, stride)) return true;
    do {
        for (int64_t i = 0; i < w.run; i++) {
            int64_t first = w.offset[0] + i * w.step[0], out_first = w.offset[1] + i * w.step[1];
            if (!sort_lane(s, first, out_first, err) || !interrupt_poll(err)) return false;
        }
    } while (walk_next(&w));
    return true;
}

Array *sort_positions(Array *a, int axis, Error *err)
{
    Shape shape = shape_of(a);
    if (!shape_axis(&shape, axis, &axis, err)) return NULL;
    Array *out = array_new(DT_INT, &shape, err);
    if (!out || out->size == 0) return out;
    size_t bytes = 2 * (size_t)a->dim[axis] * sizeof(Entry);
    Lanes s = {a, out, a->dim[axis], a->stride[axis], out->stride[axis], block_try(bytes, false)};
    bool ok = s.entry != NULL;
    if (ok) {
        ok = sort_lanes(&s, axis, err);
        block_free(s.entry, bytes);
    } else {
        error_set(err, ERR_MEMORY, "out of memory: sorting %lld elements needs %.3f GiB",
                  (long long)s.n, (double)bytes / (1 << 30));
    }
    if (ok) return out;
    array_release(out);
    return NULL;
}

/* ---- searching ---- */

static int64_t search_one(const Array *a, int64_t key, bool right)
{
    int64_t low = 0, high = a->size;
    while (low < high) {
        int64_t middle = low + (high - low) / 2;
        int64_t here = order_key(a, middle);
        if (here < key || (right && here == key)) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

/* An Int among Floats is compared as a Float. */
Array *sort_search(Array *a, Array *v, bool right, Error *err)
{
    DType t = a->dtype > v->dtype ? a->dtype : v->dtype;
    Shape shape = shape_of(v);
    Array *out = NULL;
    Array *sorted = array_convert(a, t, err);
    Array *wanted = sorted ? array_convert(v, t, err) : NULL;
    if (wanted) out = array_new(DT_INT, &shape, err);
    Stretch s = {0};
    while (out && stretch_next(&s, wanted->size, err))
        for (int64_t i = s.start; i < s.end; i++)
            array_ints(out)[i] = search_one(sorted, order_key(wanted, i), right);
    bool ok = out && stretch_done(&s, wanted->size);
    array_release(wanted);
    array_release(sorted);
    return array_if(ok, out);
}
