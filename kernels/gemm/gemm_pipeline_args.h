/* gemm_pipeline_args.h: arguments of the kernels for products whose tiles stand in a pipeline of
 * stages.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef GEMM_PIPELINE_ARGS_H
#define GEMM_PIPELINE_ARGS_H
#include "gemm_args.h"

typedef struct gemm_pipeline_args {
    gemm_args of;
    i64 raster; /* tiles along the shorter side of a band of tiles */
    i64 early;  /* 1: the next launch may begin on units that are free */
} gemm_pipeline_args;

#endif
