/* The token patterns of Viv. What they mean is in src/syntax/lexer.c and literal.c. */
#include "syntax/lexer.h"
#include "viv_grammar.h"

/*!re2c
    re2c:define:YYCTYPE = "unsigned char";
    re2c:yyfill:enable = 0;
    re2c:eof = 0;
    re2c:encoding:utf8 = 1;
    re2c:encoding-policy = fail;
    re2c:indent:string = "    ";
*/
/*!include:re2c "unicode_categories.re" */
/*!re2c
    letter   = L | "_";
    follow   = L | Mn | Mc | Nd | "_";
    control  = [\x00-\x08\x0B-\x1F\x7F\x80-\x9F];
    newline  = "\r"? "\n";
    in_line  = [^] \ (control | [\n]);

    digits   = [0-9] ("_"? [0-9])*;
    decimal  = "0" | [1-9] ("_"? [0-9])*;
    exponent = [eE] [+\-]? digits;
    float    = decimal "." digits? exponent? | "." digits exponent? | decimal exponent;
    hex      = "0" [xX] [0-9a-fA-F] ("_"? [0-9a-fA-F])*;
    binary   = "0" [bB] [01] ("_"? [01])*;
    /* Everything else that begins like a number is one wrong number. */
    no_number = ([0-9] | "." [0-9]) (follow | ".")* | float (follow | ".")+;
*/

/* One line a token. */
int lexer_scan(Lexer *lx, Token *t)
{
    Cursor YYCURSOR = lx->cursor, YYMARKER, YYLIMIT = lx->limit, start;
#define EMIT(code) return lx->cursor = YYCURSOR, lexer_emit(lx, t, TOK_##code, start)
#define CALL(function, ...) return lx->cursor = YYCURSOR, function(lx, __VA_ARGS__)
    for (;;) {
        start = YYCURSOR;
        /*!re2c
        [ \t]+      { continue; }
        "#" in_line* { lx->cursor = YYCURSOR; lexer_comment(lx, start); continue; }
        newline {
            lx->cursor = YYCURSOR;
            int code = lexer_newline(lx, t, start);
            if (code) return code;
            continue;
        }

        "def"       { EMIT(DEF); }
        "return"    { EMIT(RETURN); }
        "test"      { EMIT(TEST); }
        "struct"    { EMIT(STRUCT); }
        "for"       { EMIT(FOR); }
        "while"     { EMIT(WHILE); }
        "if"        { EMIT(IF); }
        "else"      { EMIT(ELSE); }
        "break"     { EMIT(BREAK); }
        "continue"  { EMIT(CONTINUE); }
        "import"    { EMIT(IMPORT); }
        "and"       { EMIT(AND); }
        "or"        { EMIT(OR); }
        "not"       { EMIT(NOT); }
        "in"        { EMIT(IN); }
        "true"      { EMIT(TRUE); }
        "false"     { EMIT(FALSE); }
        "none"      { EMIT(NONE); }
        "from"      { CALL(lexer_opening_word, t, TOK_FROM, start); }
        "adjoint"   { CALL(lexer_opening_word, t, TOK_ADJOINT, start); }
        "to"        { CALL(lexer_name, t, start); }
        "by"        { CALL(lexer_name, t, start); }
        "as"        { CALL(lexer_name, t, start); }
        letter follow* { CALL(lexer_name, t, start); }

        decimal     { CALL(lexer_integer, t, 10, start); }
        hex         { CALL(lexer_integer, t, 16, start); }
        binary      { CALL(lexer_integer, t, 2, start); }
        float       { CALL(lexer_float, t, start); }
        no_number   { CALL(lexer_bad_number, start); }

        "\""        { CALL(lexer_string, t, false, start); }
        "\"\"\""    { CALL(lexer_string, t, true, start); }
        "f\""       { CALL(lexer_fstring, t, false, start); }
        "f\"\"\""   { CALL(lexer_fstring, t, true, start); }

        "("         { CALL(lexer_open, t, TOK_LPAREN, FRAME_PAREN, start); }
        "["         { CALL(lexer_open, t, TOK_LSQUARE, FRAME_SQUARE, start); }
        "{"         { CALL(lexer_open, t, TOK_LBRACE, FRAME_BLOCK, start); }
        ")"         { CALL(lexer_close, t, TOK_RPAREN, start); }
        "]"         { CALL(lexer_close, t, TOK_RSQUARE, start); }
        "}"         { CALL(lexer_close, t, TOK_RBRACE, start); }
        ":"         { CALL(lexer_colon, t, start); }

        "+"         { EMIT(PLUS); }
        "-"         { EMIT(MINUS); }
        "*"         { EMIT(STAR); }
        "/"         { EMIT(SLASH); }
        "//"        { EMIT(FLOORDIV); }
        "%"         { EMIT(PERCENT); }
        "**"        { EMIT(POW); }
        "@"         { EMIT(AT); }
        "&"         { EMIT(AMP); }
        "|"         { EMIT(BAR); }
        "~"         { EMIT(TILDE); }
        "=="        { EMIT(EQ); }
        "!="        { EMIT(NE); }
        "<"         { EMIT(LT); }
        "<="        { EMIT(LE); }
        ">"         { EMIT(GT); }
        ">="        { EMIT(GE); }
        "="         { EMIT(ASSIGN); }
        "+="        { EMIT(PLUS_ASSIGN); }
        "-="        { EMIT(MINUS_ASSIGN); }
        "*="        { EMIT(STAR_ASSIGN); }
        "/="        { EMIT(SLASH_ASSIGN); }
        "//="       { EMIT(FLOORDIV_ASSIGN); }
        "%="        { EMIT(PERCENT_ASSIGN); }
        "**="       { EMIT(POW_ASSIGN); }
        "@="        { EMIT(AT_ASSIGN); }
        "&="        { EMIT(AMP_ASSIGN); }
        "|="        { EMIT(BAR_ASSIGN); }
        ","         { EMIT(COMMA); }
        "."         { EMIT(DOT); }
        "..."       { EMIT(ELLIPSIS); }
        "->"        { EMIT(ARROW); }
        ";"         { EMIT(NEWLINE); }

        "&&" | "||" | "===" | "!==" | "<<" | ">>" | "<<=" | ">>=" { CALL(lexer_unknown, start); }
        $           { CALL(lexer_end, t); }
        [^]         { CALL(lexer_unknown, start); }
        *           { CALL(lexer_bad_byte, start); }
        */
    }
#undef EMIT
#undef CALL
}

static PieceEnd bad_piece(Lexer *lx, Cursor start, Cursor end, bool is_byte)
{
    lx->cursor = end;
    if (is_byte) lexer_bad_byte(lx, start);
    else lexer_unknown(lx, start);
    return PIECE_ERROR;
}

static PieceEnd bad_escape(Lexer *lx, Cursor start, Cursor end)
{
    lx->cursor = end;
    lexer_fail(lx, start, "unknown escape '%.*s' in a string", (int)(end - start),
               (const char *)start);
    error_hint(lx->err, "the escapes are \\n \\t \\r \\\\ \\\" \\0 \\u{1F600}");
    return PIECE_ERROR;
}

/* A text that its line or its file ended. Only a text that may span lines can go on. */
static PieceEnd unterminated(Lexer *lx, TextMode mode, bool is_triple, Span opening, Cursor end)
{
    Span span = {opening.start, lexer_span(lx, end, end).end};
    if (mode == TEXT_PLAIN && lx->fstring.is_open && !lx->fstring.is_triple) mode = TEXT_SPEC;
    if (is_triple) {
        error_set_at(lx->err, ERR_INCOMPLETE, opening, "this string is never closed");
    } else if (mode == TEXT_SPEC) {
        error_set_at(lx->err, ERR_SYNTAX, span, "the f-string ends inside its braces");
    } else {
        error_set_at(lx->err, ERR_SYNTAX, span, "the string is not closed on its line");
        error_hint(lx->err, "write a string over several lines between \"\"\" and \"\"\"");
    }
    return PIECE_ERROR;
}

PieceEnd lexer_piece(Lexer *lx, TextMode mode, bool is_triple, Span opening)
{
    Cursor YYCURSOR = lx->cursor, YYMARKER, YYLIMIT = lx->limit, start;
    StrBuf *out = &lx->scratch;
#define END(what) return lx->cursor = start, what
    for (;;) {
        start = YYCURSOR;
        /*!re2c
        (in_line \ ["\\{}])+ { strbuf_bytes(out, (const char *)start, (size_t)(YYCURSOR - start)); continue; }
        "\\n"       { strbuf_char(out, '\n'); continue; }
        "\\t"       { strbuf_char(out, '\t'); continue; }
        "\\r"       { strbuf_char(out, '\r'); continue; }
        "\\0"       { strbuf_char(out, '\0'); continue; }
        "\\\\"      { strbuf_char(out, '\\'); continue; }
        "\\\""      { strbuf_char(out, '"'); continue; }
        "\\u{" [0-9a-fA-F]{1,8} "}" {
            lx->cursor = YYCURSOR;
            if (!lexer_code_point(lx, start)) return PIECE_ERROR;
            continue;
        }
        "\\u{" [0-9a-fA-F]* | "\\" in_line | "\\" { return bad_escape(lx, start, YYCURSOR); }
        newline {
            if (!is_triple) return unterminated(lx, mode, false, opening, start);
            lx->line++;
            strbuf_char(out, '\n');
            continue;
        }
        "{{" {
            if (mode == TEXT_SPEC) END(PIECE_OPEN);
            strbuf_text(out, mode == TEXT_FSTRING ? "{" : "{{");
            continue;
        }
        "}}" {
            if (mode == TEXT_SPEC) END(PIECE_CLOSE);
            strbuf_text(out, mode == TEXT_FSTRING ? "}" : "}}");
            continue;
        }
        "{"         { if (mode != TEXT_PLAIN) END(PIECE_OPEN); strbuf_char(out, '{'); continue; }
        "}"         { if (mode != TEXT_PLAIN) END(PIECE_CLOSE); strbuf_char(out, '}'); continue; }
        "\"\"\""    { END(PIECE_QUOTE); }
        "\""        { if (!is_triple) END(PIECE_QUOTE); strbuf_char(out, '"'); continue; }
        $           { return unterminated(lx, mode, is_triple, opening, start); }
        [^]         { return bad_piece(lx, start, YYCURSOR, false); }
        *           { return bad_piece(lx, start, YYCURSOR, true); }
        */
    }
#undef END
}
