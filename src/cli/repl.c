#include "cli/cli.h"

int command_repl(int argc, char **argv)
{
    (void)argc, (void)argv;
    return usage_error("the interactive session is not part of this version");
}
