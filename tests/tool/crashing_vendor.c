/* crashing_vendor.c: a library that ends the process that loads it, as broken drivers do.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <signal.h>

static void crash(void) __attribute__((constructor));

static void crash(void)
{
    raise(SIGKILL);
}
