/* JSON for editors and other programs. */
#ifndef CLI_JSON_H
#define CLI_JSON_H

/* Prints a string, quoted and escaped (RFC 8259); NULL as "". */
void json_print_text(const char *text);

#endif
