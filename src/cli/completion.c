/* Completions for shells, from the table of commands. */
#include <stdio.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/generated.h"

static void print_names(const char *between)
{
    for (const Command *c = commands; c->name; c++)
        printf("%s%s", c == commands ? "" : between, c->name);
}

static void print_flags(const CommandOption *o)
{
    for (const CommandOption *first = o; o && o->flag; o++)
        printf("%s%s", o == first ? "" : " ", o->flag);
}

/* Text between single quotes of a shell. */
static void print_quoted(const char *text)
{
    for (; *text; text++) {
        if (*text == '\'')
            fputs("'\\''", stdout);
        else
            putchar(*text);
    }
}

/* ---- bash ---- */

static void print_bash(void)
{
    fputs(
        "# Completion of viv for bash.\n_viv() {\n    local word=${COMP_WORDS[COMP_CWORD]} words=\n    if [ \"$COMP_CWORD\" -eq 1 ]; then\n"
        "        words=\"",
        stdout);
    print_names(" ");
    puts(" -e --version --help\"\n    else\n        case ${COMP_WORDS[1]} in");
    for (const Command *c = commands; c->name; c++) {
        if (!c->options) continue;
        printf("        %s) words=\"", c->name);
        print_flags(c->options);
        puts("\" ;;");
    }
    fputs("        help) words=\"", stdout);
    print_names(" ");
    puts(
        "\" ;;\n        esac\n    fi\n    COMPREPLY=($(compgen -W \"$words\" -- \"$word\") $(compgen -f -X '!*.viv' -- \"$word\") "
        "$(compgen -d -- \"$word\"))\n}\ncomplete -o filenames -F _viv viv");
}

/* ---- zsh ---- */

static void print_zsh(void)
{
    puts("#compdef viv\n# Completion of viv for zsh.\n_viv() {\n    local -a commands=(");
    for (const Command *c = commands; c->name; c++) {
        printf("        '%s:", c->name);
        print_quoted(c->summary);
        puts("'");
    }
    puts(
        "    )\n    if ((CURRENT == 2)); then\n        _describe command commands\n        _files -g '*.viv'\n        return\n    fi\n"
        "    case ${words[2]} in");
    for (const Command *c = commands; c->name; c++) {
        if (!c->options) continue;
        printf("    %s) _arguments", c->name);
        for (const CommandOption *o = c->options; o->flag; o++) {
            printf(" '%s%s[", o->flag, o->argument ? "=" : "");
            print_quoted(o->text);
            printf("]%s%s%s'", o->argument ? ":" : "", o->argument ? o->argument : "",
                   o->argument ? ":" : "");
        }
        puts(" '*:file:_files' ;;");
    }
    puts("    *) _files -g '*.viv' ;;\n    esac\n}\n_viv \"$@\"");
}

/* ---- fish ---- */

static void print_fish(void)
{
    puts("# Completion of viv for fish.");
    for (const Command *c = commands; c->name; c++) {
        printf("complete -c viv -n __fish_use_subcommand -a %s -d '", c->name);
        print_quoted(c->summary);
        puts("'");
        for (const CommandOption *o = c->options; o && o->flag; o++) {
            printf("complete -c viv -n '__fish_seen_subcommand_from %s' -l %s%s -d '", c->name,
                   o->flag + 2, o->argument ? " -r" : "");
            print_quoted(o->text);
            puts("'");
        }
    }
    puts("complete -c viv -s e -r -d 'run a text'\ncomplete -c viv -l version -d 'the version'");
}

int completion_print(const char *shell)
{
    if (strcmp(shell, "bash") == 0)
        print_bash();
    else if (strcmp(shell, "zsh") == 0)
        print_zsh();
    else if (strcmp(shell, "fish") == 0)
        print_fish();
    else
        return 0;
    return 1;
}
