#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "builtins/files/file.h"
#include "eval/read_file.h"

static char folder[] = "/tmp/viv-file-XXXXXX";
static char path[128], link_path[128];

static void make_folder(void)
{
    cr_assert_not_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/a.txt", folder);
    snprintf(link_path, sizeof link_path, "%s/b.txt", folder);
}

static void remove_folder(void)
{
    unlink(link_path);
    unlink(path);
    cr_assert_eq(rmdir(folder), 0, "something else is left in %s", folder);
}

TestSuite(file, .init = make_folder, .fini = remove_folder);

static void write_whole(const char *to, const char *text)
{
    Error err = {0};
    cr_assert(file_write(to, text, strlen(text), &err), "%s", err.message);
}

static void expect_contents(const char *wanted)
{
    StrBuf text = {0};
    Error err = {0};
    cr_assert(read_file(path, &text, &err), "%s", err.message);
    cr_assert_str_eq(strbuf_str(&text), wanted);
    strbuf_free(&text);
}

Test(file, is_made_and_replaced)
{
    write_whole(path, "one");
    expect_contents("one");
    write_whole(path, "");
    expect_contents("");
    write_whole(path, "two\n");
    expect_contents("two\n");
}

Test(file, keeps_its_mode)
{
    struct stat s;
    write_whole(path, "one");
    cr_assert_eq(chmod(path, 0640), 0);
    write_whole(path, "two");
    cr_assert_eq(stat(path, &s), 0);
    cr_assert_eq(s.st_mode & 07777, 0640);
}

Test(file, is_written_behind_a_link)
{
    struct stat s;
    write_whole(path, "one");
    cr_assert_eq(symlink(path, link_path), 0);
    write_whole(link_path, "two");
    cr_assert_eq(lstat(link_path, &s), 0);
    cr_assert(S_ISLNK(s.st_mode));
    expect_contents("two");
}

Test(file, that_can_not_be_written)
{
    Error err = {0};
    cr_assert_not(file_write(folder, "x", 1, &err));
    cr_assert_eq(err.kind, ERR_IO);
    cr_assert(strstr(err.message, "can't write"));
    error_clear(&err);
    cr_assert_not(file_write("/no/such/folder/x", "x", 1, &err));
    error_clear(&err);
}

Test(file, keeps_its_names)
{
    struct stat s;
    write_whole(path, "one");
    cr_assert_eq(link(path, link_path), 0);
    write_whole(link_path, "two, longer");
    expect_contents("two, longer");
    write_whole(path, "3");
    expect_contents("3");
    cr_assert_eq(stat(path, &s), 0);
    cr_assert_eq(s.st_nlink, 2);
}

Test(file, is_made_where_a_link_leads)
{
    cr_assert_eq(symlink("a.txt", link_path), 0);
    write_whole(link_path, "through");
    expect_contents("through");
}

Test(file, has_a_name_of_any_length)
{
    StrBuf name = {0};
    strbuf_printf(&name, "%s/", folder);
    strbuf_repeat(&name, 'n', 255);
    write_whole(name.data, "one");
    write_whole(name.data, "two");
    unlink(name.data);
    strbuf_free(&name);
}
