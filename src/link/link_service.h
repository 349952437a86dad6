/* link_service.h: the door's own thread, which owns libgable.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Callers hand over a call and wait. The program's stack, signal mask, floating-point traps and
 * contexts of CUDA are out of the game. Several callers queue. The thread writes the program's
 * memory while the caller waits, and only what the device has computed.
 */
#ifndef GBL_LINK_SERVICE_H
#define GBL_LINK_SERVICE_H

#include "link/link_decide.h"

/* Whether this thread works for Gable: what it calls goes straight on. */
bool gbl_link_inside(void);

/* Whether the device can still be asked for; where not, a sentence says why. */
bool gbl_link_device_off(void);
bool gbl_link_device_open(void);

/* The verdict of the model on a call. false: there is no answer, and the device is off. */
bool gbl_link_ask(const gbl_link_call *call, const gbl_link_binding *bound, int threads,
                  gbl_link_verdict *verdict);

/* Computes a call on the device, which is opened where it is not, and puts the result into the
 * program's memory. false: nothing was written. */
bool gbl_link_serve(const gbl_link_call *call);

/* The same by Gable's cpu device: for names that no other library has. */
bool gbl_link_serve_alone(const gbl_link_call *call);

#endif
