/* cublas_level1.c: cuBLAS's vector routines as tasks.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Every function exists in two widths of its integers, held in one union; which one is loaded is
 * decided once. Results go to device memory. Scalars by value are written out in their type and
 * given as host memory; cuBLAS reads them before it returns.
 */
#include <stdio.h>
#include <string.h>
#include "device/cublas_private.h"
#include "device/dynlib.h"

typedef gbl_cublas_handle handle_type;

typedef union copy_function {
    int (*wide)(handle_type *, int64_t, const void *, int64_t, void *, int64_t);
    int (*narrow)(handle_type *, int, const void *, int, void *, int);
} copy_function;
typedef union swap_function {
    int (*wide)(handle_type *, int64_t, void *, int64_t, void *, int64_t);
    int (*narrow)(handle_type *, int, void *, int, void *, int);
} swap_function;
typedef union axpy_function {
    int (*wide)(handle_type *, int64_t, const void *, const void *, int64_t, void *, int64_t);
    int (*narrow)(handle_type *, int, const void *, const void *, int, void *, int);
} axpy_function;
typedef union scal_function {
    int (*wide)(handle_type *, int64_t, const void *, void *, int64_t);
    int (*narrow)(handle_type *, int, const void *, void *, int);
} scal_function;
typedef union rot_function {
    int (*wide)(handle_type *, int64_t, void *, int64_t, void *, int64_t, const void *,
                const void *);
    int (*narrow)(handle_type *, int, void *, int, void *, int, const void *, const void *);
} rot_function;
typedef union rotm_function {
    int (*wide)(handle_type *, int64_t, void *, int64_t, void *, int64_t, const void *);
    int (*narrow)(handle_type *, int, void *, int, void *, int, const void *);
} rotm_function;
typedef union dot_function {
    int (*wide)(handle_type *, int64_t, const void *, int64_t, const void *, int64_t, void *);
    int (*narrow)(handle_type *, int, const void *, int, const void *, int, void *);
} dot_function;
/* One vector to a number: nrm2, asum, amax. */
typedef union reduce_function {
    int (*wide)(handle_type *, int64_t, const void *, int64_t, void *);
    int (*narrow)(handle_type *, int, const void *, int, void *);
} reduce_function;

/* By precision. The _real ones take real scalars beside complex vectors. */
static struct {
    copy_function copy[4];
    swap_function swap[4];
    axpy_function axpy[4];
    scal_function scal[4], scal_real[4];
    rot_function rot[4], rot_real[4];
    rotm_function rotm[4];
    dot_function dot[4], dot_conj[4];
    reduce_function nrm2[4], asum[4], amax[4];
} api;

/* ---- loading ---- */

bool gbl_cublas_load_level1(void *library, const char *suffix)
{
    /* The names of the four precisions; NULL: there is none. */
    static const struct {
        void *slots; /* an array of four unions of function pointers */
        const char *names[4];
    } routines[] = {
        {api.copy, {"Scopy", "Dcopy", "Ccopy", "Zcopy"}},
        {api.swap, {"Sswap", "Dswap", "Cswap", "Zswap"}},
        {api.axpy, {"Saxpy", "Daxpy", "Caxpy", "Zaxpy"}},
        {api.scal, {"Sscal", "Dscal", "Cscal", "Zscal"}},
        {api.scal_real, {"Sscal", "Dscal", "Csscal", "Zdscal"}},
        {api.rot, {"Srot", "Drot", "Crot", "Zrot"}},
        {api.rot_real, {"Srot", "Drot", "Csrot", "Zdrot"}},
        {api.rotm, {"Srotm", "Drotm", NULL, NULL}},
        {api.dot, {"Sdot", "Ddot", "Cdotu", "Zdotu"}},
        {api.dot_conj, {"Sdot", "Ddot", "Cdotc", "Zdotc"}},
        {api.nrm2, {"Snrm2", "Dnrm2", "Scnrm2", "Dznrm2"}},
        {api.asum, {"Sasum", "Dasum", "Scasum", "Dzasum"}},
        {api.amax, {"Isamax", "Idamax", "Icamax", "Izamax"}},
    };
    for (size_t i = 0; i < 4 * (sizeof routines / sizeof routines[0]); i++) {
        const char *stem = routines[i / 4].names[i % 4];
        char name[64];
        if (stem == NULL)
            continue;
        snprintf(name, sizeof name, "cublas%s%s", stem, suffix);
        /* A union of function pointers is one pointer in size. */
        const gbl_symbol symbol = {
            .name = name, .slot = (char *)routines[i / 4].slots + i % 4 * sizeof(copy_function)};
        if (gbl_dynlib_load(library, &symbol, 1) != NULL)
            return false;
    }
    return true;
}

/* ---- scalars ---- */

typedef gbl_cublas_numbers host_numbers;

static void write_number(host_numbers *numbers, gbl_dtype dtype, int index, double value)
{
    if (gbl_dtype_real_bytes(dtype) == sizeof(float))
        numbers->single[index] = (float)value;
    else
        numbers->wide[index] = value;
}

const void *gbl_cublas_place(const gbl_scalar *scalar, gbl_dtype dtype, host_numbers *numbers)
{
    if (scalar->device != NULL)
        return scalar->device;
    write_number(numbers, dtype, 0, scalar->re);
    write_number(numbers, dtype, 1, scalar->im);
    return numbers;
}

/* ---- vectors to vectors ---- */

static gable_status run_copy(gbl_queue *queue, void *stream, const void *args, gbl_message *message)
{
    const gbl_vector_args *a = args;
    const copy_function function = api.copy[a->dtype];
    handle_type *handle = NULL;
    TRY(gbl_cublas_begin(queue, stream, a, true, &handle, message));
    const int result =
        gbl_cublas_is_wide()
            ? function.wide(handle, a->n, a->x, a->incx, a->y, a->incy)
            : function.narrow(handle, (int)a->n, a->x, (int)a->incx, a->y, (int)a->incy);
    return gbl_cublas_end(result, "copy", message);
}

static gable_status run_swap(gbl_queue *queue, void *stream, const void *args, gbl_message *message)
{
    const gbl_vector_args *a = args;
    const swap_function function = api.swap[a->dtype];
    handle_type *handle = NULL;
    TRY(gbl_cublas_begin(queue, stream, a, true, &handle, message));
    const int result =
        gbl_cublas_is_wide()
            ? function.wide(handle, a->n, a->x, a->incx, a->y, a->incy)
            : function.narrow(handle, (int)a->n, a->x, (int)a->incx, a->y, (int)a->incy);
    return gbl_cublas_end(result, "swap", message);
}

static gable_status run_axpy(gbl_queue *queue, void *stream, const void *args, gbl_message *message)
{
    const gbl_vector_args *a = args;
    const axpy_function function = api.axpy[a->dtype];
    host_numbers numbers;
    const void *alpha = gbl_cublas_place(&a->alpha, a->dtype, &numbers);
    handle_type *handle = NULL;
    TRY(gbl_cublas_begin(queue, stream, a, a->alpha.device != NULL, &handle, message));
    const int result =
        gbl_cublas_is_wide()
            ? function.wide(handle, a->n, alpha, a->x, a->incx, a->y, a->incy)
            : function.narrow(handle, (int)a->n, alpha, a->x, (int)a->incx, a->y, (int)a->incy);
    return gbl_cublas_end(result, "axpy", message);
}

static gable_status run_scal(gbl_queue *queue, void *stream, const void *args, gbl_message *message)
{
    const gbl_vector_args *a = args;
    const scal_function function = a->real_scalars ? api.scal_real[a->dtype] : api.scal[a->dtype];
    host_numbers numbers;
    const void *alpha = gbl_cublas_place(&a->alpha, a->dtype, &numbers);
    handle_type *handle = NULL;
    TRY(gbl_cublas_begin(queue, stream, a, a->alpha.device != NULL, &handle, message));
    const int result = gbl_cublas_is_wide()
                           ? function.wide(handle, a->n, alpha, a->x, a->incx)
                           : function.narrow(handle, (int)a->n, alpha, a->x, (int)a->incx);
    return gbl_cublas_end(result, "scal", message);
}

/* ---- rotations ---- */

static gable_status run_rot(gbl_queue *queue, void *stream, const void *args, gbl_message *message)
{
    const gbl_vector_args *a = args;
    const rot_function function = a->real_scalars ? api.rot_real[a->dtype] : api.rot[a->dtype];
    const bool on_device = a->alpha.device != NULL;
    if (on_device != (a->beta.device != NULL))
        return gbl_fail(message, GABLE_NOT_SUPPORTED,
                        "cuBLAS takes c and s of rot both by value or both from device memory; use "
                        "another variant");
    host_numbers c_numbers, s_numbers;
    const void *c = gbl_cublas_place(&a->alpha, a->dtype, &c_numbers);
    const void *s = gbl_cublas_place(&a->beta, a->dtype, &s_numbers);
    handle_type *handle = NULL;
    TRY(gbl_cublas_begin(queue, stream, a, on_device, &handle, message));
    const int result =
        gbl_cublas_is_wide()
            ? function.wide(handle, a->n, a->x, a->incx, a->y, a->incy, c, s)
            : function.narrow(handle, (int)a->n, a->x, (int)a->incx, a->y, (int)a->incy, c, s);
    return gbl_cublas_end(result, "rot", message);
}

/* By value the call holds the whole of H, which is a param with the flag -1. */
static gable_status run_rotm(gbl_queue *queue, void *stream, const void *args, gbl_message *message)
{
    const gbl_vector_args *a = args;
    const rotm_function function = api.rotm[a->dtype];
    const double H[5] = {-1, a->alpha.re, a->alpha.im, a->beta.re, a->beta.im};
    host_numbers numbers;
    for (int k = 0; k < 5; k++)
        write_number(&numbers, a->dtype, k, H[k]);
    const void *param = a->alpha.device != NULL ? a->alpha.device : &numbers;
    handle_type *handle = NULL;
    TRY(gbl_cublas_begin(queue, stream, a, a->alpha.device != NULL, &handle, message));
    const int result =
        gbl_cublas_is_wide()
            ? function.wide(handle, a->n, a->x, a->incx, a->y, a->incy, param)
            : function.narrow(handle, (int)a->n, a->x, (int)a->incx, a->y, (int)a->incy, param);
    return gbl_cublas_end(result, "rotm", message);
}

/* ---- vectors to a number ---- */

static gable_status run_dot(gbl_queue *queue, void *stream, const void *args, gbl_message *message)
{
    const gbl_vector_args *a = args;
    const dot_function function = a->conj ? api.dot_conj[a->dtype] : api.dot[a->dtype];
    handle_type *handle = NULL;
    TRY(gbl_cublas_begin(queue, stream, a, true, &handle, message));
    const int result =
        gbl_cublas_is_wide()
            ? function.wide(handle, a->n, a->x, a->incx, a->y, a->incy, a->result)
            : function.narrow(handle, (int)a->n, a->x, (int)a->incx, a->y, (int)a->incy, a->result);
    return gbl_cublas_end(result, "dot", message);
}

static gable_status reduce(const reduce_function *functions, const char *what, gbl_queue *queue,
                           void *stream, const gbl_vector_args *a, gbl_message *message)
{
    const reduce_function function = functions[a->dtype];
    handle_type *handle = NULL;
    TRY(gbl_cublas_begin(queue, stream, a, true, &handle, message));
    const int result = gbl_cublas_is_wide()
                           ? function.wide(handle, a->n, a->x, a->incx, a->result)
                           : function.narrow(handle, (int)a->n, a->x, (int)a->incx, a->result);
    return gbl_cublas_end(result, what, message);
}

static gable_status run_nrm2(gbl_queue *queue, void *stream, const void *args, gbl_message *message)
{
    return reduce(api.nrm2, "nrm2", queue, stream, args, message);
}

static gable_status run_asum(gbl_queue *queue, void *stream, const void *args, gbl_message *message)
{
    return reduce(api.asum, "asum", queue, stream, args, message);
}

/* A narrow result would fill half of the int64_t that waits for it. */
static gable_status run_amax(gbl_queue *queue, void *stream, const void *args, gbl_message *message)
{
    if (!gbl_cublas_is_wide())
        return gbl_fail(message, GABLE_NOT_SUPPORTED,
                        "this cuBLAS gives the position of amax in 32 bits and 64 are needed; use "
                        "another variant or cuBLAS 12");
    return reduce(api.amax, "amax", queue, stream, args, message);
}

gbl_task_function gbl_cublas_level1_task(const char *stem)
{
    static const struct {
        const char *stem;
        gbl_task_function task;
    } tasks[] = {{"copy", run_copy}, {"swap", run_swap}, {"axpy", run_axpy}, {"scal", run_scal},
                 {"rot", run_rot},   {"rotm", run_rotm}, {"dot", run_dot},   {"nrm2", run_nrm2},
                 {"asum", run_asum}, {"amax", run_amax}};
    for (size_t i = 0; i < sizeof tasks / sizeof tasks[0]; i++)
        if (strcmp(tasks[i].stem, stem) == 0)
            return tasks[i].task;
    return NULL;
}
