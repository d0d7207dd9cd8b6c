#include "cli/repl/edit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "eval/read_file.h"

/* The path goes through the environment, so that no character in it means anything to the shell. */
static bool run_editor(const char *path)
{
    fflush(stdout);
    setenv("VIV_EDITED_FILE", path, 1);
    int status = system("${VISUAL:-${EDITOR:-vi}} \"$VIV_EDITED_FILE\"");
    unsetenv("VIV_EDITED_FILE");
    return status == 0;
}

static bool write_text(int fd, const char *text)
{
    FILE *file = fdopen(fd, "w");
    if (!file) {
        close(fd);
        return false;
    }
    size_t len = strlen(text);
    bool ok = fwrite(text, 1, len, file) == len;
    if (len && text[len - 1] != '\n') fputc('\n', file);
    return fclose(file) == 0 && ok;
}

bool edit_text(const char *text, StrBuf *out)
{
    const char *folder = getenv("TMPDIR");
    StrBuf path = {0};
    strbuf_printf(&path, "%s/viv-XXXXXX.viv", folder && *folder ? folder : "/tmp");
    int fd = mkstemps(path.data, (int)strlen(".viv"));
    bool ok = false;
    if (fd >= 0) {
        Error err = {0};
        ok = write_text(fd, text) && run_editor(path.data) && read_file(path.data, out, &err);
        error_clear(&err);
        unlink(path.data);
    }
    strbuf_free(&path);
    return ok;
}
