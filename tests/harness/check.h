/* check.h: the small framework of the tests: checks, the line that reproduces a case, skips.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A test program calls test_start, makes its checks and returns test_finish: 0 when all held, 1
 * when one did not. A failed check is printed with the current case, and the test goes on. A test
 * that cannot run says why and exits with 77, which CTest counts as skipped; when $GABLE_REQUIRE (a
 * comma list of pocl, cuda, opencl, nvrtc, blas) names what is missing, it fails instead.
 *
 * Checks are made in one thread.
 */
#ifndef TEST_CHECK_H
#define TEST_CHECK_H

#include <stdbool.h>
#include "gable/gable.h"
#include "device/message.h"

void test_start(const char *name);
int test_finish(void);

/* What is being tested now: printed with a failure, and by a crash. */
void test_case(const char *format, ...) GBL_PRINTF(1, 2);

/* How many checks failed so far. */
long test_failures(void);

/* Ends the program: skipped, or failed where `part` is required. */
_Noreturn void test_skip(const char *part, const char *format, ...) GBL_PRINTF(2, 3);

/* Says on one line that a part of the test cannot run here; fails where `part` is required. part
 * may be NULL: something that no one can require. */
void test_leave_out(const char *part, const char *format, ...) GBL_PRINTF(2, 3);

/* $GABLE_TEST_ALL is set: make check-all. */
bool test_all(void);
/* $GABLE_TEST_SMALL is set: under compute-sanitizer, where a launch takes a hundred times as long.
 * Tests that iterate have small systems then. */
bool test_small(void);
/* $GABLE_TEST_PART names this part: tests of solvers run it alone, as racecheck has them. */
bool test_only(const char *part);

/* The name in $GABLE_DEVICE, "cpu" without. */
const char *test_device(void);

/* A context on that device, or a skip. */
gable_context *test_open(void);

void test_failed(const char *file, int line, const char *format, ...) GBL_PRINTF(3, 4);
void test_passed(void);

/* The condition must hold (write it so that NaN fails); the text says what was seen instead. */
#define CHECK(condition, ...)                                                                      \
    ((condition) ? test_passed() : test_failed(__FILE__, __LINE__, __VA_ARGS__))

/* The call must give this status. */
#define CHECK_STATUS(ctx, call, wanted) test_status(__FILE__, __LINE__, #call, ctx, call, wanted)
#define CHECK_OK(ctx, call)             CHECK_STATUS(ctx, call, GABLE_OK)
bool test_status(const char *file, int line, const char *call, const gable_context *ctx,
                 gable_status status, gable_status wanted);

/* The call must refuse: the status, and a message that starts with the routine and holds all pieces
 * (ended by NULL), such as "argument 2 (n)" and "-1". */
#define CHECK_REFUSED(ctx, call, wanted, routine, ...)                                             \
    test_refused(__FILE__, __LINE__, #call, ctx, call, wanted, routine,                            \
                 (const char *const[]){__VA_ARGS__, NULL})
bool test_refused(const char *file, int line, const char *call, const gable_context *ctx,
                  gable_status status, gable_status wanted, const char *routine,
                  const char *const *pieces);

#endif
