#include "syntax/ast_print.h"

#include "base/vec.h"

/* Nodes are printed as (what child …). A chain of left operands is opened on the way down and
 * closed on the way up, in loops, for it may be of any length; the rest recurses. */

static void print(StrBuf *out, const Ast *node);

static void print_symbol(StrBuf *out, Symbol name)
{
    strbuf_bytes(out, name->text, name->len);
}

static void print_quoted(StrBuf *out, const char *text, size_t len)
{
    strbuf_char(out, '"');
    for (size_t i = 0; i < len; i++) {
        char c = text[i];
        if (c == '"' || c == '\\')
            strbuf_printf(out, "\\%c", c);
        else if (c == '\n')
            strbuf_text(out, "\\n");
        else if ((unsigned char)c < 0x20)
            strbuf_printf(out, "\\x%02x", (unsigned)c);
        else
            strbuf_char(out, c);
    }
    strbuf_char(out, '"');
}

static void print_more(StrBuf *out, const Ast *node)
{
    strbuf_char(out, ' ');
    if (node)
        print(out, node);
    else
        strbuf_char(out, '_');
}

static void print_list(StrBuf *out, const char *what, AstList list)
{
    strbuf_printf(out, "(%s", what);
    for (int i = 0; i < list.len; i++) print_more(out, list.item[i]);
    strbuf_char(out, ')');
}

static void print_head(StrBuf *out, const LoopHead *head)
{
    strbuf_text(out, head->kind == LOOP_EACH ? "(in" : "(to");
    print_more(out, head->target);
    if (head->kind == LOOP_EACH) {
        print_more(out, head->each);
    } else {
        print_more(out, head->from);
        print_more(out, head->to);
        print_more(out, head->by);
    }
    strbuf_char(out, ')');
}

/* ---- definitions ---- */

static void print_dim(StrBuf *out, const Dim *dim)
{
    switch (dim->kind) {
    case DIM_SIZE: strbuf_printf(out, "%lld", (long long)dim->size); break;
    case DIM_NAME: print_symbol(out, dim->name); break;
    case DIM_ANY: strbuf_char(out, '_'); break;
    case DIM_REST: strbuf_text(out, "..."); break;
    }
}

static void print_annotation(StrBuf *out, const Annotation *a)
{
    for (int i = 0; i < a->len; i++) {
        const TypeAlternative *t = &a->item[i];
        if (i) strbuf_char(out, '|');
        print_symbol(out, t->type.name);
        if (t->n_dims < 0) continue;
        for (int d = 0; d < t->n_dims; d++) {
            strbuf_char(out, d ? ',' : '[');
            print_dim(out, &t->dim[d]);
        }
        strbuf_char(out, ']');
    }
}

static void print_params(StrBuf *out, const Param *param, int len)
{
    strbuf_char(out, '(');
    for (int i = 0; i < len; i++) {
        if (i) strbuf_char(out, ' ');
        print_symbol(out, param[i].name);
        if (param[i].type) {
            strbuf_char(out, ':');
            print_annotation(out, param[i].type);
        }
        if (!param[i].default_value) continue;
        strbuf_char(out, '=');
        print(out, param[i].default_value);
    }
    strbuf_char(out, ')');
}

static void print_function(StrBuf *out, const char *what, const FunctionDecl *f)
{
    strbuf_printf(out, "(%s ", what);
    if (f->name) {
        print_symbol(out, f->name);
        strbuf_char(out, ' ');
    }
    print_params(out, f->param, f->n_params);
    if (f->result) {
        strbuf_text(out, " -> ");
        print_annotation(out, f->result);
    }
    print_more(out, f->body);
    strbuf_char(out, ')');
}

static void print_struct(StrBuf *out, const StructDecl *s)
{
    strbuf_text(out, "(struct ");
    print_symbol(out, s->name);
    strbuf_char(out, ' ');
    print_params(out, s->field, s->n_fields);
    strbuf_char(out, ')');
}

static void print_import(StrBuf *out, const Ast *node)
{
    const ImportDecl *import = node->import;
    strbuf_printf(out, "(%s %s", node->kind == AST_IMPORT ? "import" : "from", import->path);
    if (node->kind == AST_IMPORT) strbuf_printf(out, " %s", import->as->text);
    for (int i = 0; i < import->n_items; i++)
        strbuf_printf(out, " %s:%s", import->item[i].name->text, import->item[i].as->text);
    strbuf_char(out, ')');
}

/* ---- expressions ---- */

static void print_fstring(StrBuf *out, const Ast *node)
{
    strbuf_text(out, "(f");
    for (int i = 0; i < node->fstring.len; i++) {
        const FStringPart *part = &node->fstring.item[i];
        strbuf_char(out, ' ');
        if (part->text)
            print_quoted(out, part->text, part->len);
        else
            print(out, part->value);
        if (part->spec_len) strbuf_printf(out, ":%s", part->spec);
    }
    strbuf_char(out, ')');
}

static void print_map(StrBuf *out, const Ast *node)
{
    strbuf_text(out, "(map");
    for (int i = 0; i < node->map.len; i++) {
        print_more(out, node->map.key[i]);
        print_more(out, node->map.value[i]);
    }
    strbuf_char(out, ')');
}

static void print_comprehension(StrBuf *out, const Ast *node)
{
    strbuf_text(out, node->comprehension.is_tuple ? "(tuple-of" : "(array-of");
    print_more(out, node->comprehension.element);
    strbuf_char(out, ' ');
    print_head(out, &node->comprehension.head);
    if (node->comprehension.filter) print_more(out, node->comprehension.filter);
    strbuf_char(out, ')');
}

static void print_parts(StrBuf *out, const char *what, const Ast *a, const Ast *b, const Ast *c)
{
    strbuf_printf(out, "(%s", what);
    print_more(out, a);
    print_more(out, b);
    if (c) print_more(out, c);
    strbuf_char(out, ')');
}

static void print_unary(StrBuf *out, const char *what, const Ast *operand)
{
    strbuf_printf(out, "(%s", what);
    if (operand) print_more(out, operand);
    strbuf_char(out, ')');
}

static void print_number(StrBuf *out, double number)
{
    strbuf_printf(out, "%.17g", number);
}

static void print_slice(StrBuf *out, const Ast *node)
{
    strbuf_text(out, "(slice");
    print_more(out, node->slice.start);
    print_more(out, node->slice.stop);
    print_more(out, node->slice.step);
    strbuf_char(out, ')');
}

static void print_loop(StrBuf *out, const Ast *node)
{
    strbuf_text(out, "(for ");
    print_head(out, &node->loop.head);
    print_more(out, node->loop.body);
    strbuf_char(out, ')');
}

static void print_if(StrBuf *out, const Ast *node)
{
    int open = 0;
    for (; node && node->kind == AST_IF; node = node->branch.otherwise) {
        strbuf_text(out, open++ ? " (if" : "(if");
        print_more(out, node->branch.cond);
        print_more(out, node->branch.then);
    }
    if (node) print_more(out, node);
    strbuf_repeat(out, ')', (size_t)open);
}

static void print_test(StrBuf *out, const TestDecl *test)
{
    strbuf_printf(out, "(test \"%s\"", test->name);
    print_more(out, test->body);
    strbuf_char(out, ')');
}

static void print_augment(StrBuf *out, const Ast *node)
{
    strbuf_printf(out, "(%s=", operator_text(node->op));
    print_more(out, node->assign.target);
    print_more(out, node->assign.value);
    strbuf_char(out, ')');
}

/* One line a kind that has no left operand. */
static void print_plain(StrBuf *out, const Ast *node)
{
    switch ((AstKind)node->kind) {
    case AST_NONE: strbuf_text(out, "none"); break;
    case AST_BOOL: strbuf_text(out, node->truth ? "true" : "false"); break;
    case AST_INT: strbuf_printf(out, "%lld", (long long)node->integer); break;
    case AST_FLOAT: print_number(out, node->number); break;
    case AST_STR: print_quoted(out, node->text.ptr, node->text.len); break;
    case AST_FSTRING: print_fstring(out, node); break;
    case AST_NAME: print_symbol(out, node->name.name); break;
    case AST_ARRAY: print_list(out, "array", node->list); break;
    case AST_TUPLE: print_list(out, "tuple", node->list); break;
    case AST_BLOCK: print_list(out, "block", node->list); break;
    case AST_MAP: print_map(out, node); break;
    case AST_UNARY: print_unary(out, operator_text(node->op), node->unary.operand); break;
    case AST_SLICE: print_slice(out, node); break;
    case AST_ELLIPSIS: strbuf_text(out, "..."); break;
    case AST_COMPREHENSION: print_comprehension(out, node); break;
    case AST_LAMBDA: print_function(out, "lambda", node->function); break;
    case AST_DEF: print_function(out, "def", node->function); break;
    case AST_ADJOINT: print_function(out, "adjoint", node->function); break;
    case AST_EXPRESSION: print(out, node->unary.operand); break;
    case AST_ASSIGN: print_parts(out, "=", node->assign.target, node->assign.value, NULL); break;
    case AST_AUGMENT: print_augment(out, node); break;
    case AST_STRUCT: print_struct(out, node->structure); break;
    case AST_TEST: print_test(out, node->test); break;
    case AST_FOR: print_loop(out, node); break;
    case AST_WHILE: print_parts(out, "while", node->branch.cond, node->branch.then, NULL); break;
    case AST_IF: print_if(out, node); break;
    case AST_RETURN: print_unary(out, "return", node->unary.operand); break;
    case AST_BREAK: strbuf_text(out, "(break)"); break;
    case AST_CONTINUE: strbuf_text(out, "(continue)"); break;
    case AST_IMPORT:
    case AST_FROM_IMPORT: print_import(out, node); break;
    case AST_CHOICE:
        print_parts(out, "choice", node->choice.then, node->choice.cond, node->choice.otherwise);
        break;
    default: break;
    }
}

/* ---- chains of left operands ---- */

static const char *chain_text(const Ast *node)
{
    switch (node->kind) {
    case AST_AND: return "and";
    case AST_OR: return "or";
    case AST_CALL: return "call";
    case AST_INDEX: return "index";
    case AST_FIELD: return ".";
    default: return operator_text(node->op);
    }
}

static void print_arguments(StrBuf *out, const Ast *call)
{
    for (int i = 0; i < call->call.n_args; i++) {
        const Argument *arg = &call->call.arg[i];
        strbuf_char(out, ' ');
        if (arg->name) strbuf_printf(out, "%s=", arg->name->text);
        print(out, arg->value);
    }
}

static void print_right(StrBuf *out, const Ast *node)
{
    if (node->kind == AST_CALL) {
        print_arguments(out, node);
    } else if (node->kind == AST_INDEX) {
        for (int i = 0; i < node->index.items.len; i++) print_more(out, node->index.items.item[i]);
    } else if (node->kind == AST_FIELD) {
        strbuf_char(out, ' ');
        print_symbol(out, node->field.name);
    } else {
        print_more(out, node->binary.right);
    }
    strbuf_char(out, ')');
}

static void print(StrBuf *out, const Ast *node)
{
    VEC_OF(const Ast *) chain = {0};
    for (const Ast *left; (left = ast_left(node)); node = left) {
        strbuf_printf(out, "(%s ", chain_text(node));
        VEC_PUSH(&chain, node);
    }
    print_plain(out, node);
    while (chain.len) print_right(out, VEC_POP(&chain));
    VEC_FREE(&chain);
}

void ast_print(StrBuf *out, const Ast *node)
{
    print(out, node);
}
