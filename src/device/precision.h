/* precision.h: the precision a typed file is compiled for. Included by src/api/typed and src/cpu
 * only.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * CMake compiles those files four times, with PREC_S, PREC_D, PREC_C or PREC_Z defined.
 *   T, R          element type and its real type
 *   DTYPE         GBL_S ... GBL_Z
 *   COMPLEX       0 or 1
 *   FN(f)         gable_sf ...; FN_R(f): gable_sf gable_df gable_scf gable_dzf
 *   FN_I(f)       gable_isf gable_idf gable_icf gable_izf; FN_M(f): gable_csf gable_zdf, complex
 *                 only
 *   PRIVATE(f)    gbl_cpu_sf ... for the C kernels of the cpu
 *   FN_SPARSE(f)  gable_sparse_sf ...
 */
#ifndef GBL_PRECISION_H
#define GBL_PRECISION_H

#include "gable/types.h"
#include "device/dtype.h"

#if defined(PREC_S)
#define T            float
#define R            float
#define DTYPE        GBL_S
#define COMPLEX      0
#define FN(f)        gable_s##f
#define FN_R(f)      gable_s##f
#define FN_I(f)      gable_is##f
#define PRIVATE(f)   gbl_cpu_s##f
#define FN_SPARSE(f) gable_sparse_s##f
#elif defined(PREC_D)
#define T            double
#define R            double
#define DTYPE        GBL_D
#define COMPLEX      0
#define FN(f)        gable_d##f
#define FN_R(f)      gable_d##f
#define FN_I(f)      gable_id##f
#define PRIVATE(f)   gbl_cpu_d##f
#define FN_SPARSE(f) gable_sparse_d##f
#elif defined(PREC_C)
#define T            gable_cfloat
#define R            float
#define DTYPE        GBL_C
#define COMPLEX      1
#define FN(f)        gable_c##f
#define FN_R(f)      gable_sc##f
#define FN_I(f)      gable_ic##f
#define FN_M(f)      gable_cs##f
#define PRIVATE(f)   gbl_cpu_c##f
#define FN_SPARSE(f) gable_sparse_c##f
#elif defined(PREC_Z)
#define T            gable_cdouble
#define R            double
#define DTYPE        GBL_Z
#define COMPLEX      1
#define FN(f)        gable_z##f
#define FN_R(f)      gable_dz##f
#define FN_I(f)      gable_iz##f
#define FN_M(f)      gable_zd##f
#define PRIVATE(f)   gbl_cpu_z##f
#define FN_SPARSE(f) gable_sparse_z##f
#else
#error "a typed file needs PREC_S, PREC_D, PREC_C or PREC_Z"
#endif

/* The name of a typed function as text. */
#define NAME(f)      NAME_TEXT(f)
#define NAME_TEXT(f) #f

#endif
