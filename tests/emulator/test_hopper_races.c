/* test_hopper_races.c: kernels of kernels/sm90 under the thread sanitizer: clean, and the races of
 * mutants named.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Runs test_hopper_words, test_pipeline_mutants, test_gemm_tf32, test_getrf_cluster and
 * test_geqrf_cluster, built with the sanitizer: with the true kernels, then once for each mutant
 * that leaves out a wait.
 */
#define _GNU_SOURCE /* personality */
#include "expect.h"
#include "hopper_mutants.h"
#include "race_runs.h"

static const char *log_file = RACES_LOG;

static void expect_clean(const char *program)
{
    const int status = race_run(program, "0", log_file);
    if (!EXPECT(status == 0, "%s: the true kernels end with %d", program, status))
        race_show(log_file);
}

static void expect_race(const char *program, int number, const char *name)
{
    char text[16];
    snprintf(text, sizeof text, "%d", number);
    const int status = race_run(program, text, log_file);
    if (!EXPECT(status == RACE_STATUS && race_log_has(log_file, "data race"),
                "%s: mutant %d \"%s\" ends with %d, not as a race", program, number, name, status))
        race_show(log_file);
}

int main(void)
{
    static const struct {
        int number;
        const char *name;
    } words[] = {{1, "a full stage is not waited for"},
                 {2, "an empty stage is not waited for"},
                 {3, "lanes do not wait for each other before one of them gives a stage back"},
                 {12, "a buffer is given back before it was read"},
                 {14, "a buffer is sent before it was written"},
                 {16, "lanes do not wait for each other before a buffer is said to be ready"},
                 {6, "fewer bytes are expected than come"},
                 {7, "the arrival does not wait for the copies"},
                 {8, "groups do not wait for each other before they read"},
                 {18, "groups do not wait for what others write to them"},
                 {9, "a group ends before others have read its room"},
                 {11, "half a group does not wait for the other half"}};
    if (race_run(WORDS_PROGRAM, "0", log_file) != 0 &&
        race_log_has(log_file, "unexpected memory mapping")) {
        puts("skipped: the thread sanitizer cannot start with this system's random addresses");
        return EXPECT_SKIPPED;
    }
    expect_clean(WORDS_PROGRAM);
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        expect_race(WORDS_PROGRAM, words[i].number, words[i].name);
    expect_clean(FORMS_PROGRAM);
    for (int i = 0; pipeline_mutants[i].name != NULL; i++)
        if (strcmp(pipeline_mutants[i].caught, "race") == 0)
            expect_race(FORMS_PROGRAM, i + 1, pipeline_mutants[i].name);
    expect_clean(QR_PROGRAM);
    for (int i = 0; qr_mutants[i].name != NULL; i++)
        if (strcmp(qr_mutants[i].caught, "race") == 0)
            expect_race(QR_PROGRAM, i + 1, qr_mutants[i].name);
    expect_clean(TF32_PROGRAM);
    for (int i = 0; tf32_mutants[i].name != NULL; i++)
        if (strcmp(tf32_mutants[i].caught, "race") == 0)
            expect_race(TF32_PROGRAM, i + 1, tf32_mutants[i].name);
    expect_clean(LU_PROGRAM);
    for (int i = 0; lu_mutants[i].name != NULL; i++)
        if (strcmp(lu_mutants[i].caught, "race") == 0)
            expect_race(LU_PROGRAM, i + 1, lu_mutants[i].name);
    return expect_summary("test_hopper_races");
}
