/* Terminals that are written to. */
#ifndef BASE_TERMINAL_H
#define BASE_TERMINAL_H

/* How many columns lines on fd may take: COLUMNS if it is set, else the terminal's; 0 where there is
 * neither. */
int terminal_width(int fd);

#endif
