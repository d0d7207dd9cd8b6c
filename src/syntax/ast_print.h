/* A syntax tree as one S-expression a node, for tests and debugging (`viv run --ast` is not offered
 * to users). */
#ifndef SYNTAX_AST_PRINT_H
#define SYNTAX_AST_PRINT_H

#include "base/strbuf.h"
#include "syntax/ast.h"

void ast_print(StrBuf *out, const Ast *node);

#endif
