/* The words that Viv's statements are made of, with what each does: for viv doc. */
#ifndef CLI_WORDS_H
#define CLI_WORDS_H

typedef struct {
    const char *text;
    const char *form; /* how it is written */
    const char *doc;
} LanguageWord;

/* Ends with a row of NULLs. */
extern const LanguageWord language_words[];
/* The entry of a word, or NULL. */
const LanguageWord *word_find(const char *text);

#endif
