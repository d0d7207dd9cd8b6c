/* Names and words of other languages and libraries, and what Viv has in their place: for hints. */
#ifndef SYNTAX_OTHER_LANGUAGE_HINTS_H
#define SYNTAX_OTHER_LANGUAGE_HINTS_H

/* Each gives what to write instead, or NULL for what no other language is known for. */

/* A name that nothing binds: None, np, append. */
const char *foreign_name(const char *name);
/* A word before something that can't follow it: let x, print x. */
const char *foreign_word(const char *word);
/* What is asked of an array with a dot: X.T. */
const char *foreign_field(const char *name);
/* A module to import: numpy. */
const char *foreign_module(const char *name);

#endif
