/* test_handover.c: groups that hand over to each other, side by side under the thread sanitizer;
 * mutants of them.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Runs handover_groups: with the true kernels, which must be clean, and once for each mutant of
 * handover.cmake, or for one in so many as the argument says. A mutant must be caught as the list
 * says: a race that the sanitizer reports, a wrong result, a launch that does not end. The
 * sanitizer's older versions want addresses that are not random; this program is built without it,
 * so that it can see to that first.
 */
#define _GNU_SOURCE /* personality */
#include "expect.h"
#include "fake_groups.h"
#include "handover_mutants.h"
#include "race_runs.h"

static const char *word_of(int status)
{
    return status == 0             ? "nothing"
           : status == 1           ? "result"
           : status == RACE_STATUS ? "race"
           : status == FAKE_HANGS  ? "hang"
                                   : "an odd end";
}

int main(int count, char **arguments)
{
    const char *log = HANDOVER_LOG;
    const int every = count > 1 ? atoi(arguments[1]) : 1;
    if (every < 1)
        return 2;
    const int clean = race_run(HANDOVER_PROGRAM, NULL, log);
    if (clean != 0 && race_log_has(log, "unexpected memory mapping")) {
        puts("skipped: the thread sanitizer cannot start with this system's random addresses");
        return EXPECT_SKIPPED;
    }
    if (!EXPECT(clean == 0, "the true kernels: %s (status %d)", word_of(clean), clean))
        race_show(log);
    for (int i = 0; handover_mutants[i].name != NULL; i += every) {
        const struct handover_mutant *mutant = &handover_mutants[i];
        char number[16];
        snprintf(number, sizeof number, "%d", i + 1);
        const char *caught = word_of(race_run(HANDOVER_PROGRAM, number, log));
        if (!EXPECT(strstr(mutant->caught, caught) != NULL, "mutant %s \"%s\": %s, not %s", number,
                    mutant->name, caught, mutant->caught))
            race_show(log);
        printf("%-7s %s\n", caught, mutant->name);
    }
    return expect_summary("test_handover");
}
