/* emulated.h: a device whose kernels are compiled as plain C while a test runs.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * It opens as "emulated" or "emulated:0", which is like a GPU of sm_90a with few multiprocessors,
 * and as "emulated:1", which is like a CPU behind OpenCL. The programs of tests/blas, tests/sparse
 * and tests/api are linked with it, and have it where $GABLE_DEVICE names it. It is the fake device
 * (fake_device.h) with fake_cluster.c as its way to run, and emulated_code.c as its compiler.
 */
#ifndef EMULATED_H
#define EMULATED_H

/* Adds the device to those that can be opened. A fault of a kernel is the status of the next
 * gable_sync, and of the program. */
void emulated_offer(void);

#endif
