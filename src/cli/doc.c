/* viv doc: entries of the builtins and of the standard library. */
#include <stdio.h>

#include "cli/cli.h"
#include "cli/describe.h"

static int write_entry(StrBuf *out, const char *name)
{
    Interp *in = interp_new();
    bool ok = describe_name(out, in, NULL, name);
    interp_free(in);
    if (ok) return STATUS_OK;
    describe_unknown(out, NULL, name);
    usage_error("%s", strbuf_str(out));
    out->len = 0;
    return STATUS_FAILED;
}

int command_doc(int argc, char **argv)
{
    StrBuf text = {0};
    int status = STATUS_OK;
    if (argc == 0)
        describe_topics(&text);
    else
        status = write_entry(&text, argv[0]);
    fwrite(strbuf_str(&text), 1, text.len, stdout);
    strbuf_free(&text);
    return status;
}
