/* known_kernels.c: kernels that compiled without spills before, as a list in the tree.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <string.h>
#include "nvrtc/known_kernels.h"

#define LINE_BYTES 256

static uint64_t job_hash(const compile_job *job, uint64_t start)
{
    char subject[COMPILE_SUBJECT_BYTES];
    compile_subject(job, subject);
    return compile_hash(subject, start);
}

static bool together(const compile_job *a, const compile_job *b)
{
    return strcmp(a->spec.file, b->spec.file) == 0 && strcmp(a->arch, b->arch) == 0;
}

/* The line of all jobs that have the file and the architecture of one. Sums: the order in which
 * variants ask for kernels does not count. */
static void make_line(const compile_job *jobs, int count, const compile_job *one,
                      char line[LINE_BYTES])
{
    uint64_t first = 0, second = 0;
    for (int i = 0; i < count; i++)
        if (together(&jobs[i], one)) {
            first += job_hash(&jobs[i], 0);
            second += job_hash(&jobs[i], 1);
        }
    snprintf(line, LINE_BYTES, "%s %s %016llx%016llx\n", one->spec.file, one->arch,
             (unsigned long long)first, (unsigned long long)second);
}

/* The first of the jobs that have the file and the architecture of one. */
static int first_of(const compile_job *jobs, int at)
{
    int first = 0;
    while (!together(&jobs[first], &jobs[at]))
        first++;
    return first;
}

static bool line_in(const char *list, const char *line)
{
    const char *at = strstr(list, line);
    return at != NULL && (at == list || at[-1] == '\n');
}

int known_leave_out(compile_job *jobs, int count, const char *list)
{
    int left = 0;
    /* `good` says what is known until jobs are compiled. */
    for (int i = 0; i < count; i++) {
        const int first = first_of(jobs, i);
        char line[LINE_BYTES];
        if (first == i)
            make_line(jobs, count, &jobs[i], line);
        jobs[i].good = first < i ? jobs[first].good : line_in(list, line);
    }
    for (int i = 0; i < count; i++)
        if (!jobs[i].good || job_hash(&jobs[i], 0) % KNOWN_SAMPLE == 0)
            jobs[left++] = jobs[i];
    for (int i = 0; i < left; i++)
        jobs[i].good = false;
    return left;
}

void known_write(const compile_job *jobs, int count, FILE *stream)
{
    for (int i = 0; i < count; i++) {
        bool good = first_of(jobs, i) == i;
        for (int k = i; good && k < count; k++)
            good = jobs[k].good || !together(&jobs[k], &jobs[i]);
        if (good) {
            char line[LINE_BYTES];
            make_line(jobs, count, &jobs[i], line);
            fputs(line, stream);
        }
    }
}
