#include "test_syntax_helpers.h"

static SyntaxFile file;
static GlobalTable globals;

static bool resolve_text(const char *text, bool is_repl)
{
    Error err = {0};
    ResolveContext context = test_context(&globals);
    context.is_repl = is_repl;
    syntax_file_free(&file);
    bool ok = parse_source(source_add("t", text, strlen(text)), &file, &err) &&
              resolve_file(&file, &context, &err);
    error_clear(&err);
    return ok;
}

static Ast *statement(int i)
{
    return file.body->list.item[i];
}

static void clean(void)
{
    syntax_file_free(&file);
    global_table_free(&globals);
    sources_free();
    symbols_free();
}

TestSuite(syntax_resolve, .fini = clean);

Test(syntax_resolve, globals_locals_and_builtins)
{
    cr_assert(
        resolve_text("a = sum(1)\ndef f(x, y = a) {\n z = x + a\n return print(z)\n}", false));
    cr_expect_eq(globals.names.len, 2);
    cr_expect_eq(statement(0)->assign.target->name.scope, SCOPE_GLOBAL);
    cr_expect_eq(statement(0)->assign.value->call.callee->name.scope, SCOPE_BUILTIN);
    cr_expect_eq(statement(0)->assign.value->call.callee->name.slot, 1);
    const FunctionDecl *f = statement(1)->function;
    cr_expect_eq(f->target_scope, SCOPE_GLOBAL);
    cr_expect_eq(f->target_slot, 1);
    cr_expect_eq(f->n_slots, 3);
    cr_expect_str_eq(f->slot_name[2]->text, "z");
    cr_expect_eq(f->self_slot, -1);
    const Ast *sum = f->body->list.item[0]->assign.value;
    cr_expect_eq(sum->binary.left->name.scope, SCOPE_LOCAL);
    cr_expect_eq(sum->binary.right->name.scope, SCOPE_GLOBAL);
    cr_expect_eq(f->param[1].default_value->name.scope, SCOPE_GLOBAL);
}

Test(syntax_resolve, captures_pass_through_functions_between)
{
    cr_assert(resolve_text("def f(a) {\n def g() = def(b) = a + b + g()\n return g\n}", false));
    const FunctionDecl *f = statement(0)->function;
    const FunctionDecl *g = f->body->list.item[0]->function;
    const FunctionDecl *h = g->body->function;
    cr_expect_eq(g->target_scope, SCOPE_LOCAL);
    cr_expect_eq(g->target_slot, 1);
    cr_expect_eq(g->n_captures, 1);
    cr_expect_eq(g->capture[0].outer_slot, 0);
    cr_expect_geq(g->self_slot, 0);
    cr_expect_eq(h->n_captures, 2);
    cr_expect_eq(h->capture[0].outer_slot, g->capture[0].inner_slot);
    cr_expect_eq(h->capture[1].outer_slot, (uint32_t)g->self_slot);
    cr_expect_eq(h->self_slot, -1);
}

Test(syntax_resolve, comprehension_variables_are_hidden)
{
    cr_assert(resolve_text("i = 1\nx = [def() = i for i to i]\ny = i", false));
    cr_expect_eq(file.n_slots, 1);
    cr_expect_null(file.slot_name[0]);
    const Ast *c = statement(1)->assign.value;
    cr_expect_eq(c->comprehension.head.target->name.scope, SCOPE_LOCAL);
    cr_expect_eq(c->comprehension.head.to->name.scope, SCOPE_GLOBAL);
    const FunctionDecl *f = c->comprehension.element->function;
    cr_expect_eq(f->n_captures, 1);
    cr_expect_eq(f->capture[0].outer_slot, 0);
    cr_expect_eq(statement(2)->assign.value->name.scope, SCOPE_GLOBAL);
    cr_expect_not(resolve_text("q = [j for j to 3]\nr = j", false));
}

Test(syntax_resolve, defaults_see_no_parameters)
{
    cr_assert(resolve_text("def f(a) {\n b = 1\n def g(a, c = b + a) = c\n return g\n}", false));
    const FunctionDecl *g = statement(0)->function->body->list.item[1]->function;
    cr_expect_eq(g->n_captures, 2);
    cr_expect_eq(g->capture[0].outer_slot, 1);
    cr_expect_eq(g->capture[1].outer_slot, 0);
    cr_expect_geq(g->param[1].default_value->binary.right->name.slot, 2);
    cr_expect_not(resolve_text("def h(a, b = a) = b", false));
}

Test(syntax_resolve, sizes_of_contracts)
{
    cr_assert(resolve_text("struct P { W: Arr[n, m], b: Arr[m], k = [i for i to 3] }\n"
                           "def f(n: Int, X: Arr[n, d], p: P | None) -> Arr[d, e] { return d }",
                           false));
    const StructDecl *s = statement(0)->structure;
    cr_expect_eq(s->n_size_names, 2);
    cr_expect_eq(s->field[1].type->item[0].dim[0].slot, 1);
    cr_expect_eq(s->n_slots, 1);
    const FunctionDecl *f = statement(1)->function;
    cr_expect(f->has_size_names);
    cr_expect_eq(f->param[1].type->item[0].dim[0].slot, 0);
    cr_expect_eq(f->param[1].type->item[0].dim[1].slot, 3);
    cr_expect_eq(f->result->item[0].dim[1].slot, 4);
    cr_expect_eq(f->param[2].type->item[0].builtin, TYPE_STRUCT);
    cr_expect_eq(f->param[2].type->item[0].type.slot, 0);
    cr_expect_eq(f->param[2].type->item[1].builtin, TYPE_NONE);
    cr_expect_not(resolve_text("def g(n, X: Arr[n]) = n", false));
    cr_expect_not(resolve_text("def g(x: Nope) = x", false));
}

Test(syntax_resolve, tests_have_frames)
{
    cr_assert(resolve_text("A = 1\ntest \"t\" { B = A; for i to 3 { B += i }; return }", false));
    const TestDecl *test = statement(1)->test;
    cr_expect_eq(test->n_slots, 2);
    cr_expect_str_eq(test->slot_name[1]->text, "i");
}

Test(syntax_resolve, adjoints)
{
    cr_assert(resolve_text("def f(X, e = 1) = X\nadjoint f(X, e, dY) { return dY, none }", false));
    cr_expect_eq(statement(1)->function->target_slot, 0);
    expect_name_error("def f(X) = X\nadjoint f(X) = X", "t:2:1: error: the adjoint of f must take");
    expect_name_error("def f(X) = X\nadjoint f(Y, d) = Y",
                      "t:2:1: error: the adjoint of f must take");
    expect_name_error("adjoint f(X, dY) = dY\ndef f(X) = X",
                      "t:1:9: error: an adjoint must come after");
    expect_name_error("def f(X) = X\nadjoint f(X, d) = d\nadjoint f(X, d) = d",
                      "t:3:9: error: f has two adjoints");
}

Test(syntax_resolve, what_belongs_elsewhere)
{
    expect_name_error("A = [1.0]\ndef f() { A[0] = 9.0 }",
                      "t:2:11: error: A belongs to the file, and a function can't change it\n");
    expect_name_error("n = 0\ndef f() { n += 1 }",
                      "t:2:11: error: n belongs to the file, and a function can't change it\n");
    expect_name_error("n = 0\ntest \"t\" { n += 1 }", "t:2:12: error: n belongs to the file");
    expect_name_error("def f(x) {\ndef g() { x.a[0] = 1 }\n}", "t:2:11: error: x belongs to f");
    expect_name_error("n += 1", "t:1:1: error: unknown name n");
    expect_name_error("sum += 1", "t:1:1: error: sum is a builtin and can't be changed");
    expect_name_error("import nn\ndef f() { nn.x = 1 }",
                      "t:2:11: error: the names of module nn can't be assigned");
    expect_resolved(
        "A = [1.0]\nA[0] = 2.0\nA += 1\ndef f(A) { A[0] = 1; A += 1; B = A; B[0] = 2 }");
    expect_resolved("n = 0\ndef f() { n = 1; n += 1 }");
    expect_resolved("n = 0\ndef f(c) { if c { n = 1 }; n = n + 1 }");
    expect_resolved("n = 0\ndef f(n) { n = n + 1 }\ndef g() { n = [n for n in (1, 2)] }");
    expect_name_error("n = 0\ndef f() { n = n + 1; n += 1 }",
                      "t:2:15: error: n belongs to the file");
    expect_name_error("def f(x) {\ndef g() { y = def() { x, z = 1, x } }\n}",
                      "t:2:33: error: x belongs to f");
}

Test(syntax_resolve, definitions)
{
    expect_name_error("def f() = 1\n\nstruct f { x }",
                      "t:3:8: error: f is defined twice, at line 1 and at line 3\n");
    expect_name_error("test \"a\" { }\ntest \"b\" { }\ntest \"a\" { }",
                      "t:3:6: error: two tests have the name \"a\", at line 1 and at line 3\n");
    expect_resolved(
        "def sum(x) = x\ny = sum(1)\nf = 1\nf = 2\nif true { def g() = 1 } else { def g() = 2 }");
    expect_resolved("a = f(1)\ndef f(x) = g(x)\ndef g(x) = f(x)");
}

Test(syntax_resolve, places)
{
    expect_name_error("return 1", "t:1:1: error: return must be inside a function or a test");
    expect_name_error("break", "t:1:1: error: break must be inside a loop");
    expect_name_error("for i to 3 { f = def() { continue } }",
                      "t:1:26: error: continue must be inside a loop");
    expect_name_error("def f() { import a }", "t:1:11: error: an import must be at file level");
    expect_name_error("if true { struct A { } }", "t:1:11: error: a struct must be at file level");
    expect_name_error("def f() { test \"x\" { } }", "t:1:11: error: a test must be at file level");
    expect_name_error("from a import _b", "t:1:15: error: _b is private to a");
}

Test(syntax_resolve, repl)
{
    cr_assert(resolve_text("def f(x) = later(x) + later(1)", true));
    cr_expect_eq(globals.names.len, 2);
    cr_expect_not(globals.names.item[1].is_assigned);
    cr_expect_not(resolve_text("y = later(1)", true), "named, but still not bound");
    cr_expect_eq(globals.names.len, 2, "a failure changes nothing");
    cr_assert(resolve_text("def later(x) = x", true));
    cr_expect(globals.names.item[1].is_assigned);
    cr_expect(globals.names.item[1].is_definition);
    cr_assert(resolve_text("def later(x) = 2 * x\nadjoint f(x, d) = d", true));
    cr_assert(resolve_text("y = later(1)", true));
    cr_expect_eq(global_find(&globals, symbol_of("y")), 2);
    cr_expect_not(resolve_text("y2 = nosuch", true));
    cr_expect_eq(global_find(&globals, symbol_of("y2")), -1);
}
