/* What a profile says, for people and for flame graphs. */
#ifndef CLI_PROFILE_REPORT_H
#define CLI_PROFILE_REPORT_H

#include "eval/profile.h"

/* Two tables on stderr: by line, by operation. p has stopped. */
void profile_print(const Profile *p);
/* A line for each stack of calls, "file:function;…;file:line MICROSECONDS", as flamegraph.pl and
 * speedscope read it. False after a message. */
bool profile_write_folded(const Profile *p, const char *path);

#endif
