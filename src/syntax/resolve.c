#include "syntax/resolve.h"

#include <string.h>

#include "syntax/resolver.h"
#include "syntax/source.h"

/* ---- tests ---- */

static bool doubled_test(Resolver *r, const TestDecl *first, const TestDecl *second)
{
    Location a = source_locate(first->name_span.start), b = source_locate(second->name_span.start);
    return error_set_at(r->err, ERR_NAME, second->name_span,
                        "two tests have the name \"%s\", at line %u and at line %u", second->name,
                        a.line, b.line);
}

static bool check_test_names(Resolver *r)
{
    AstList body = r->file->body->list;
    SymbolMap seen = {0};
    bool ok = true;
    for (int i = 0; ok && i < body.len; i++) {
        if (body.item[i]->kind != AST_TEST) continue;
        Symbol name = symbol_of(body.item[i]->test->name);
        int first = symbol_map_get(&seen, name);
        if (first >= 0) ok = doubled_test(r, body.item[first]->test, body.item[i]->test);
        symbol_map_put(&seen, name, i);
    }
    symbol_map_free(&seen);
    return ok;
}

/* ---- the file ---- */

static void keep_members(Resolver *r)
{
    size_t size = (size_t)r->members.len * sizeof *r->members.item;
    r->file->n_members = r->members.len;
    r->file->member = arena_alloc(&r->file->arena, size);
    if (size) memcpy(r->file->member, r->members.item, size);
    VEC_FREE(&r->members);
}

static bool resolve_top(Resolver *r)
{
    FrameScope scope;
    SyntaxFile *file = r->file;
    scope_enter(r, &scope, SCOPE_FILE, "the file");
    bool ok = collect_names(r, file->body) && check_test_names(r) && resolve_block(r, file->body);
    file->n_slots = (uint32_t)scope.slot_names.len;
    file->slot_name = scope_slot_names(r, &scope);
    scope_leave(r);
    keep_members(r);
    return ok;
}

bool resolve_file(SyntaxFile *file, ResolveContext *context, Error *err)
{
    Resolver r = {.file = file, .context = context, .err = err};
    GlobalSnapshot before = global_snapshot(context->globals);
    bool ok = resolve_top(&r);
    if (!ok) global_restore(context->globals, &before);
    global_snapshot_free(&before);
    VEC_FREE(&r.chain);
    symbol_map_free(&r.adjoints);
    return ok;
}
