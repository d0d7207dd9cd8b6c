#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "base/interrupt.h"
#include "base/stack.h"
#include "base/suggest.h"
#include "builtins/topics.h"
#include "cli/cli.h"
#include "cli/process.h"

static void on_interrupt(int signal)
{
    (void)signal;
    interrupt_flag = 1;
}

/* Without SA_RESTART, so that a read from the terminal is interrupted too. */
static void catch_interrupts(void)
{
    struct sigaction action = {.sa_handler = on_interrupt};
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
}

static const Command *find_command(const char *name)
{
    for (const Command *c = commands; c->name; c++)
        if (strcmp(c->name, name) == 0) return c;
    return NULL;
}

static bool asks_for_help(const char *text)
{
    return strcmp(text, "--help") == 0 || strcmp(text, "-h") == 0;
}

static int unknown_command(const char *name)
{
    size_t len = strlen(name);
    if (len > 4 && strcmp(name + len - 4, ".viv") == 0)
        return usage_error("%s is not a command; to run the file: viv run %s", name, name);
    Suggest near = suggest_start(name);
    suggest_offer(&near, "--version");
    suggest_offer(&near, "--help");
    for (const Command *c = commands; c->name; c++) suggest_offer(&near, c->name);
    if (near.best) return usage_error("%s is not a command; did you mean %s?", name, near.best);
    return usage_error("%s is not a command; viv help lists them", name);
}

static int dispatch(int argc, char **argv)
{
    if (argc < 2) return command_repl(0, NULL);
    const char *first = argv[1];
    if (strcmp(first, "--version") == 0 || strcmp(first, "-V") == 0) {
        puts("viv " VIV_VERSION);
        return STATUS_OK;
    }
    if (asks_for_help(first)) return command_help(argc - 2, argv + 2);
    if (strcmp(first, "-e") == 0) return command_run(argc - 1, argv + 1);
    const Command *c = find_command(first);
    if (c && argc > 2 && asks_for_help(argv[2])) return command_help(1, argv + 1);
    return c ? c->run(argc - 2, argv + 2) : unknown_command(first);
}

/* What was printed must have arrived: a full disk or a closed pipe is a failure. */
static int finish_output(int status)
{
    if (fflush(stdout) == 0 && !ferror(stdout)) return status;
    fputs("viv: the output could not be written\n", stderr);
    return status == STATUS_OK ? STATUS_FAILED : status;
}

int main(int argc, char **argv)
{
    stack_init();
    catch_interrupts();
    builtins_register(builtin_topics, builtin_advice);
    return process_end(finish_output(dispatch(argc, argv)));
}
