/* The standard library inside the binary, written by cmake/embed.c at build time. */
#ifndef EVAL_STDLIB_H
#define EVAL_STDLIB_H

#include <stddef.h>

typedef struct {
    const char *name; /* "nn" */
    const char *text;
    size_t len;
} StdlibFile;

/* Ends with a row of name NULL. */
extern const StdlibFile stdlib_files[];

#endif
