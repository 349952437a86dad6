/* gable.h: the one header of Gable, linear algebra for GPUs and CPUs.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Open a context on a device, put vectors and matrices into its memory, call routines by their BLAS
 * names, read the results back. Matrices are column-major, sizes are int64_t, strides count
 * elements. Device memory is a plain pointer on every device, and pointer arithmetic works.
 *
 * Every function that can fail returns a gable_status; the context keeps a sentence that names the
 * function, the argument, its value and the rule (gable_message). In messages the context is
 * argument 1. The library never prints, exits or aborts; it writes to the standard error only when
 * GABLE_DEBUG=log or a profile asks for it.
 *
 * Environment: GABLE_DEVICE (default device), GABLE_VARIANT (forced variants), GABLE_MATH
 * (gable_set_math), GABLE_DEBUG (sync, log, check, lanes: docs/debugging.md), GABLE_KERNEL_DIR
 * (kernel sources read from a folder), GABLE_NVRTC (path of libnvrtc), GABLE_BLAS and GABLE_LAPACK
 * (paths of the CPU's BLAS and LAPACK; the latter may be "none"), GABLE_CUBLAS (path of libcublas),
 * GABLE_PROFILE (a profile of the program), GABLE_HOST and GABLE_HOST_MEMORY (gable_host_ calls:
 * docs/doors.md), XDG_CACHE_HOME (kernel cache), XDG_DATA_HOME (measurements).
 */
#ifndef GABLE_GABLE_H
#define GABLE_GABLE_H

#include "gable/types.h"

#if defined(__GNUC__) || defined(__clang__)
#define GABLE_API __attribute__((visibility("default")))
#else
#define GABLE_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

#define GABLE_VERSION_MAJOR 0
#define GABLE_VERSION_MINOR 1
#define GABLE_VERSION_PATCH 0

/* The version of the library at run time, "0.1.0". */
GABLE_API const char *gable_version(void);

/* "GABLE_BAD_ARGUMENT" and "an argument has an illegal value"; never NULL. */
GABLE_API const char *gable_status_name(gable_status status);
GABLE_API const char *gable_status_text(gable_status status);

/* ---- Devices and contexts ---- */

/* How many devices were found, usable or not, and what the device of an index in [0, count) is. The
 * description says why a device cannot be used. A library that is missing altogether (no CUDA
 * driver, no OpenCL loader) is listed as one unusable device, so that its reason can be shown. */
GABLE_API int gable_device_count(void);
GABLE_API gable_status gable_device_describe(int index, gable_device_info *info);

/* Opens a context. device is "cuda:0", "cuda", "opencl:1", "opencl:pocl" (a piece of the device's
 * or platform's name, case-insensitive) or "cpu"; NULL or "" takes $GABLE_DEVICE, else the best: a
 * CUDA GPU, an OpenCL GPU, the cpu. When a better kind of device could not be used, the context
 * opens on the next and gable_message says why. A named device that cannot be opened is
 * GABLE_NO_DEVICE. *ctx is set even on failure (unless memory is gone: then NULL), so that
 * gable_message(*ctx) tells the reason; close it in this case, too.
 *
 * A context belongs to the process that opened it. In a child of fork every call on it is
 * GABLE_DEVICE_LOST, and gable_close frees its host memory and nothing on the device. The child
 * opens contexts of its own: cpu always works; CUDA or OpenCL works where the parent had not used
 * it, also not by gable_device_count or an opening without a name, and is GABLE_NO_DEVICE
 * otherwise. */
GABLE_API gable_status gable_open(gable_context **ctx, const char *device);

/* Waits for the queue, frees what the context owns (recordings and timers too). NULL is legal.
 * Solvers of the context lose what they have on the device and can then only be destroyed; sparse
 * matrices stay until gable_sparse_destroy, by another context of the device. From a function that
 * a solver of the context calls nothing happens: gable_message says why. */
GABLE_API void gable_close(gable_context *ctx);

/* The last message of the context; never NULL. It stays until the next call on the context fails.
 */
GABLE_API const char *gable_message(const gable_context *ctx);

/* The device of a context, as gable_device_describe. */
GABLE_API gable_status gable_context_describe(const gable_context *ctx, gable_device_info *info);

/* Waits until all enqueued work is done. A fault of the device during an earlier call shows here.
 *
 * Workspace is given back to the device here and nowhere else before the context closes, but where
 * memory would be refused: all pieces but the one that holds what was needed at once; and that one,
 * too, where it is above 32 MiB and above twice what calls needed since an earlier gable_sync, a
 * second ago or more. So a program that calls once, and then only synchronises, keeps nothing
 * large: products of matrices on odd addresses, for example, work on copies of them. What
 * gable_reserve gave stays. gable_workspace tells what is held. */
GABLE_API gable_status gable_sync(gable_context *ctx);

/* Later work of ctx runs after all work enqueued so far on other. Both must be on the same device.
 * Does not wait on the host. */
GABLE_API gable_status gable_wait(gable_context *ctx, gable_context *other);

/* CUDA: uses the caller's stream (a CUstream or cudaStream_t; NULL: the context's own again). The
 * new stream waits for work that was enqueued before. The stream must outlive its use. get_stream
 * gives the stream in use, NULL on devices without streams.
 *
 * Most CUDA programs, PyTorch among them, name no stream, or 0: that is the legacy default stream,
 * and here it is GABLE_STREAM_LEGACY. GABLE_STREAM_PER_THREAD is the default stream of programs
 * built with --default-stream per-thread: that of the thread that makes a call, so use the context
 * in one thread. Both are the numbers of CU_STREAM_LEGACY and CU_STREAM_PER_THREAD, which may be
 * given, too. */
#define GABLE_STREAM_LEGACY     ((void *)1)
#define GABLE_STREAM_PER_THREAD ((void *)2)
GABLE_API gable_status gable_set_stream(gable_context *ctx, void *stream);
GABLE_API gable_status gable_get_stream(gable_context *ctx, void **stream);

/* Forces the variant of an op: "dot=two_pass", several ops separated by commas, tunables after
 * colons ("dot=one_pass:local=256:vec=4"); "dot=" lifts it, NULL lifts all. Of a list,
 * "gemv=blocks_n|blocks_t", the first that fits a call runs. Unknown names are GABLE_BAD_ARGUMENT;
 * a call that no forced variant fits is GABLE_NOT_SUPPORTED. Where a forced variant calls its own
 * op, what it calls is not forced. $GABLE_VARIANT is applied when a context opens. */
GABLE_API gable_status gable_set_variant(gable_context *ctx, const char *choice);

/* What products of matrices in single precision may be made of, from the next call on.
 *
 * GABLE_MATH_PLAIN, the default: fused multiply-adds of single precision.
 * GABLE_MATH_TF32X3: tensor cores may be used. Each element of A and B is split into two numbers of
 * 11 bits, and three products of those are summed; sums of 16 terms are then added up in single
 * precision. Products of fewer than 128 terms stay plain. For finite data the error is within the
 * bound of docs/numerics.md, which is below that of plain sums; a table there compares measured
 * errors. An Inf in A or B, or an element within 2^-12 of the largest float, becomes a NaN in C.
 * Each element may lose up to 1.2e-38, the smallest normal float.
 *
 * The mode is a permission. gemm in s, and the routines made of it (gemmt, syrk, syr2k, symm, trmm,
 * trsm), use it where the device has such units (CUDA from sm_90a on) and where it pays; other
 * calls and devices ignore it. Calls already in a recording keep the mode that they were made with.
 * An unknown mode is GABLE_BAD_ARGUMENT. $GABLE_MATH ("plain", "tf32x3") is applied when a context
 * opens. */
GABLE_API gable_status gable_set_math(gable_context *ctx, gable_math math);
GABLE_API gable_status gable_get_math(gable_context *ctx, gable_math *math);

/* Measures what the device can do (bandwidth of memory and cache, arithmetic, launches, hand-overs,
 * the host link) and stores it in $XDG_DATA_HOME/gable/roofs.jsonl for this and later processes:
 * the figures from which times are predicted and variants chosen where nothing was tuned. About a
 * second on a GPU, up to some seconds on a CPU; takes at most a sixteenth of the memory meanwhile
 * and returns when it is done. Where the machine is busier than when it was measured before, the
 * better figures of both count. A folder that cannot be written is no error. No other call
 * measures. Not during a recording. */
GABLE_API gable_status gable_calibrate(gable_context *ctx);

/* Allocates workspace up front, so that later calls need not. It stays until the context closes. */
GABLE_API gable_status gable_reserve(gable_context *ctx, size_t bytes);

/* How much memory of the device a context holds: workspace, now and the most ever, and what
 * gable_alloc gave. Waits for nothing. gable_reserve of info->most_taken, when a context opens, is
 * enough for the calls made so far. */
GABLE_API gable_status gable_workspace(gable_context *ctx, gable_workspace_info *info);

/* ---- Memory ---- */

/* Device memory. bytes = 0 gives NULL. Aligned to 256 bytes at least (64 on cpu). Before memory is
 * refused, workspace that nothing uses is given back, for which the call waits. gable_free waits
 * for the queue; NULL is legal, and what gable_alloc did not give, or what was freed, is
 * refused. */
GABLE_API gable_status gable_alloc(gable_context *ctx, size_t bytes, void **address);
GABLE_API gable_status gable_free(gable_context *ctx, void *address);

/* Copies n elements of elem_bytes each, with strides of at least 1, or an m by n column-major
 * matrix with leading dimensions of at least max(1, m), between host and device. set_ returns when
 * the host memory may be reused, get_ when it is filled. Neither can be recorded. */
GABLE_API gable_status gable_set_vector(gable_context *ctx, int64_t n, size_t elem_bytes,
                                        const void *x, int64_t incx, void *dx, int64_t incdx);
GABLE_API gable_status gable_get_vector(gable_context *ctx, int64_t n, size_t elem_bytes,
                                        const void *dx, int64_t incdx, void *x, int64_t incx);
GABLE_API gable_status gable_set_matrix(gable_context *ctx, int64_t m, int64_t n, size_t elem_bytes,
                                        const void *A, int64_t lda, void *dA, int64_t ldda);
GABLE_API gable_status gable_get_matrix(gable_context *ctx, int64_t m, int64_t n, size_t elem_bytes,
                                        const void *dA, int64_t ldda, void *A, int64_t lda);

/* Copies or fills device memory, enqueued and recordable. The ranges of a copy must not overlap. */
GABLE_API gable_status gable_copy_bytes(gable_context *ctx, void *destination, const void *source,
                                        size_t bytes);
GABLE_API gable_status gable_fill_bytes(gable_context *ctx, void *address, unsigned char value,
                                        size_t bytes);

/* ---- Timers ---- */

/* A stopwatch on the device's clock. start and stop are enqueued; seconds waits for the stop. */
GABLE_API gable_status gable_timer_create(gable_context *ctx, gable_timer **timer);
GABLE_API gable_status gable_timer_start(gable_timer *timer);
GABLE_API gable_status gable_timer_stop(gable_timer *timer);
GABLE_API gable_status gable_timer_seconds(gable_timer *timer, double *seconds);
GABLE_API void gable_timer_destroy(gable_timer *timer);

/* ---- Recordings ---- */

/* Between begin and end nothing runs: calls are checked and written down. Scalars by value are
 * frozen, device scalars are read at each replay. A call that must wait for the host (a result in
 * host memory, set_, get_, sync, alloc) answers GABLE_NOT_RECORDABLE and leaves the recording as
 * it was. The recording owns its workspace; a replay gives the bits the calls themselves would
 * give. gable_record_end gives the recording; with recording = NULL it is dropped. A recording is
 * replayed on its own context. It must be destroyed before that context closes, or is destroyed
 * with it. A replay is GABLE_BAD_ARGUMENT where the recording was destroyed, or a sparse matrix
 * that it uses; memory that was freed is found under GABLE_DEBUG=check. */
GABLE_API gable_status gable_record_begin(gable_context *ctx);
GABLE_API gable_status gable_record_end(gable_context *ctx, gable_recording **recording);
GABLE_API gable_status gable_replay(gable_context *ctx, gable_recording *recording);
GABLE_API void gable_recording_destroy(gable_recording *recording);

/* ---- Compiling ahead of time ---- */

/* A kernel is compiled at the first call that needs it, one after the other: seconds in all where a
 * program makes many kinds of calls. Between gable_prepare_begin and gable_prepare_end nothing runs
 * and no operand is read or written: calls are checked, and the kernels that they need are noted.
 * gable_prepare_end compiles those that are not there yet, side by side on the host's cores. The
 * same calls then find all kernels ready, at once, in a recording, and on other contexts of the
 * device; so do calls that differ in pointers or scalars by value alone. Kernels depend on sizes,
 * strides, alignment and on the variant that is chosen: prepare the calls that will be made.
 *
 * All routines that a recording takes can be prepared, also with results in host memory, which are
 * left as they are. What a recording refuses (set_, get_, sync, alloc, sparse matrices that are
 * made or converted, solves) answers GABLE_NOT_RECORDABLE and is left out; a recording cannot begin
 * here, nor this in a recording. A call that fails its checks is left out, too. Where a kernel
 * cannot be compiled, gable_prepare_end gives GABLE_COMPILE_FAILED and the compiler's log, after it
 * tried the others; calls are no longer prepared then either. On cpu there is nothing to
 * compile. */
GABLE_API gable_status gable_prepare_begin(gable_context *ctx);
GABLE_API gable_status gable_prepare_end(gable_context *ctx);

/* ---- Profiles ---- */

/* Counts and times the calls of all contexts of the process, from start to stop or to the program's
 * end. `what` holds, separated by commas: "summary", a table on the standard error at the end; the
 * path of one file that ends in .json (and has no comma), which gets one line per call and loads as
 * a trace in Perfetto or chrome://tracing; and "times", by the devices' clocks. Without "times" it
 * is the host's time in a call, which on GPUs is that of enqueueing. docs/profile.md tells how to
 * read both, and what they cost.
 *
 * $GABLE_PROFILE, with the same words, starts a profile when the first context opens. One profile
 * runs at a time. start gives GABLE_BAD_ARGUMENT where `what` is wrong, a file cannot be written or
 * a profile runs already; stop gives it where none runs, or not all of the file could be written.
 * ctx takes the message. Calls that are under way in other threads at a start or stop are not
 * counted. */
GABLE_API gable_status gable_profile_start(gable_context *ctx, const char *what);
GABLE_API gable_status gable_profile_stop(gable_context *ctx);

/* ---- Operands in host memory ---- */

/* gable_host_dgemm and its like (typed_host.h) take operands in host or device memory.
 * docs/doors.md tells what runs where.
 *
 * gable_host_pin locks bytes of the caller's memory in place, so that copies need not pass through
 * other memory: it pays for arrays that many calls use. They must not be pinned yet, and must be
 * unpinned, by the same address, before they are freed. Where pinned memory is of no use (cpu,
 * OpenCL) nothing happens. Waits for nothing. */
GABLE_API gable_status gable_host_pin(gable_context *ctx, void *address, size_t bytes);
GABLE_API gable_status gable_host_unpin(gable_context *ctx, void *address);

/* Gives back what gable_host_ calls keep for the next one: memory of the device, and of the host
 * that results of LAPACK's routines pass through. Waits. */
GABLE_API gable_status gable_host_release(gable_context *ctx);

/* What ran the last gable_host_ call of the context: "cuda:0", "cpu", or "cuda:0, then cpu" where
 * the device failed after a part of the result had been delivered. "" before the first. The text
 * stays until the next such call. */
GABLE_API const char *gable_last_device(const gable_context *ctx);

/* Takes the operands of a gable_host_ call back, by another thread, where the device's driver does
 * not return. 1: the call has changed nothing that it reads, and touches its operands no more; it
 * gives GABLE_DEVICE_LOST should it ever end, and the context is lost. 0: not now. The driver has
 * returned from a call or answered a question since it was last asked, or the host computes a part,
 * so the call goes on; or it has delivered a part of the result over an input. Ask again after a
 * time in which a sound driver would have answered. */
GABLE_API int gable_host_recall(gable_context *ctx);

/* ---- Sparse matrices and solvers ---- */

#include "gable/sparse.h"

/* ---- Routines, in four precisions ---- */

#define GABLE_T            float
#define GABLE_R            float
#define GABLE_FN(f)        gable_s##f
#define GABLE_FN_SPARSE(f) gable_sparse_s##f
#define GABLE_FN_HOST(f)   gable_host_s##f
#define GABLE_FN_R(f)      gable_s##f
#define GABLE_FN_I(f)      gable_is##f
#define GABLE_COMPLEX      0
#include "gable/typed.h"
#undef GABLE_T
#undef GABLE_R
#undef GABLE_FN
#undef GABLE_FN_SPARSE
#undef GABLE_FN_HOST
#undef GABLE_FN_R
#undef GABLE_FN_I
#undef GABLE_COMPLEX

#define GABLE_T            double
#define GABLE_R            double
#define GABLE_FN(f)        gable_d##f
#define GABLE_FN_SPARSE(f) gable_sparse_d##f
#define GABLE_FN_HOST(f)   gable_host_d##f
#define GABLE_FN_R(f)      gable_d##f
#define GABLE_FN_I(f)      gable_id##f
#define GABLE_COMPLEX      0
#include "gable/typed.h"
#undef GABLE_T
#undef GABLE_R
#undef GABLE_FN
#undef GABLE_FN_SPARSE
#undef GABLE_FN_HOST
#undef GABLE_FN_R
#undef GABLE_FN_I
#undef GABLE_COMPLEX

#define GABLE_T            gable_cfloat
#define GABLE_R            float
#define GABLE_FN(f)        gable_c##f
#define GABLE_FN_SPARSE(f) gable_sparse_c##f
#define GABLE_FN_HOST(f)   gable_host_c##f
#define GABLE_FN_R(f)      gable_sc##f
#define GABLE_FN_I(f)      gable_ic##f
#define GABLE_FN_M(f)      gable_cs##f
#define GABLE_COMPLEX      1
#include "gable/typed.h"
#undef GABLE_T
#undef GABLE_R
#undef GABLE_FN
#undef GABLE_FN_SPARSE
#undef GABLE_FN_HOST
#undef GABLE_FN_R
#undef GABLE_FN_I
#undef GABLE_FN_M
#undef GABLE_COMPLEX

#define GABLE_T            gable_cdouble
#define GABLE_R            double
#define GABLE_FN(f)        gable_z##f
#define GABLE_FN_SPARSE(f) gable_sparse_z##f
#define GABLE_FN_HOST(f)   gable_host_z##f
#define GABLE_FN_R(f)      gable_dz##f
#define GABLE_FN_I(f)      gable_iz##f
#define GABLE_FN_M(f)      gable_zd##f
#define GABLE_COMPLEX      1
#include "gable/typed.h"
#undef GABLE_T
#undef GABLE_R
#undef GABLE_FN
#undef GABLE_FN_SPARSE
#undef GABLE_FN_HOST
#undef GABLE_FN_R
#undef GABLE_FN_I
#undef GABLE_FN_M
#undef GABLE_COMPLEX

/* ---- Routines in single precision whose sums are double ---- */

/* result := sum of x_i y_i, in double throughout (0 for n = 0) */
GABLE_API gable_status gable_dsdot(gable_context *ctx, int64_t n, const float *x, int64_t incx,
                                   const float *y, int64_t incy, double *result);

/* result := alpha + sum of x_i y_i, added in double, rounded once (alpha for n = 0) */
GABLE_API gable_status gable_sdsdot(gable_context *ctx, int64_t n, float alpha, const float *x,
                                    int64_t incx, const float *y, int64_t incy, float *result);
/* alpha on the device */
GABLE_API gable_status gable_sdsdot_dev(gable_context *ctx, int64_t n, const float *alpha,
                                        const float *x, int64_t incx, const float *y, int64_t incy,
                                        float *result);

#ifdef __cplusplus
}
#endif

#endif
