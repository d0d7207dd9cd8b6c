/* An interactive session: what it holds, and how an input is run and answered. */
#ifndef CLI_REPL_SESSION_H
#define CLI_REPL_SESSION_H

#include "cli/repl/line/line.h"
#include "cli/repl/transcript.h"
#include "eval/interp.h"

typedef struct {
    Interp *in;
    Module *module;
    Transcript transcript;
    VEC_OF(char *) loaded; /* the files of :load, in order */
    VEC_OF(char *) saved;  /* the files that :save may write again */
    LineEditor *editor;    /* NULL without a terminal */
    bool colour;           /* of standard output */
    StrBuf input;          /* the lines of the input that is being read */
    uint32_t first_line;   /* where it begins in standard input, without a terminal */
    char *last_input;      /* what :edit begins with; NULL at first */
    int n_inputs;
    double seconds; /* that the last one took */
    bool is_over;
    int status;
} Session;

void session_open(Session *s);
/* Forgets names, values, files and history of what was run, but not the editor. */
void session_reset(Session *s);
void session_close(Session *s);

/* Runs a typed input: prints its value, runs its tests, reports its error. */
bool session_run(Session *s, const char *text, size_t len);
/* The same for a file, loaded[index]; its value is not printed. */
bool session_load(Session *s, int index);
/* Reports the interpreter's error. Ends a session without a terminal, and exit() any. */
bool session_fail(Session *s);
/* The same for an error that is not the program's. Both return false. */
bool session_complain(Session *s, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
