#include <time.h>

#include "builtins/files/data_file.h"
#include "builtins/files/file.h"
#include "builtins/files/file_argument.h"
#include "builtins/topics.h"
#include "eval/read_file.h"
#include "value/text.h"

static void write_text(StrBuf *line, const Str *s, const char *otherwise)
{
    if (s)
        strbuf_bytes(line, s->text, s->len);
    else
        strbuf_text(line, otherwise);
}

static bool write_values(Interp *in, const Args *a, FILE *to, StrBuf *line)
{
    const Str *end, *sep;
    if (!kw_str(in, a, 0, &end) || !kw_str(in, a, 1, &sep)) return false;
    TextStyle style = in->style;
    for (int i = 0; i < a->n; i++)
        if (!value_is_number(a->pos[i]) && a->pos[i].kind != VAL_STR) style = interp_style(in, to);
    for (int i = 0; i < a->n; i++) {
        if (i) write_text(line, sep, " ");
        if (!value_show(line, a->pos[i], &style, &in->err)) return false;
    }
    write_text(line, end, "\n");
    return true;
}

static bool print_to(FILE *to, Interp *in, const Args *a, Value *out)
{
    StrBuf line = {0};
    bool ok = write_values(in, a, to, &line);
    if (ok) {
        interp_print(in, to, strbuf_str(&line), line.len);
        *out = value_none();
    }
    strbuf_free(&line);
    return ok;
}

static bool print_builtin(Interp *in, const Args *a, Value *out)
{
    return print_to(stdout, in, a, out);
}

static bool eprint_builtin(Interp *in, const Args *a, Value *out)
{
    return print_to(stderr, in, a, out);
}

static bool clock_builtin(Interp *in, const Args *a, Value *out)
{
    struct timespec now;
    (void)in, (void)a;
    clock_gettime(CLOCK_MONOTONIC, &now);
    *out = value_float((double)now.tv_sec + (double)now.tv_nsec * 1e-9);
    return true;
}

static bool exit_builtin(Interp *in, const Args *a, Value *out)
{
    int64_t code = 0;
    (void)out;
    if (a->n == 1 && !arg_int(in, a, 0, &code)) return false;
    if (code < 0 || code > 255)
        return arg_error(in, a, 0, ERR_VALUE, "exit: the code must be 0 to 255, not %lld",
                         (long long)code);
    error_set(&in->err, ERR_EXIT, "exit(%d) was called", (int)code);
    in->err.exit_code = (int)code;
    return false;
}

static bool error_builtin(Interp *in, const Args *a, Value *out)
{
    const Str *message;
    (void)out;
    if (!arg_str(in, a, 0, &message))
        return error_hint(&in->err, "str(x) or an f-string makes a Str");
    StrBuf text = {0};
    strbuf_visible(&text, message->text, message->len);
    error_set(&in->err, ERR_USER, "%s", strbuf_str(&text));
    strbuf_free(&text);
    return false;
}

/* ---- text files ---- */

static bool read_text_builtin(Interp *in, const Args *a, Value *out)
{
    const char *path;
    StrBuf text = {0};
    if (!arg_path(in, a, &path)) return false;
    bool ok = (read_data(path, NULL, &text, &in->err) || path_error(in, a)) &&
              check_utf8(in, a, path, &text);
    if (ok) *out = value_str(str_from_buffer(&text));
    strbuf_free(&text);
    return ok;
}

static bool write_text_builtin(Interp *in, const Args *a, Value *out)
{
    const char *path;
    const Str *text;
    if (!arg_path(in, a, &path) || !arg_str(in, a, 1, &text)) return false;
    *out = value_none();
    return file_write(path, text->text, text->len, &in->err) || path_error(in, a);
}

const Builtin builtins_output[] = {
    {"print", "print(values…, end = \"\\n\", sep = \" \")",
     "Writes the values with sep between them and end after them: a Str without quotes, everything "
     "else as its literal. Rows of arrays that are longer than the terminal's lines, or than COLUMNS "
     "in the environment, go on below. Of a value under differentiation it writes the number, and "
     "the derivative goes on.",
     print_builtin},
    {"eprint", "eprint(values…, end = \"\\n\", sep = \" \")",
     "print to standard error: for progress and complaints of a program whose output goes elsewhere.",
     eprint_builtin},
    {"read_text", "read_text(path)",
     "The contents of a file as a Str; \"-\" is standard input. The file must be UTF-8; line endings stay as they are.",
     read_text_builtin},
    {"write_text", "write_text(path, text)",
     "Makes the file hold text, in UTF-8. Its old contents stay until all of the new ones are written.",
     write_text_builtin},
    {"load_npy", "load_npy(path)",
     "The array of a .npy file of NumPy, of any byte order, C or Fortran order and format version: f4 and f8 become Floats, i1 to i8 and u1 to u8 Ints, b1 Bools; one without axes is a number. An error for every other dtype, over 8 axes, an unsigned number that fits no Int, and a file that is shorter or longer than its header says. \"-\" is standard input.",
     load_npy_builtin},
    {"save_npy", "save_npy(path, x)",
     "Writes a number or an array as the .npy file that numpy.save writes: Floats as <f8, Ints as <i8, Bools as |b1. Of a value under differentiation its numbers. The file's old contents stay until all of the new ones are written.",
     save_npy_builtin},
    {"load_npz", "load_npz(path)",
     "The arrays of a .npz file of NumPy, stored or compressed: a map from their names to what load_npy gives, in the file's order. Checksums are checked. An error for archives that are damaged, encrypted or zip64 (over 4 GiB), and for members that are no arrays.",
     load_npz_builtin},
    {"save_npz", "save_npz(path, map)",
     "Writes a map from Str to numbers and arrays as the .npz file that numpy.savez writes, without compression; the same map gives the same bytes. The file's old contents stay until all of the new ones are written.",
     save_npz_builtin},
    {"load_csv", "load_csv(path, header = false, sep = \",\")",
     "The numbers of a CSV file, an array of lines × columns; with header = true the first line has names, and the result is a map from them to the columns: each an array, or a tuple of Str where one of its cells is no number. An array is of Ints where all cells are whole numbers that fit, digits without a point, and else of Floats. Cells may be quoted, with \"\" for a quote, and quoted ones hold separators and line ends; lines may end in LF, CR LF or CR, empty ones are skipped. Missing numbers are nan: an empty cell, nan, na, n/a, null in any case. An error, with line and column, for lines of unequal length, text where a number should be, names that occur twice, and a whole number that would be rounded, 9007199254740993 among Floats; of the file, when it is not UTF-8.",
     load_csv_builtin},
    {"save_csv", "save_csv(path, x, header = none, sep = \",\")",
     "Writes CSV that load_csv reads: of a matrix a line a row, of a vector one column, below a line of names when header is a tuple of them; of a map its columns (arrays of one axis, or tuples of Str and numbers, all equally long) below a line of its keys. Floats have the shortest digits that read back as the same number, with a point or an exponent, so that they are Floats again; Bools are 1 and 0, text is quoted where it must be. The file's old contents stay until all of the new ones are written.",
     save_csv_builtin},
    {"clock", "clock()",
     "Seconds since some fixed moment, a Float that never goes backwards: the difference of two tells how long something took.",
     clock_builtin},
    {"error", "error(message)",
     "Stops the program with that message, and the place and the calls that led there.",
     error_builtin},
    {"exit", "exit([code])",
     "Ends the program with that exit status, 0 to 255; 0 when there is none. In a test it is a failure.",
     exit_builtin},
    {0},
};
