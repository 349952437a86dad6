/* environment.c: environment variables that name a file, a folder or a library.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The kernel tells a process at its start whether it got rights by being executed (AT_SECURE). That
 * stays true after the process gave the rights back, as it should: its environment is still the
 * caller's.
 */
#define _GNU_SOURCE
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/auxv.h>
#include <unistd.h>
#include "device/environment.h"

static atomic_bool pretended;

bool gbl_privileged(void)
{
    return atomic_load(&pretended) || getauxval(AT_SECURE) != 0 || getuid() != geteuid() ||
           getgid() != getegid();
}

void gbl_pretend_privileged(bool privileged)
{
    atomic_store(&pretended, privileged);
}

const char *gbl_getenv_path(const char *name)
{
    const char *value = getenv(name);
    /* Four calls into the system, which most that ask need not wait for. */
    return value == NULL || gbl_privileged() ? NULL : value;
}
