#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "base/interrupt.h"
#include "base/stack.h"
#include "base/suggest.h"
#include "builtins/topics.h"
#include "cli/cli.h"
#include "cli/process.h"

static void on_signal(int signal)
{
    if (signal != SIGINT) interrupt_ends = signal;
    interrupt_flag = 1;
}

/* Without SA_RESTART, so that a read from the terminal is interrupted too. A hang-up that nohup had
 * ignored stays so. */
static void catch_signals(void)
{
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
    struct sigaction action = {.sa_handler = on_signal}, before;
    sigemptyset(&action.sa_mask);
    for (int i = 0; i < 3; i++)
        if (sigaction(signals[i], NULL, &before) == 0 &&
            (signals[i] == SIGINT || before.sa_handler != SIG_IGN))
            sigaction(signals[i], &action, NULL);
}

/* Whoever waits for this process learns what ended it. */
static int end_by_signal(int status)
{
    if (!interrupt_ends) return status;
    signal(interrupt_ends, SIG_DFL);
    raise(interrupt_ends);
    return status;
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

static int run(int argc, char **argv)
{
    return end_by_signal(process_end(finish_output(dispatch(argc, argv))));
}

int main(int argc, char **argv)
{
    catch_signals();
    builtins_register(builtin_topics, builtin_advice);
    return stack_run(run, argc, argv);
}
