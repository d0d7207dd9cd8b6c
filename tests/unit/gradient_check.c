#include "gradient_check.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>

#include "array_support.h"
#include "value/structure.h"

#define STEP 0.005 /* of the widest central difference */
#define MODES_TOLERANCE 1e-10

/* Derivatives go through the same formulas in either mode, and change no value. */
static void require(bool ok, const Ad *ad, const Function *f)
{
    cr_assert(ok, "%s: %s", f->name, ad->err->message ? ad->err->message : "failed in silence");
}

/* ---- numbers ---- */

double random_between(double lo, double hi)
{
    return lo + (hi - lo) * ((double)random_below(1 << 30) / (1 << 30));
}

static bool random_leaf(void *context, const Value *leaf, int n, Value *out)
{
    Ad *ad = context;
    (void)n;
    *out = value_none();
    if (!value_is_float(leaf[0])) return true;
    Shape s = value_shape(leaf[0]);
    Array *a = array_new(DT_FLOAT, &s, ad->err);
    for (int64_t i = 0; i < a->size; i++) array_floats(a)[i] = random_between(-1, 1);
    *out = value_from_array_take(a);
    return true;
}

Value random_like(Ad *ad, Value v)
{
    Value made;
    cr_assert(structure_map(&v, 1, false, random_leaf, ad, &made, ad->err));
    return made;
}

typedef struct {
    double sum;
} Sum;

static bool product_leaf(void *context, const Value *leaf, int n, Value *out)
{
    Sum *s = context;
    (void)n;
    *out = value_none();
    if (leaf[0].kind == VAL_NONE || leaf[1].kind == VAL_NONE) return true;
    Shape a = value_shape(leaf[0]), b = value_shape(leaf[1]);
    cr_assert(shape_equal(&a, &b), "a derivative of shape %s where %s is due", shape_text(&b),
              shape_text(&a));
    Array scratch[2], *x = value_operand(&leaf[0], &scratch[0]),
                      *y = value_operand(&leaf[1], &scratch[1]);
    for (int64_t i = 0; i < x->size; i++) s->sum += array_float_at(x, i) * array_float_at(y, i);
    return true;
}

double inner_product(Value a, Value b)
{
    Error err = {0};
    Sum s = {0};
    Value in[2] = {a, b}, ignored;
    cr_assert(structure_map(in, 2, false, product_leaf, &s, &ignored, &err), "%s", err.message);
    value_release(ignored);
    return s.sum;
}

/* ---- derivatives as functions ---- */

static Value item(Value pair, int i)
{
    return pair.tuple->item[i];
}

static bool call_reverse(Ad *ad, const Function *self, Value pair, Value *gradient)
{
    Value x, y;
    if (!ad_open_reverse(ad)) return false;
    bool ok = ad_track(ad, item(pair, 0), &x);
    if (ok) {
        ok = self->inner->call(ad, self->inner, x, &y);
        if (ok) {
            ok = ad_sweep(ad, y, item(pair, 1)) && ad_gradient(ad, x, gradient);
            value_release(y);
        }
        value_release(x);
    }
    ad_close(ad);
    return ok;
}

static bool call_forward(Ad *ad, const Function *self, Value pair, Value *tangent)
{
    Value x, y;
    if (!ad_open_forward(ad)) return false;
    bool ok = ad_track_tangent(ad, item(pair, 0), item(pair, 1), &x);
    if (ok) {
        ok = self->inner->call(ad, self->inner, x, &y);
        if (ok) {
            ok = ad_tangent(ad, y, tangent);
            value_release(y);
        }
        value_release(x);
    }
    ad_close(ad);
    return ok;
}

Function reverse_derivative(const Function *f)
{
    return (Function){.name = f->name, .call = call_reverse, .inner = f};
}

Function forward_derivative(const Function *f)
{
    return (Function){.name = f->name, .call = call_forward, .inner = f};
}

static Value pair_of(Value a, Value b)
{
    Tuple *t = tuple_new(2);
    t->item[0] = value_retain(a);
    t->item[1] = value_retain(b);
    return value_tuple(t);
}

/* d(x, v) for a derivative d. */
static Value call_pair(Ad *ad, const Function *d, Value a, Value b)
{
    Value pair = pair_of(a, b), made;
    require(d->call(ad, d, pair, &made), ad, d);
    value_release(pair);
    return made;
}

/* ---- differences ---- */

typedef struct {
    Ad *ad;
    double step;
} Move;

static bool move_leaf(void *context, const Value *leaf, int n, Value *out)
{
    Move *m = context;
    (void)n;
    *out = value_retain(leaf[0]);
    if (leaf[1].kind == VAL_NONE) return true;
    Value by, from = *out;
    bool ok = op_apply2(m->ad, OP_MUL, leaf[1], value_float(m->step), &by) &&
              op_apply2(m->ad, OP_ADD, from, by, out);
    value_release(by);
    value_release(from);
    return ok;
}

/* <w, f(x + step v)> */
static double moved_value(Ad *ad, const Function *f, Value x, Value v, Value w, double step)
{
    Move m = {ad, step};
    Value in[2] = {x, v}, at, y;
    require(structure_map(in, 2, false, move_leaf, &m, &at, ad->err), ad, f);
    require(f->call(ad, f, at, &y), ad, f);
    double value = inner_product(w, y);
    value_release(at);
    value_release(y);
    return value;
}

static double central(Ad *ad, const Function *f, Value x, Value v, Value w, double step)
{
    return (moved_value(ad, f, x, v, w, step) - moved_value(ad, f, x, v, w, -step)) / (2 * step);
}

/* Richardson's extrapolation of three central differences: the error falls with step⁶. */
static double difference(Ad *ad, const Function *f, Value x, Value v, Value w)
{
    double wide = central(ad, f, x, v, w, STEP), half = central(ad, f, x, v, w, STEP / 2),
           quarter = central(ad, f, x, v, w, STEP / 4);
    double first = (4 * half - wide) / 3, second = (4 * quarter - half) / 3;
    return (16 * second - first) / 15;
}

/* ---- the check ---- */

static double gap(double a, double b)
{
    double size = fmax(fmax(fabs(a), fabs(b)), 0.1);
    return a == b ? 0 : isfinite(a) && isfinite(b) ? fabs(a - b) / size : INFINITY;
}

static void compare(CheckResult *r, const char *what, double a, double b)
{
    double g = gap(a, b);
    if (g <= r->worst) return;
    r->worst = g;
    snprintf(r->where, sizeof r->where, "%s: %.17g and %.17g", what, a, b);
}

/* The two modes are held to more than the differences can show. */
static void compare_modes(CheckResult *r, double reverse, double forward)
{
    double g = gap(reverse, forward);
    if (g > MODES_TOLERANCE) compare(r, "reverse and forward", reverse, forward);
    if (g > MODES_TOLERANCE && r->worst < CHECK_TOLERANCE) r->worst = 2 * CHECK_TOLERANCE;
}

/* Recording changes no value: y is what f gives untracked. */
static void check_value(Ad *ad, const Function *f, Value x, Value y)
{
    Value tracked = {0}, recorded, plain;
    bool equal = false;
    require(ad_open_reverse(ad) && ad_track(ad, x, &tracked), ad, f);
    require(f->call(ad, f, tracked, &recorded), ad, f);
    require(ad_peel_structure(ad, recorded, &plain), ad, f);
    ad_close(ad);
    require(value_equal(plain, y, &equal, ad->err), ad, f);
    cr_assert(equal, "%s has another value when it is recorded", f->name);
    value_release(tracked);
    value_release(recorded);
    value_release(plain);
}

CheckResult check_derivative(const Function *f, Value x)
{
    Error err = {0};
    Ad ad = {.err = &err};
    CheckResult r = {0};
    Value y;
    require(f->call(&ad, f, x, &y), &ad, f);
    check_value(&ad, f, x, y);
    Value v = random_like(&ad, x), w = random_like(&ad, y);
    Function reverse = reverse_derivative(f), forward = forward_derivative(f);
    Value gradient = call_pair(&ad, &reverse, x, w), tangent = call_pair(&ad, &forward, x, v);
    double by_reverse = inner_product(v, gradient), by_forward = inner_product(w, tangent);
    compare_modes(&r, by_reverse, by_forward);
    compare(&r, "reverse and difference", by_reverse, difference(&ad, f, x, v, w));
    cr_assert_eq(ad.depth, 0, "%s leaves a level open", f->name);
    Value made[] = {y, v, w, gradient, tangent};
    for (size_t i = 0; i < sizeof made / sizeof made[0]; i++) value_release(made[i]);
    ad_free(&ad);
    return r;
}

/* d at (x, direction like f's result or x). */
static CheckResult check_second(const char *what, const Function *d, Value x, Value direction)
{
    Value pair = pair_of(x, direction);
    CheckResult r = check_derivative(d, pair);
    char first[sizeof r.where];
    snprintf(first, sizeof first, "%s", r.where);
    snprintf(r.where, sizeof r.where, "of the %s derivative, %.120s", what, first);
    value_release(pair);
    return r;
}

CheckResult check_both_orders(const Function *f, Value x)
{
    Error err = {0};
    Ad ad = {.err = &err};
    CheckResult worst = check_derivative(f, x);
    Value y;
    require(f->call(&ad, f, x, &y), &ad, f);
    Value v = random_like(&ad, x), w = random_like(&ad, y);
    Function reverse = reverse_derivative(f), forward = forward_derivative(f);
    CheckResult second[2] = {check_second("reverse", &reverse, x, w),
                             check_second("forward", &forward, x, v)};
    for (int i = 0; i < 2; i++)
        if (second[i].worst > worst.worst) worst = second[i];
    value_release(y);
    value_release(v);
    value_release(w);
    ad_free(&ad);
    return worst;
}
