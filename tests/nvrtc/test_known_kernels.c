/* test_known_kernels.c: a kernel that changed is compiled, whatever the list of known ones says.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Planted jobs of two files; nothing is compiled. Of a list of all of them a sample is left. One
 * change of the text, a macro, the architecture or the number of jobs leaves all jobs of that file
 * and architecture, and the sample of the others.
 */
#include <stdlib.h>
#include <string.h>
#include "harness/check.h"
#include "nvrtc/known_kernels.h"

#define JOBS       400 /* so many that a sample of none is not chance */
#define LIST_BYTES 2000

static const char text[] = "kernel void copy(int n) { }", changed[] = "kernel void copy(int m) { }";

/* The first half are of one file, the second of another. */
static void plant(compile_job jobs[JOBS])
{
    memset(jobs, 0, JOBS * sizeof *jobs);
    for (int i = 0; i < JOBS; i++) {
        jobs[i].spec.file = i < JOBS / 2 ? "one.cl" : "two.cl";
        jobs[i].spec.dtype = GBL_D;
        jobs[i].spec.macro_count = 1;
        jobs[i].spec.macros[0].name = "STEP";
        jobs[i].spec.macros[0].value = i;
        jobs[i].source = text;
        jobs[i].arch = "sm_90a";
        jobs[i].good = true;
    }
}

static void list_of(const compile_job *jobs, int count, char list[LIST_BYTES])
{
    FILE *stream = tmpfile();
    list[0] = '\0';
    CHECK(stream != NULL, "no file");
    if (stream == NULL)
        return;
    known_write(jobs, count, stream);
    rewind(stream);
    list[fread(list, 1, LIST_BYTES - 1, stream)] = '\0';
    fclose(stream);
}

static int jobs_of(const compile_job *jobs, int count, const char *file)
{
    int found = 0;
    for (int i = 0; i < count; i++)
        found += strcmp(jobs[i].spec.file, file) == 0;
    return found;
}

/* What is left of each file after a change of one job of the first. */
static void check_left(const char *what, compile_job *jobs, int count, const char *list, bool known)
{
    test_case("%s", what);
    const int before = jobs_of(jobs, count, "one.cl"), left = known_leave_out(jobs, count, list),
              one = jobs_of(jobs, left, "one.cl"), two = jobs_of(jobs, left, "two.cl");
    if (known)
        CHECK(one > 0 && one < before / 4, "a sample of %d is %d", before, one);
    else
        CHECK(one == before, "%d of %d are left", one, before);
    CHECK(two > 0 && two < JOBS / 8, "%d of the other file are left", two);
    for (int i = 0; i < left; i++)
        CHECK(!jobs[i].good, "job %d is good before it is compiled", i);
}

static void check_changes(compile_job jobs[JOBS], const char *list)
{
    plant(jobs);
    check_left("nothing changed", jobs, JOBS, list, true);
    plant(jobs);
    compile_job first = jobs[0];
    jobs[0] = jobs[9];
    jobs[9] = first;
    check_left("another order", jobs, JOBS, list, true);
    plant(jobs);
    jobs[3].source = changed;
    check_left("another text", jobs, JOBS, list, false);
    plant(jobs);
    jobs[3].spec.macros[0].value = -1;
    check_left("another value", jobs, JOBS, list, false);
    plant(jobs);
    jobs[3].spec.macros[0].name = "STRIDE";
    check_left("another macro", jobs, JOBS, list, false);
    plant(jobs);
    jobs[3].spec.dtype = GBL_S;
    check_left("another precision", jobs, JOBS, list, false);
    plant(jobs);
    check_left("one job less", jobs + 1, JOBS - 1, list, false);
    plant(jobs);
    for (int i = 0; i < JOBS / 2; i++)
        jobs[i].arch = "sm_80";
    check_left("another architecture", jobs, JOBS, list, false);
}

int main(void)
{
    static compile_job jobs[JOBS];
    char list[LIST_BYTES], part[LIST_BYTES + 1];
    test_start("test_known_kernels");
    plant(jobs);
    list_of(jobs, JOBS, list);
    check_changes(jobs, list);
    /* A bad kernel leaves no line, and the end of a line is not one. */
    plant(jobs);
    jobs[3].good = false;
    list_of(jobs, JOBS, part);
    CHECK(strstr(part, "one.cl") == NULL && strstr(part, "two.cl") != NULL, "the list is %s", part);
    plant(jobs);
    check_left("a bad one", jobs, JOBS, part, false);
    part[0] = 'z';
    memcpy(part + 1, list, strlen(list) + 1);
    plant(jobs);
    check_left("a line that begins elsewhere", jobs, JOBS, part, false);
    return test_finish();
}
