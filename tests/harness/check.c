/* check.c: the small framework of the tests.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "harness/check.h"

#define SKIPPED     77
#define MAX_PRINTED 20 /* failures; the rest are counted */

static const char *test_name = "test";
static char current[512];
static long passes, failures;

/* Of programs that are linked with the emulated device (tests/emulator/emulated.h). */
void emulated_offer(void) __attribute__((weak));

/* A crash is a failure too, and the case that caused it must be seen. */
static void crashed(int number)
{
    static const char says[] = "CRASHED: ";
    ssize_t wrote = write(STDERR_FILENO, says, sizeof says - 1);
    wrote = wrote < 0 ? wrote : write(STDERR_FILENO, current, strlen(current));
    wrote = wrote < 0 ? wrote : write(STDERR_FILENO, "\n", 1);
    (void)wrote;
    signal(number, SIG_DFL);
    raise(number);
}

void test_start(const char *name)
{
    test_name = name;
    setvbuf(stdout, NULL, _IOLBF, 0);
    if (emulated_offer != NULL && strncmp(test_device(), "emulated", 8) == 0)
        emulated_offer();
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
    const int signals[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT};
    for (size_t i = 0; i < sizeof signals / sizeof signals[0]; i++)
        signal(signals[i], crashed);
#else
    (void)crashed;
#endif
}

int test_finish(void)
{
    printf("%s on %s: %ld checks, %ld failed\n", test_name, test_device(), passes + failures,
           failures);
    if (passes + failures == 0) {
        printf("%s made no check at all\n", test_name);
        return 1;
    }
    return failures == 0 ? 0 : 1;
}

void test_case(const char *format, ...)
{
    va_list list;
    va_start(list, format);
    vsnprintf(current, sizeof current, format, list);
    va_end(list);
}

long test_failures(void)
{
    return failures;
}

void test_passed(void)
{
    passes++;
}

void test_failed(const char *file, int line, const char *format, ...)
{
    failures++;
    if (failures > MAX_PRINTED) {
        if (failures == MAX_PRINTED + 1)
            printf("further failures are only counted\n");
        return;
    }
    const char *base = strrchr(file, '/');
    char text[1024];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    printf("FAILED %s:%d: %s [%s]\n", base != NULL ? base + 1 : file, line, text, current);
    if (getenv("GABLE_TEST_STOP") != NULL) /* the first is enough: tests of mutants */
        exit(1);
}

static bool required(const char *part)
{
    const char *list = getenv("GABLE_REQUIRE");
    while (part != NULL && list != NULL && *list != '\0') {
        const size_t length = strcspn(list, ",");
        if (length == strlen(part) && strncmp(list, part, length) == 0)
            return true;
        list += length + (list[length] == ',');
    }
    return false;
}

void test_skip(const char *part, const char *format, ...)
{
    char text[1024];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    if (required(part)) {
        printf("FAILED: GABLE_REQUIRE names %s, but %s\n", part, text);
        exit(1);
    }
    printf("skipped: %s\n", text);
    exit(SKIPPED);
}

void test_leave_out(const char *part, const char *format, ...)
{
    char text[1024];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    if (required(part))
        test_failed(__FILE__, __LINE__, "GABLE_REQUIRE names %s, but %s", part, text);
    else
        printf("left out: %s\n", text);
}

bool test_all(void)
{
    const char *all = getenv("GABLE_TEST_ALL");
    return all != NULL && all[0] != '\0' && strcmp(all, "0") != 0;
}

bool test_only(const char *part)
{
    const char *only = getenv("GABLE_TEST_PART");
    return only != NULL && strcmp(only, part) == 0;
}

bool test_small(void)
{
    const char *small = getenv("GABLE_TEST_SMALL");
    return small != NULL && small[0] != '\0' && strcmp(small, "0") != 0;
}

const char *test_device(void)
{
    const char *name = getenv("GABLE_DEVICE");
    return name != NULL && name[0] != '\0' ? name : "cpu";
}

gable_context *test_open(void)
{
    gable_context *ctx = NULL;
    const char *name = test_device();
    const gable_status status = gable_open(&ctx, name);
    if (status == GABLE_OK)
        return ctx;
    char why[600];
    snprintf(why, sizeof why, "%.500s", gable_message(ctx));
    gable_close(ctx);
    if (status != GABLE_NO_DEVICE || strcmp(name, "cpu") == 0) {
        printf("FAILED: %s does not open: %s\n", name, why);
        exit(1);
    }
    const char *part = "opencl";
    if (strncmp(name, "cuda", 4) == 0)
        part = "cuda";
    else if (strstr(name, "pocl") != NULL)
        part = "pocl";
    test_skip(part, "%s does not open: %s", name, why);
}

bool test_status(const char *file, int line, const char *call, const gable_context *ctx,
                 gable_status status, gable_status wanted)
{
    if (status == wanted) {
        test_passed();
        return true;
    }
    test_failed(file, line, "%.200s is %s, not %s; the message is \"%.400s\"", call,
                gable_status_name(status), gable_status_name(wanted), gable_message(ctx));
    return false;
}

bool test_refused(const char *file, int line, const char *call, const gable_context *ctx,
                  gable_status status, gable_status wanted, const char *routine,
                  const char *const *pieces)
{
    if (!test_status(file, line, call, ctx, status, wanted))
        return false;
    const char *message = gable_message(ctx);
    const size_t length = strlen(routine);
    if (strncmp(message, routine, length) != 0 || strncmp(message + length, ": ", 2) != 0) {
        test_failed(file, line, "the message does not start with \"%s: \": \"%.400s\"", routine,
                    message);
        return false;
    }
    for (; *pieces != NULL; pieces++) {
        if (strstr(message, *pieces) == NULL) {
            test_failed(file, line, "the message lacks \"%s\": \"%.400s\"", *pieces, message);
            return false;
        }
    }
    test_passed();
    return true;
}
