/* Reading the options of a command from its table. */
#include <string.h>

#include "base/strbuf.h"
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

int option_choice(const CommandOption *o, const char *text)
{
    const char *choice = o->argument;
    for (int i = 0;; i++, choice++) {
        size_t len = strcspn(choice, "|");
        if (strlen(text) == len && strncmp(choice, text, len) == 0) return i;
        choice += len;
        if (!*choice) return -1;
    }
}

static bool wrong_choice(const CommandOption *o, const char *text)
{
    StrBuf list = {0};
    for (const char *choice = o->argument; *choice;) {
        size_t len = strcspn(choice, "|");
        bool is_last = !choice[len];
        strbuf_printf(&list, "%s%.*s",
                      choice == o->argument ? ""
                      : is_last             ? " or "
                                            : ", ",
                      (int)len, choice);
        choice += len + !is_last;
    }
    usage_error("%s takes %s, not %s", o->flag, strbuf_str(&list), text);
    strbuf_free(&list);
    return false;
}

/* Whether a value is one that the option takes. */
static bool accept(const CommandOption *o, const char *value)
{
    if (strchr(o->argument, '|') && option_choice(o, value) < 0) return wrong_choice(o, value);
    if (strcmp(o->flag, "--color") == 0) choose_colour(value);
    return true;
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
    return *value && accept(o, *value) ? o : NULL;
}
