/* operand.h: the arguments of a routine as data: its description.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A description is a constant list of operands in the order of the prototype. The context is
 * argument 1, so the first operand is argument 2. Argument checks (arguments.h), size classes and
 * canonical calls (call_class.h), profiles, benchmarks and tests walk the list; none of them names
 * a routine. Entries behind the arguments, of kinds from GBL_SWITCH on, say what else a call is
 * told apart by; they have no number.
 */
#ifndef GBL_OPERAND_H
#define GBL_OPERAND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "gable/types.h"

typedef enum gbl_kind {
    /* Flags: gable_trans, gable_uplo, gable_diag, gable_side, gable_norm, gable_vect, gable_job (of
     * which `jobs` are legal), gable_range. */
    GBL_TRANS = 1,
    GBL_UPLO,
    GBL_DIAG,
    GBL_SIDE,
    GBL_NORM,
    GBL_VECT,
    GBL_JOB,
    GBL_RANGE,
    /* int64_t, 0 or more. Without rows, columns or members of the batch a call touches nothing. */
    GBL_SIZE,
    GBL_ORDER, /* rows and columns of a square: stands at `at` and at `step` */
    /* diagonals of a band, terms of a product: 0 does not make a call empty; also at `step`, if
     * set */
    GBL_WIDTH,
    GBL_BATCH,
    GBL_SCALAR, /* a gbl_scalar: by value, or one number in the device's memory */
    /* Addresses. */
    GBL_VECTOR,  /* `rows` elements, the stride at `step` */
    GBL_MATRIX,  /* `rows` by `columns`, the leading dimension at `step` */
    GBL_NUMBERS, /* `rows` elements one behind the other: packed triangles, pivots, parameters */
    GBL_RESULT,  /* the same, in the host's memory or the device's */
    /* int64_t. */
    GBL_LD,    /* the leading dimension of the matrix whose `step` is here */
    GBL_INC,   /* the stride of the vector whose `step` is here */
    GBL_APART, /* from one member of a batch to the next, of the operand whose `apart` is here */
    /* Numbers that may be anything: seeds, bounds. The op's rules look at them. */
    GBL_ANY,

    /* Not in the prototype. */
    GBL_SWITCH, /* a bool that a choice depends on */
    /* a byte below 8 that a choice depends on, set by routines that are made of this one */
    GBL_MARK,
    GBL_CONSTANT, /* a byte that is `value` in all calls of the op */
    GBL_SAME,     /* whether the address at `at` is that at `step` */
} gbl_kind;

typedef enum gbl_access { GBL_READ = 1, GBL_WRITE = 2, GBL_READ_WRITE = 3 } gbl_access;

/* Which elements of each column: all, or a triangle with or without its diagonal. */
typedef enum gbl_shape {
    GBL_WHOLE,
    GBL_UPPER_PART,
    GBL_LOWER_PART,
    GBL_ABOVE_DIAGONAL,
    GBL_BELOW_DIAGONAL
} gbl_shape;

typedef struct gbl_operand {
    const char *name;
    gbl_kind kind;
    gbl_access access; /* of addresses */
    /* Offsets in the call; 0 is the dtype's, so it stands for none. */
    uint16_t at;
    uint16_t step;   /* stride or leading dimension */
    uint16_t apart;  /* from one member of a batch to the next */
    uint16_t factor; /* a scalar: where it is 0 by value this is not read */
    uint16_t absent; /* a bool: where it is set the prototype does not have this argument */
    uint16_t
        /* a bool: where it is set the address is that of an array of addresses, one a member */
        listed;
    int64_t (*rows)(const void *call);
    int64_t (*columns)(const void *call);
    gbl_shape (*shape)(const void *call); /* NULL: the whole */
    size_t (*element)(const void *call);  /* bytes; NULL: of the call's precision */
    const char *least;                    /* of GBL_LD: what `rows` is called in messages */
    /* An address: may be NULL where its factor is 0. GBL_UPLO: may be GABLE_GENERAL. */
    bool optional;
    bool in_place; /* may be the same elements as another operand */
    uint8_t key;   /* of GBL_SWITCH and GBL_SAME: its bit in the key; 0: it is only ranked */
    uint8_t value; /* of GBL_CONSTANT */
    uint8_t jobs;  /* of GBL_JOB: a GBL_JOB_BIT for each that is legal */
    bool complex;  /* of GBL_SWITCH: set in complex precisions only */
} gbl_operand;

/* gable_job as a number from 0 on, and sets of them. */
#define GBL_JOBS           6
#define GBL_JOB_NUMBER(of) ((int)(of) - (int)GABLE_NO_VECTORS)
#define GBL_JOB_BIT(of)    (1U << GBL_JOB_NUMBER(of))

/* The operands of an op, and its variants, from arrays. */
#define GBL_OPERANDS(list)                                                                         \
    .operands = (list), .operand_count = (int)(sizeof(list) / sizeof(list)[0])
#define GBL_VARIANTS(list)                                                                         \
    .variants = (list), .variant_count = (int)(sizeof(list) / sizeof(list)[0])
/* One that gives the same bits whenever it runs. */
#define GBL_VARIANT(name_, ...)                                                                    \
    {                                                                                              \
        .name = name_, .deterministic = true, __VA_ARGS__                                          \
    }

/* The functions of a variant with kernels, but for `fits`: prefix_run and so on. */
#define GBL_DECLARE_KERNEL_VARIANT(prefix)                                                         \
    gable_status prefix##_run(gable_context *ctx, const gbl_variant *self, const void *call,       \
                              const gbl_params *params);                                           \
    int prefix##_specs(const gbl_variant *self, const void *call, const gbl_params *params,        \
                       const gbl_device *device, gbl_kernel_spec *specs);                          \
    void prefix##_cost(const gbl_variant *self, const void *call, const gbl_params *params,        \
                       const gbl_device *device, gbl_cost *cost);                                  \
    bool prefix##_legal(const gbl_variant *self, const void *call, const gbl_params *params,       \
                        const gbl_device *device, uint64_t *hash);

static inline bool gbl_is_argument(const gbl_operand *operand)
{
    return operand->kind < GBL_SWITCH;
}

/* Whether a flag is a job that the routine takes. */
static inline bool gbl_is_legal_job(const gbl_operand *operand, int flag)
{
    return flag >= GABLE_NO_VECTORS && flag < GABLE_NO_VECTORS + GBL_JOBS &&
           (operand->jobs >> GBL_JOB_NUMBER(flag) & 1) != 0;
}

/* LAPACK's letter of a job. */
static inline char gbl_job_letter(int flag)
{
    return flag >= GABLE_NO_VECTORS && flag < GABLE_NO_VECTORS + GBL_JOBS
               ? "NVIASO"[GBL_JOB_NUMBER(flag)]
               : '?';
}

static inline bool gbl_is_address(const gbl_operand *operand)
{
    return operand->kind >= GBL_VECTOR && operand->kind <= GBL_RESULT;
}

/* ---- What stands in a call ---- */

static inline int64_t gbl_call_integer(const void *call, uint16_t at)
{
    return *(const int64_t *)(const void *)((const char *)call + at);
}

static inline int gbl_call_flag(const void *call, uint16_t at)
{
    return *(const int *)(const void *)((const char *)call + at);
}

static inline bool gbl_call_switch(const void *call, uint16_t at)
{
    return at != 0 && *(const bool *)((const char *)call + at);
}

static inline void *gbl_call_address(const void *call, uint16_t at)
{
    return *(void *const *)(const void *)((const char *)call + at);
}

#endif
