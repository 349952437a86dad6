/* emulated.c: the emulated device among those that a test can open.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include "emulated.h"
#include "fake_device.h"

/* Faults behind the last sync, such as memory that was overwritten past its end. */
static void judge(void)
{
    if (fake_faults() == 0)
        return;
    printf("FAILED: %d faults of the emulated device, the first: %s\n", fake_faults(),
           fake_first_fault());
    fflush(stdout);
    _exit(1);
}

void emulated_offer(void)
{
    const fake_settings settings = {.emulated = true,
                                    .hopper = true,
                                    .is_gpu = true,
                                    .fence_device = true,
                                    .pinned_is_address = true,
                                    .graphs = true,
                                    .deferred = true,
                                    .disk_cache = true,
                                    .image_at_build = true,
                                    .build_key =
                                        EMULATED_WORDS " " EMULATED_COMPILER " " EMULATED_FLAGS};
    fake_install(&settings);
    atexit(judge);
}
