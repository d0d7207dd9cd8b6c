/* A growable string. Zero-initialise it; the text is NUL-terminated whenever data is not NULL. */
#ifndef BASE_STRBUF_H
#define BASE_STRBUF_H

#include <stdarg.h>
#include <stddef.h>

typedef struct {
    char *data;
    size_t len, cap;
} StrBuf;

/* Makes room for so many bytes more. */
void strbuf_reserve(StrBuf *b, size_t extra);
void strbuf_char(StrBuf *b, char c);
void strbuf_bytes(StrBuf *b, const char *text, size_t len);
void strbuf_text(StrBuf *b, const char *text);
/* One code point, as UTF-8. */
void strbuf_code_point(StrBuf *b, unsigned code);
/* Text for people: control characters but line ends and tabs become \xNN (\u{NN} beyond ASCII), so that
 * they do nothing to a terminal. */
void strbuf_visible(StrBuf *b, const char *text, size_t len);
/* count copies of c. */
void strbuf_repeat(StrBuf *b, char c, size_t count);
void strbuf_printf(StrBuf *b, const char *format, ...) __attribute__((format(printf, 2, 3)));
void strbuf_vprintf(StrBuf *b, const char *format, va_list args);
/* Gives the text away (never NULL; free with mem_free) and empties b. */
char *strbuf_take(StrBuf *b);
/* The text, "" when nothing was written. */
const char *strbuf_str(const StrBuf *b);
void strbuf_free(StrBuf *b);

#endif
