/* interrupt.c: Ctrl-C in commands that take long.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "gable/interrupt.h"
#include <stddef.h>

volatile sig_atomic_t interrupt_asked;

static void on_interrupt(int number)
{
    (void)number;
    interrupt_asked = 1;
}

void interrupt_watch(void)
{
    const struct sigaction action = {.sa_handler = on_interrupt, .sa_flags = (int)SA_RESETHAND};
    sigaction(SIGINT, &action, NULL);
}

bool interrupt_stops(void *user)
{
    (void)user;
    return interrupt_asked != 0;
}
