/* Completions for shells, from the table of commands. What viv doc knows is asked of viv itself. */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/generated.h"

static const CommandOption no_options[] = {{0}};

static const CommandOption *options_of(const Command *c)
{
    return c->options ? c->options : no_options;
}

static bool has_choices(const CommandOption *o)
{
    return o->argument && strchr(o->argument, '|');
}

static bool takes_file(const CommandOption *o)
{
    return o->argument && strcmp(o->argument, "FILE") == 0;
}

static void print_commands(void)
{
    for (const Command *c = commands; c->name; c++)
        printf("%s%s", c == commands ? "" : " ", c->name);
}

/* The values of an option, with blanks between them. */
static void print_choices(const CommandOption *o)
{
    for (const char *p = o->argument; *p; p++) putchar(*p == '|' ? ' ' : *p);
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

/* "--filter=x" comes as three words; n counts the words that are no options. */
#define BASH_START                                                                                 \
    "# Completion of viv for bash.\n"                                                              \
    "_viv() {\n"                                                                                   \
    "    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} i n=0 first=\n" \
    "    local kind= words= options= valued=\n"                                                    \
    "    if [[ $word == = ]]; then word=; fi\n"                                                    \
    "    if [[ $before == = ]]; then before=${COMP_WORDS[COMP_CWORD - 2]}; fi\n"                   \
    "    case ${COMP_WORDS[1]} in\n"

#define BASH_COUNT                                                                                 \
    "    esac\n"                                                                                   \
    "    for ((i = 2; i < COMP_CWORD; i++)); do\n"                                                 \
    "        case ${COMP_WORDS[i]} in\n"                                                           \
    "        =) ((i++)) ;;\n"                                                                      \
    "        -*) [[ \" $valued \" == *\" ${COMP_WORDS[i]} \"* && ${COMP_WORDS[i + 1]} != = ]] "    \
    "&& ((i++)) ;;\n"                                                                              \
    "        *) ((n++ == 0)) && first=${COMP_WORDS[i]} ;;\n"                                       \
    "        esac\n"                                                                               \
    "    done\n"                                                                                   \
    "    [[ $kind == program && $n -gt 0 ]] && kind=files options= before=\n"                      \
    "    local at=\"${COMP_WORDS[1]} $before\"\n"                                                  \
    "    ((COMP_CWORD == 1)) && at=start\n"                                                        \
    "    case $at in\n"

#define BASH_END                                                                                   \
    "    *) [[ $word == -* ]] && kind=words words=$options ;;\n"                                   \
    "    esac\n"                                                                                   \
    "    [[ $kind == names ]] && words=$(\"${COMP_WORDS[0]}\" doc --names $first 2>/dev/null)\n"   \
    "    mapfile -t COMPREPLY < <(\n"                                                              \
    "        compgen -W \"$words\" -- \"$word\"\n"                                                 \
    "        case $kind in\n"                                                                      \
    "        files) compgen -f -- \"$word\" ;;\n"                                                  \
    "        program | paths | names)\n"                                                           \
    "            compgen -f -X '!*.viv' -- \"$word\"\n"                                            \
    "            compgen -d -- \"$word\" ;;\n"                                                     \
    "        esac)\n"                                                                              \
    "    case $kind in files | program | paths | names) compopt -o filenames 2>/dev/null ;; "      \
    "esac\n"                                                                                       \
    "}\n"                                                                                          \
    "complete -F _viv viv"

static void print_flags(const Command *c, bool only_valued)
{
    const char *between = "";
    for (const CommandOption *o = options_of(c); o->flag; o++) {
        if (only_valued && !o->argument) continue;
        printf("%s%s", between, o->flag);
        between = " ";
    }
}

static void print_bash_command(const Command *c)
{
    static const char *const kind[] = {[WORDS_NONE] = "nothing",
                                       [WORDS_PROGRAM] = "program",
                                       [WORDS_PATHS] = "paths",
                                       [WORDS_NAMES] = "names",
                                       [WORDS_COMMAND] = "words"};
    printf("    %s)\n        kind=%s options='", c->name, kind[c->words]);
    print_flags(c, false);
    fputs("' valued='", stdout);
    print_flags(c, true);
    if (c->words == WORDS_COMMAND) {
        fputs("' words='", stdout);
        print_commands();
    }
    puts("' ;;");
}

/* What may stand after an option. */
static void print_bash_values(const Command *c)
{
    for (const CommandOption *o = options_of(c); o->flag; o++) {
        if (!o->argument) continue;
        printf("    '%s %s') kind=%s words='", c->name, o->flag, takes_file(o) ? "files" : "words");
        if (has_choices(o)) print_choices(o);
        puts("' ;;");
    }
}

static void print_bash(void)
{
    fputs(BASH_START, stdout);
    for (const Command *c = commands; c->name; c++) print_bash_command(c);
    fputs(BASH_COUNT "    start)\n        words='", stdout);
    print_commands();
    puts("'\n        [[ $word == -* ]] && words='-e --version --help'\n        kind=words ;;");
    for (const Command *c = commands; c->name; c++) print_bash_values(c);
    puts(BASH_END);
}

/* ---- zsh ---- */

#define ZSH_END                                                                                    \
    "    esac\n"                                                                                   \
    "}\n"                                                                                          \
    "_viv_names() {\n"                                                                             \
    "    local -a file=(${(Q)${(M)words[2,CURRENT-1]:#*.viv}})\n"                                  \
    "    local -a names=(${(f)\"$(${(Q)viv} doc --names $file 2>/dev/null)\"})\n"                  \
    "    compadd -- $names\n"                                                                      \
    "}\n"                                                                                          \
    "if [[ $funcstack[1] == _viv ]]; then _viv \"$@\"; else compdef _viv viv; fi"

/* In the text of an option, what its syntax is made of. */
static void print_zsh_text(const char *text)
{
    for (; *text; text++) {
        if (strchr("[]:\\", *text)) putchar('\\');
        fputs(*text == '\'' ? "'\\''" : (char[]){*text, '\0'}, stdout);
    }
}

static void print_zsh_option(const CommandOption *o)
{
    printf(" \\\n            '*%s%s[", o->flag, o->argument ? "=" : "");
    print_zsh_text(o->text);
    putchar(']');
    if (has_choices(o)) {
        fputs(":value:(", stdout);
        print_choices(o);
        putchar(')');
    } else if (o->argument) {
        printf(":%s:%s", o->argument, takes_file(o) ? "_files" : " ");
    }
    putchar('\'');
}

static void print_zsh_command(const Command *c)
{
    static const char *const words[] = {
        [WORDS_NONE] = "",
        [WORDS_PROGRAM] = " ':program:_files -g \"*.viv\"' '*:file:_files'",
        [WORDS_PATHS] = " '*:file:_files -g \"*.viv\"'",
        [WORDS_NAMES] = " ':name:{ _viv_names; _files -g \"*.viv\" }' ':name:_viv_names'",
        [WORDS_COMMAND] = " ':command:{ _describe command commands }'"};
    printf("    %s)\n        _arguments", c->name);
    for (const CommandOption *o = options_of(c); o->flag; o++) print_zsh_option(o);
    if (*words[c->words]) printf(" \\\n           %s", words[c->words]);
    puts(" ;;");
}

static void print_zsh(void)
{
    puts("#compdef viv\n# Completion of viv for zsh.\n_viv() {\n    local -a commands=(");
    for (const Command *c = commands; c->name; c++) {
        printf("        '%s:", c->name);
        print_quoted(c->summary);
        puts("'");
    }
    puts("    ) line\n"
         "    local viv=${words[1]} command=${words[2]}\n"
         "    if ((CURRENT == 2)); then\n"
         "        _describe command commands\n"
         "        compadd -- -e --version --help\n"
         "        return\n"
         "    fi\n"
         "    shift words\n"
         "    ((CURRENT--))\n"
         "    case $command in");
    for (const Command *c = commands; c->name; c++) print_zsh_command(c);
    puts(ZSH_END);
}

/* ---- fish ---- */

#define FISH_START                                                                                 \
    "# Completion of viv for fish.\n"                                                              \
    "function __viv_words\n"                                                                       \
    "    commandline -opc\n"                                                                       \
    "end\n"                                                                                        \
    "function __viv_is\n"                                                                          \
    "    set -l words (__viv_words)\n"                                                             \
    "    test (count $words) -gt 1 -a \"$words[2]\" = $argv[1]\n"                                  \
    "end\n"                                                                                        \
    "function __viv_is_first\n"                                                                    \
    "    test (count (__viv_words)) -eq 1\n"                                                       \
    "end\n"                                                                                        \
    "function __viv_runs\n"                                                                        \
    "    __viv_is run; and string match -qr '\\.viv$' -- (__viv_words)[3..]\n"                     \
    "end\n"                                                                                        \
    "function __viv_programs\n"                                                                    \
    "    __fish_complete_suffix .viv | string match -r '.*(?:/|\\.viv)$'\n"                        \
    "end\n"                                                                                        \
    "function __viv_names\n"                                                                       \
    "    set -l words (__viv_words)\n"                                                             \
    "    $words[1] doc --names $words[3..] 2>/dev/null\n"                                          \
    "end\n"                                                                                        \
    "complete -c viv -f\n"                                                                         \
    "complete -c viv -n __viv_is_first -s e -x -d 'run a text'\n"                                  \
    "complete -c viv -n __viv_is_first -l version -d 'the version'\n"                              \
    "complete -c viv -n __viv_is_first -l help -d 'what there is'"

static void print_fish_description(const char *text)
{
    fputs(" -d '", stdout);
    print_quoted(text);
    puts("'");
}

static void print_fish_option(const Command *c, const CommandOption *o)
{
    printf("complete -c viv -n '__viv_is %s' -l %s", c->name, o->flag + 2);
    if (o->argument) fputs(takes_file(o) ? " -r -F" : " -x", stdout);
    if (has_choices(o)) {
        fputs(" -a '", stdout);
        print_choices(o);
        putchar('\'');
    }
    print_fish_description(o->text);
}

static void print_fish_words(const Command *c)
{
    static const char *const words[] = {[WORDS_PROGRAM] = "(__viv_programs)",
                                        [WORDS_PATHS] = "(__viv_programs)",
                                        [WORDS_NAMES] = "(__viv_names; __viv_programs)"};
    if (c->words == WORDS_PROGRAM) puts("complete -c viv -n __viv_runs -F");
    if (c->words == WORDS_NONE) return;
    printf("complete -c viv -n '__viv_is %s%s' -a '", c->name,
           c->words == WORDS_PROGRAM ? "; and not __viv_runs" : "");
    if (c->words == WORDS_COMMAND)
        print_commands();
    else
        fputs(words[c->words], stdout);
    puts("'");
}

static void print_fish(void)
{
    puts(FISH_START);
    for (const Command *c = commands; c->name; c++) {
        printf("complete -c viv -n __viv_is_first -a %s", c->name);
        print_fish_description(c->summary);
        for (const CommandOption *o = options_of(c); o->flag; o++) print_fish_option(c, o);
        print_fish_words(c);
    }
}

void completion_print(const char *shell)
{
    if (strcmp(shell, "bash") == 0) print_bash();
    if (strcmp(shell, "zsh") == 0) print_zsh();
    if (strcmp(shell, "fish") == 0) print_fish();
}
