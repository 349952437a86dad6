/* cublas.h: cuBLAS as one more way to compute: found at run time, never required.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A variant that uses it calls gbl_cublas_prepare (which may load the library: a second or two,
 * once) and then enqueues or records one of the vendor's tasks. Results go to device memory.
 */
#ifndef GBL_CUBLAS_H
#define GBL_CUBLAS_H

#include "device/device.h"
#include "device/vector_args.h"

/* Whether the vendor's variant can run on this device. False on other devices than CUDA at once; on
 * CUDA the first call looks for the library and loads it, so ask only when the variant is forced or
 * a peer is wanted. */
bool gbl_cublas_available(const gbl_device *device);

/* Why it is not available, or its version and file: "cuBLAS 13.0 (/usr/...)". */
gable_status gbl_cublas_describe(char *text, size_t text_bytes, gbl_message *message);

/* Makes the queue's handle and workspace, so that the tasks allocate nothing and may be captured.
 */
gable_status gbl_cublas_prepare(gbl_queue *queue, gbl_message *message);

/* All of this as the CUDA table's vendor. Its tasks (cublas_level1.c) take a gbl_vector_args with
 * strides and pointers as BLAS has them. */
extern const gbl_vendor gbl_cublas_vendor;

#endif
