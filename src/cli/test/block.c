#include "cli/test/block.h"

#include <string.h>

#include "syntax/source.h"

/* What was printed, without NULs. */
static char *as_text(const StrBuf *printed)
{
    StrBuf text = {0};
    for (size_t i = 0; i < printed->len; i++) {
        if (printed->data[i])
            strbuf_char(&text, printed->data[i]);
        else
            strbuf_code_point(&text, 0xFFFD);
    }
    return strbuf_take(&text);
}

void test_failure_settle(Interp *in, StrBuf *output, bool colour, TestResult *r)
{
    r->outcome = in->err.kind == ERR_INTERRUPT ? TEST_INTERRUPTED : TEST_FAILED;
    if (in->err.kind == ERR_EXIT) {
        error_note(&in->err, in->is_test ? "under viv test nothing may end the program"
                                         : "a test may not end the session");
        in->err.kind = ERR_USER;
    }
    test_result_fail(r, &in->err, colour);
    if (output->len) r->output = as_text(output);
    error_clear(&in->err);
    while (in->ad.depth) ad_close(&in->ad);
    strbuf_free(output);
}

char *test_shown_name(const TestDecl *test)
{
    StrBuf name = {0};
    strbuf_visible(&name, test->name, strlen(test->name));
    return strbuf_take(&name);
}

TestResult test_block_run(Interp *in, Module *module, const TestDecl *test, bool colour)
{
    StrBuf output = {0}, *capture = in->capture;
    TestResult r = {.name = test_shown_name(test),
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
