#include "builtins/utf8.h"

#include <locale.h>
#include <wctype.h>

unsigned utf8_next(const char **at)
{
    const unsigned char *c = (const unsigned char *)*at;
    int more = c[0] < 0x80 ? 0 : c[0] < 0xE0 ? 1 : c[0] < 0xF0 ? 2 : 3;
    unsigned code = more == 0 ? c[0] : c[0] & (0x3Fu >> more);
    for (int i = 1; i <= more; i++) code = code << 6 | (c[i] & 0x3Fu);
    *at += more + 1;
    return code;
}

/* Bytes of the sequence that begins at c, or 0: overlong forms, surrogates and what lies beyond
 * U+10FFFF are told by the second byte. */
static size_t sequence_len(const unsigned char *c, size_t left)
{
    if (c[0] < 0x80) return 1;
    size_t len = c[0] < 0xC2 ? 0 : c[0] < 0xE0 ? 2 : c[0] < 0xF0 ? 3 : c[0] < 0xF5 ? 4 : 0;
    if (len == 0 || len > left) return 0;
    unsigned low = c[0] == 0xE0 ? 0xA0 : c[0] == 0xF0 ? 0x90 : 0x80;
    unsigned high = c[0] == 0xED ? 0x9F : c[0] == 0xF4 ? 0x8F : 0xBF;
    if (c[1] < low || c[1] > high) return 0;
    for (size_t i = 2; i < len; i++)
        if ((c[i] & 0xC0) != 0x80) return 0;
    return len;
}

size_t utf8_valid(const char *text, size_t len)
{
    size_t at = 0;
    while (at < len) {
        size_t n = sequence_len((const unsigned char *)text + at, len - at);
        if (n == 0) return at;
        at += n;
    }
    return at;
}

bool is_white_space(unsigned code)
{
    return (code >= 0x09 && code <= 0x0D) || code == 0x20 || code == 0x85 || code == 0xA0 ||
           code == 0x1680 || (code >= 0x2000 && code <= 0x200A) || code == 0x2028 ||
           code == 0x2029 || code == 0x202F || code == 0x205F || code == 0x3000;
}

/* A locale in which the C library knows all letters, or 0. Made once, never freed. */
static locale_t letters(void)
{
    static locale_t made;
    static bool tried;
    static const char *const name[] = {"C.UTF-8", "C.utf8", "en_US.UTF-8", "UTF-8"};
    for (int i = 0; !tried && !made && i < 4; i++)
        made = newlocale(LC_CTYPE_MASK, name[i], (locale_t)0);
    tried = true;
    return made;
}

static bool is_latin_lower(unsigned code)
{
    return (code >= 'a' && code <= 'z') || (code >= 0xE0 && code <= 0xFE && code != 0xF7);
}

unsigned upper_case(unsigned code)
{
    if (code >= 0x80 && letters()) return (unsigned)towupper_l((wint_t)code, letters());
    return is_latin_lower(code) ? code - 0x20 : code;
}

unsigned lower_case(unsigned code)
{
    if (code >= 0x80 && letters()) return (unsigned)towlower_l((wint_t)code, letters());
    return code <= 0xDE && is_latin_lower(code + 0x20) ? code + 0x20 : code;
}
