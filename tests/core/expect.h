/* expect.h: the few words the tests of core say what must hold with.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A failing line prints where, what and why, is counted, and the test goes on. main() ends with
 * `return expect_summary("name");`. A test that cannot run here returns EXPECT_SKIPPED.
 */
#ifndef EXPECT_H
#define EXPECT_H

#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#define EXPECT_SKIPPED 77
#define EXPECT_SHOWN   40 /* a broken rule can fail a thousand times: the first lines are enough */

static atomic_long expect_count, expect_failures; /* threads expect things too */

__attribute__((format(printf, 4, 5))) static inline bool
expect_report(bool holds, const char *file, int line, const char *format, ...)
{
    expect_count++;
    if (holds)
        return true;
    if (++expect_failures <= EXPECT_SHOWN) {
        va_list list;
        va_start(list, format);
        fprintf(stderr, "%s:%d: ", file, line);
        vfprintf(stderr, format, list);
        fputc('\n', stderr);
        va_end(list);
    }
    return false;
}

/* The condition must hold; the rest is a printf text that tells the case. Gives the condition. */
#define EXPECT(condition, ...) expect_report((condition), __FILE__, __LINE__, __VA_ARGS__)

/* A call must give a status; the message of the context is shown. */
#define EXPECT_STATUS(ctx, expected, call)                                                         \
    do {                                                                                           \
        const gable_status expect_got_ = (call);                                                   \
        EXPECT(expect_got_ == (expected), "%s gave %s, not %s; the message: %s", #call,            \
               gable_status_name(expect_got_), gable_status_name(expected), gable_message(ctx));   \
    } while (0)

/* The message must hold a piece of text. */
#define EXPECT_MESSAGE(ctx, piece)                                                                 \
    EXPECT(strstr(gable_message(ctx), (piece)) != NULL, "the message lacks \"%s\": %s", (piece),   \
           gable_message(ctx))

static inline int expect_summary(const char *name)
{
    if (expect_failures > EXPECT_SHOWN)
        fprintf(stderr, "... and %ld more\n", expect_failures - EXPECT_SHOWN);
    printf("%s: %ld checks, %ld failed\n", name, expect_count, expect_failures);
    return expect_failures > 0 || expect_count == 0 ? 1 : 0;
}

#endif
