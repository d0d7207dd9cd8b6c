/* Texts for other programs, made from the table of commands: what is installed beside viv. */
#ifndef CLI_GENERATED_H
#define CLI_GENERATED_H

/* The manual page. */
void manual_print(void);
/* Completions for bash, zsh or fish. */
void completion_print(const char *shell);

#endif
