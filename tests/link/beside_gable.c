/* beside_gable.c: libgable with the device of host/beside_device.h, which fails as the environment
 * says.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * BESIDE_KIND: a number of beside_kind. BESIDE_AT: which operation of that kind fails, from 1; with
 * BESIDE_ALWAYS all after it do, too; with BESIDE_BLOCK it never returns. BESIDE_HANG: from that
 * wait on the device does not answer. BESIDE_BUSY: milliseconds that the first waits take.
 */
#include <stdlib.h>
#include "../host/beside_device.h"

#define API __attribute__((visibility("default")))

static int number_of(const char *variable)
{
    const char *const text = getenv(variable);
    return text != NULL ? atoi(text) : 0;
}

__attribute__((constructor)) static void install(void)
{
    beside_install();
    beside_fail((beside_kind)number_of("BESIDE_KIND"), number_of("BESIDE_AT"),
                number_of("BESIDE_ALWAYS") != 0);
    beside_block(number_of("BESIDE_BLOCK") != 0);
    beside_hang(number_of("BESIDE_HANG"));
    beside_busy(1e-3 * number_of("BESIDE_BUSY"));
}

API bool beside_gable_fired(void);
bool beside_gable_fired(void)
{
    return beside_fired();
}
