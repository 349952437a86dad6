/* engine.h: libgable, opened at run time: predictions, and calls with host matrices.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Used by one thread at a time, the service thread, but for gbl_engine_recall.
 */
#ifndef GBL_ENGINE_H
#define GBL_ENGINE_H

#include "link/link_call.h"

#define GBL_ENGINE_TEXT 192

/* Opens libgable: the path that is given, else beside this library. false: why. */
bool gbl_engine_load(const char *path, char why[GBL_ENGINE_TEXT]);

/* Opens the device: $GABLE_DEVICE, else the best. With gpu_only a device that is no GPU does not
 * count. name: its name and title. false: why. */
bool gbl_engine_open(bool gpu_only, char name[GBL_ENGINE_TEXT], char why[GBL_ENGINE_TEXT]);

/* Seconds that a call should take on the device with its transfers, by the model with which the
 * standard door chooses. Before a device is open, it is one that computes in no time behind a fast
 * host link. false: no answer. */
bool gbl_engine_predict(const gbl_link_call *call, double *device_seconds);

/* Computes a call on the device, or with cpu on Gable's cpu device, and writes C. false: why, and C
 * is as it was; doubtful, also after a call that succeeded: whether the device can be used again is
 * for gbl_engine_probe to find out. */
bool gbl_engine_run(const gbl_link_call *call, bool cpu, bool *doubtful, char why[GBL_ENGINE_TEXT]);

/* After such a call, with its `why`: whether the device works, as it does when memory ran out. It
 * may wait as long as the driver likes, so the caller has its memory back before. */
bool gbl_engine_probe(char why[GBL_ENGINE_TEXT]);

/* By another thread, while a call runs on the device: takes the program's memory back. true: what
 * the call reads is unchanged, and it touches nothing any more. false: it goes on, or must. */
bool gbl_engine_recall(void);
/* Gives back memory that is kept for the next call: copies of results by Gable's cpu, and with
 * `device` what is kept for the device and on it. */
void gbl_engine_rest(bool device);

/* In a child of fork: contexts of the parent are not touched again. */
void gbl_engine_forget(void);

#endif
