/* test_hopper_races.c: the words of kernels/sm90 under the thread sanitizer: clean, and the races of mutants named.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Runs test_hopper_words, built with the sanitizer: with the true kernels, then once for each mutant that leaves out a wait.
 */
#define _GNU_SOURCE /* personality */
#include "expect.h"
#include "race_runs.h"

int main(void)
{
    static const struct {
        const char *number, *name;
    } mutants[] = {{"1", "a full stage is not waited for"},
                   {"2", "an empty stage is not waited for"},
                   {"3", "lanes do not wait for each other before one of them gives a stage back"},
                   {"6", "fewer bytes are expected than come"},
                   {"7", "the arrival does not wait for the copies"},
                   {"8", "groups do not wait for each other before they read"},
                   {"9", "a group ends before others have read its room"},
                   {"11", "half a group does not wait for the other half"}};
    const char *log = RACES_LOG;
    const int clean = race_run(RACES_PROGRAM, "0", log);
    if (clean != 0 && race_log_has(log, "unexpected memory mapping")) {
        puts("skipped: the thread sanitizer cannot start with this system's random addresses");
        return EXPECT_SKIPPED;
    }
    if (!EXPECT(clean == 0, "the true kernels end with %d", clean))
        race_show(log);
    for (size_t i = 0; i < sizeof mutants / sizeof mutants[0]; i++) {
        const int status = race_run(RACES_PROGRAM, mutants[i].number, log);
        if (!EXPECT(status == RACE_STATUS && race_log_has(log, "data race"),
                    "mutant %s (%s) ends with %d, not as a race", mutants[i].number,
                    mutants[i].name, status))
            race_show(log);
    }
    return expect_summary("test_hopper_races");
}
