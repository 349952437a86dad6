/* beside_device.h: the cpu as a device beside the host: it addresses what it allocated and no other
 * memory, and it fails on demand.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * It opens as "beside". Calls run in the routines of the cpu, so that all of them can be tried in
 * all forms without a compiler.
 */
#ifndef BESIDE_DEVICE_H
#define BESIDE_DEVICE_H

#include <stdbool.h>

/* What can fail. */
typedef enum beside_kind {
    BESIDE_QUEUE,
    BESIDE_ALLOC,
    BESIDE_PINNED,
    BESIDE_COPY,
    BESIDE_TASK,
    BESIDE_WAIT,
    BESIDE_MARK_CREATE,
    BESIDE_MARK_SET,
    BESIDE_MARK_WAIT,
    BESIDE_KINDS
} beside_kind;

void beside_install(void);
void beside_remove(void);
/* The nth operation of a kind from now on, from 1, fails, and with `always` all after it; 0: none
 * does. Whether it has happened. */
void beside_fail(beside_kind kind, int nth, bool always);
bool beside_fired(void);
/* What would fail blocks instead: its thread stays there. */
void beside_block(bool blocks);
/* From the nth wait on the device does not answer; 0: it does. */
void beside_hang(int nth);
/* The next waits take so many seconds together; the device answers meanwhile that it is not done.
 */
void beside_busy(double seconds);

#endif
