/* Reading the options of a command from its table. */
#include <string.h>

#include "base/suggest.h"
#include "cli/cli.h"

static const CommandOption *find_option(const CommandOption *table, const char *text, size_t len)
{
    for (const CommandOption *o = table; o->flag; o++)
        if (strlen(o->flag) == len && strncmp(o->flag, text, len) == 0) return o;
    return NULL;
}

static const CommandOption *unknown_option(const char *command, const CommandOption *table,
                                           const char *text)
{
    Suggest near = suggest_start(text);
    for (const CommandOption *o = table; o->flag; o++) suggest_offer(&near, o->flag);
    if (near.best)
        usage_error("%s has no option %s; did you mean %s?", command, text, near.best);
    else
        usage_error("%s has no option %s; viv help %s shows what it takes", command, text, command);
    return NULL;
}

const CommandOption *option_read(const char *command, const CommandOption *table, int argc,
                                 char **argv, int *i, const char **value)
{
    const char *text = argv[*i], *equals = strchr(text, '=');
    size_t len = equals ? (size_t)(equals - text) : strlen(text);
    const CommandOption *o = find_option(table, text, len);
    *value = NULL;
    if (!o) return unknown_option(command, table, text);
    if (!o->argument) {
        if (!equals) return o;
        usage_error("%s takes no value", o->flag);
        return NULL;
    }
    if (equals)
        *value = equals + 1;
    else if (*i + 1 < argc)
        *value = argv[++*i];
    else
        usage_error("%s needs a value: %s %s", o->flag, o->flag, o->argument);
    return *value ? o : NULL;
}
