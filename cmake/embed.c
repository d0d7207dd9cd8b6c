/* Host tool: embed OUT.c FILE… writes the files as byte arrays and a table of name, bytes and
 * length (eval/stdlib.h). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void fail(const char *what, const char *path)
{
    fprintf(stderr, "embed: %s %s\n", what, path);
    exit(1);
}

static const char *stem(const char *path, size_t *len)
{
    const char *slash = strrchr(path, '/');
    const char *name = slash ? slash + 1 : path;
    const char *dot = strrchr(name, '.');
    *len = dot ? (size_t)(dot - name) : strlen(name);
    return name;
}

static long write_bytes(FILE *out, const char *path, int number)
{
    FILE *in = fopen(path, "rb");
    if (!in) fail("cannot read", path);
    fprintf(out, "static const unsigned char file_%d[] = {", number);
    long count = 0;
    for (int c = getc(in); c != EOF; c = getc(in))
        fprintf(out, "%s%d,", count++ % 24 ? "" : "\n", c);
    fprintf(out, "0};\n");
    fclose(in);
    return count;
}

int main(int argc, char **argv)
{
    if (argc < 2) fail("usage:", "embed OUT.c FILE...");
    FILE *out = fopen(argv[1], "w");
    if (!out) fail("cannot write", argv[1]);
    fputs("#include \"eval/stdlib.h\"\n", out);
    long *count = calloc((size_t)argc, sizeof *count);
    if (!count) fail("out of memory for", argv[1]);
    for (int i = 2; i < argc; i++) count[i] = write_bytes(out, argv[i], i);
    fputs("const StdlibFile stdlib_files[] = {\n", out);
    for (int i = 2; i < argc; i++) {
        size_t len;
        const char *name = stem(argv[i], &len);
        fprintf(out, "    {\"%.*s\", (const char *)file_%d, %ld},\n", (int)len, name, i, count[i]);
    }
    fputs("    {0, 0, 0},\n};\n", out);
    free(count);
    if (fclose(out) != 0) fail("cannot write", argv[1]);
    return 0;
}
