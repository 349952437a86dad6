/* cublas_private.h: what the files of cuBLAS share.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 *   cublas.c         finding and loading the library, handles, the vendor's table
 *   cublas_level1.c  the vector routines as tasks
 *   cublas_level2.c  the matrix-vector routines as tasks; cublas_matrix.h: how they are called
 *   cublas_band.c    those for band and packed matrices
 *   cublas_level3.c  those on two or three matrices
 */
#ifndef GBL_CUBLAS_PRIVATE_H
#define GBL_CUBLAS_PRIVATE_H

#include "device/device.h"
#include "device/matrix_args.h"
#include "device/product_args.h"
#include "device/vector_args.h"

typedef struct gbl_cublas_handle gbl_cublas_handle;

/* Whether the functions with 64-bit sizes were loaded. To be asked after a load only. */
bool gbl_cublas_is_wide(void);

/* Starts a task: gives the queue's handle, pointed at the stream, with scalars in device or host
 * memory. Refuses sizes that the loaded width does not take. */
gable_status gbl_cublas_begin(gbl_queue *queue, void *stream, const gbl_vector_args *args,
                              bool scalars_on_device, gbl_cublas_handle **handle,
                              gbl_message *message);
gable_status gbl_cublas_begin_matrix(gbl_queue *queue, void *stream, const gbl_matrix_args *args,
                                     gbl_cublas_handle **handle, gbl_message *message);
gable_status gbl_cublas_begin_product(gbl_queue *queue, void *stream, const gbl_product_args *args,
                                      gbl_cublas_handle **handle, gbl_message *message);

/* What a task returns: cuBLAS's status as ours, `what` names the routine. */
gable_status gbl_cublas_end(int result, const char *what, gbl_message *message);

/* Room for numbers by value in their type: two, or rotm's five. */
typedef union gbl_cublas_numbers {
    _Alignas(16) char aligned[16]; /* cuBLAS loads a double complex at once */
    float single[5];
    double wide[5];
} gbl_cublas_numbers;

/* Where cuBLAS finds the scalar: on the device, or in `numbers`. */
const void *gbl_cublas_place(const gbl_scalar *scalar, gbl_dtype dtype,
                             gbl_cublas_numbers *numbers);

/* Load the routines with a suffix: "_v2_64" or "_v2". False: one is missing. */
bool gbl_cublas_load_level1(void *library, const char *suffix);
bool gbl_cublas_load_level2(void *library, const char *suffix);
bool gbl_cublas_load_band(void *library, const char *suffix);
bool gbl_cublas_load_level3(void *library, const char *suffix);

/* The task of a routine, or NULL. */
gbl_task_function gbl_cublas_level1_task(const char *stem);
gbl_task_function gbl_cublas_level2_task(const char *stem);
gbl_task_function gbl_cublas_band_task(const char *stem);
gbl_task_function gbl_cublas_level3_task(const char *stem);

#endif
