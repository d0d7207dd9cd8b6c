#include "cli/test/block.h"

#include <string.h>

#include "syntax/diagnostic.h"
#include "syntax/source.h"

void test_failure_settle(Interp *in, StrBuf *output, bool colour, TestResult *r)
{
    StrBuf text = {0};
    r->outcome = in->err.kind == ERR_INTERRUPT ? TEST_INTERRUPTED : TEST_FAILED;
    if (in->err.kind == ERR_EXIT) {
        error_note(&in->err, in->is_test ? "under viv test nothing may end the program"
                                         : "a test may not end the session");
        in->err.kind = ERR_USER;
    }
    diagnostic_write(&text, &in->err, colour);
    r->failure = strbuf_take(&text);
    if (output->len) r->output = strbuf_take(output);
    error_clear(&in->err);
    while (in->ad.depth) ad_close(&in->ad);
    strbuf_free(output);
}

TestResult test_block_run(Interp *in, Module *module, const TestDecl *test, bool colour)
{
    StrBuf output = {0}, *capture = in->capture;
    TestResult r = {.name = mem_strndup(test->name, strlen(test->name)),
                    .line = source_locate(test->name_span.start).line};
    in->capture = &output;
    double start = monotonic_seconds();
    bool ok = module_run_test(in, module, test);
    r.seconds = monotonic_seconds() - start;
    in->capture = capture;
    if (ok)
        strbuf_free(&output);
    else
        test_failure_settle(in, &output, colour, &r);
    return r;
}
