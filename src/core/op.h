/* op.h: what Gable knows about a routine, and how one call of it is run.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * An op has a stem, its operands in the order of the prototype, its work (the fewest bytes and
 * flops any method needs) and a table of variants: plain reference first, faster variants after it.
 * A call is a struct that starts with its dtype. Checks, tests, benchmarks, tuner, model and
 * profile all read the same op.
 */
#ifndef GBL_OP_H
#define GBL_OP_H

#include "core/operand.h"
#include "device/dtype.h"
#include "device/device.h"
#include "gable/gable.h"

#define GBL_MAX_PARAMS  16
#define GBL_LOCAL_STEPS 12 /* of an exchange through local memory, in gbl_cost.steps */
/* of the end of a group that combined: scalars, the store of its result */
#define GBL_END_STEPS       10
#define GBL_MAX_OPS         256
#define GBL_MAX_VARIANTS    64 /* of an op: a bit each */
#define GBL_MAX_CALL_BYTES  512
#define GBL_MAX_SHAPE_BYTES 128
#define GBL_KNOWN_CALLS     256 /* a power of two */
#define GBL_KNOWN_OPERANDS  8
#define GBL_MAX_SPECS       4  /* kernels of one call */
#define GBL_MAX_PARTS       40 /* kinds of calls within one */

/* The first member of every call. */
typedef struct gbl_call {
    gbl_dtype dtype;
} gbl_call;

/* What any method must move and compute. */
typedef struct gbl_work {
    double bytes_read, bytes_written, flops;
} gbl_work;

/* What one variant moves and computes. */
typedef struct gbl_cost {
    double memory_bytes;  /* through device memory */
    double written_bytes; /* of those; 0: as many as the op's work says */
    double
        missed_bytes; /* that memory could have moved beside them: between short pieces it idles */
    double cache_bytes; /* through the last-level cache, beyond those */
    double local_bytes; /* through local memory */
    /* The same as its banks see it, where they may hold a variant back: an access by lanes that
     * share an address counts as if each had its own. 0: they do not. */
    double bank_bytes;
    /* Of the arena while it runs; of a variant that calls other ops without theirs. */
    double workspace_bytes;
    double flops;
    double matrix_flops; /* of the matrix units, beside those */
    double launches;
    double barriers; /* hand-overs between groups within a launch, one after the other */
    /* Exchanges between work-items of a group, one after the other: a shuffle and an addition is
     * one, through local memory with its barriers it is GBL_LOCAL_STEPS. */
    double steps;
    double waits;    /* loads from memory on a core that wait for the one before (host_cost.h) */
    bool overlapped; /* steps and barriers go on while memory streams, not behind it */
    /* Steps and waits are those of one group: groups that follow one another have them again. */
    bool in_waves;
    double groups;
    double group_items;     /* work-items per group */
    double bytes_in_flight; /* that one group keeps requested */
} gbl_cost;

typedef struct gbl_params {
    int32_t value[GBL_MAX_PARAMS];
} gbl_params;

/* A tunable: its name in "dot=one_pass:vec=4", its legal values, the value without any tuning. */
typedef struct gbl_param {
    const char *name;
    const int32_t *values;
    int count;
    int32_t fallback;
} gbl_param;

/* Its values, from an array. */
#define GBL_VALUES(list) .values = (list), .count = (int)(sizeof(list) / sizeof(list)[0])

/* What a variant that calls other ops is made of: a sample of such calls, and how many like it
 * there are. */
struct gbl_op;
typedef struct gbl_part_call {
    const struct gbl_op
        *op; /* NULL: a kernel of the variant itself, and `cost` is that of one launch */
    double count;
    gbl_cost cost;
    _Alignas(16) unsigned char call[GBL_MAX_CALL_BYTES];
} gbl_part_call;

/* One way to compute an op. Its functions get the variant itself, so that variants of several ops
 * may share them and read from `detail` what differs. */
struct gbl_kernel_spec;
typedef struct gbl_variant gbl_variant;
struct gbl_variant {
    const char *name;
    bool deterministic;
    bool vendor; /* another library's work: never chosen by default */
    bool (*fits)(const gbl_variant *self, const void *call, const gbl_device *device);
    gable_status (*run)(gable_context *ctx, const gbl_variant *self, const void *call,
                        const gbl_params *params);
    void (*cost)(const gbl_variant *self, const void *call, const gbl_params *params,
                 const gbl_device *device, gbl_cost *cost);
    const gbl_param *space;
    int space_count;
    /* Whether `run` can compute a call with these tunables on a device, as far as that is known
     * without compiling, and makes sense there. Tunables with equal `*plan` come to the same work:
     * a hash of what is launched. NULL: only the tunables' lists and the size of a group count. */
    bool (*legal)(const gbl_variant *self, const void *call, const gbl_params *params,
                  const gbl_device *device, uint64_t *plan);
    /* Tunables that a model looks at before it goes on from the best of them; NULL: none but the
     * fallbacks. */
    const gbl_params *starts;
    int start_count;
    const void *detail;
    /* Files in kernels/ that it compiles, with spaces between; NULL: none. Their text is part of
     * what was measured: core/kernel.h makes a hash of it. */
    const char *kernels;
    bool rung; /* there to compare with: never the model's choice */
    /* The kernels that `run` would ask for on a device that takes groups of any size, but those of
     * ops that it calls; gives how many, GBL_MAX_SPECS at most. Of the device only properties are
     * looked at. NULL: it has no kernels. */
    int (*specs)(const gbl_variant *self, const void *call, const gbl_params *params,
                 const gbl_device *device, struct gbl_kernel_spec *specs);
    /* How the work is cut and what it waits for, in words; NULL: nothing but its tunables tells. */
    void (*tell)(const gbl_variant *self, const void *call, const gbl_params *params,
                 const gbl_device *device, char *text, size_t text_bytes);
    /* Of a variant that calls other ops: what `run` does, in at most GBL_MAX_PARTS kinds; gives how
     * many. Its time is the sum of theirs, and `cost` says what they come to in bytes, flops and
     * launches. NULL: it calls none. */
    int (*parts)(const gbl_variant *self, const void *call, const gbl_params *params,
                 const gbl_device *device, gbl_part_call *parts);
};

/* A struct of calls, as bytes. */
typedef struct gbl_call_layout {
    size_t call_bytes; /* GBL_MAX_CALL_BYTES at most */
    /* So many first bytes of a call, a multiple of 8, and the alignment of the address at
     * `aligned_at` (0: of none) decide on the host what is chosen; 0: more does.
     * GBL_MAX_SHAPE_BYTES at most. */
    size_t shape_bytes, aligned_at;
    size_t
        /* in a shape: from here on at least four integers, of which the first are sizes */
        sizes_at;
} gbl_call_layout;

/* The description of a routine: what it is called with, what it must do, and the ways to do it. */
typedef struct gbl_op {
    const char *stem;
    const gbl_call_layout *layout;
    unsigned dtypes;             /* bits of the precisions it exists in; 0: all */
    const gbl_operand *operands; /* in the order of the prototype */
    int operand_count;
    /* Whether a call is legal and touches something, told by few comparisons: then its operands are
     * not walked. Others may be legal, too. NULL: there is no such test. */
    bool (*plain)(const gable_context *ctx, const void *call);
    bool (*idle)(const void *call); /* nothing is to do though no size is 0; NULL: never */
    /* What operands cannot say of themselves: behind their own checks. NULL: nothing. */
    gable_status (*rules)(gable_context *ctx, const void *call);
    void (*work)(const void *call, gbl_work *work);
    /* Of vectors that are walked together: the bytes that all of them stand on after a few
     * elements. NULL: operands are ranked each by its own alignment. */
    int32_t (*alignment)(const void *call);
    bool elementwise; /* of matrices: where no column is followed by a gap, all of them are one */
    /* What measurements are kept by (key.h). NULL: operands say it (call_class.h). An op with one
     * of its own has more in a call than its operands say: no call can be made from them. */
    uint64_t (*key)(const void *call);
    /* With a key of its own: the call that stands for all that have the same key. NULL: the call
     * itself. */
    void (*canonical)(const void *call, void *canonical);
    const gbl_variant *variants;
    int variant_count; /* GBL_MAX_VARIANTS at most */
} gbl_op;

/* Puts variants behind those of an op: rungs that a program compares with, and which the library
 * does not have. Before any context is opened. The table that is made lasts as long as the process;
 * false: there is no memory for it, or there are more than GBL_MAX_VARIANTS. */
bool gbl_op_extend(gbl_op *op, const gbl_variant *more, int count);

static inline bool gbl_op_has(const gbl_op *op, gbl_dtype dtype)
{
    return op->dtypes == 0 || (op->dtypes >> dtype & 1) != 0;
}

/* Whether calls of an op can be made from its operands. */
static inline bool gbl_op_described(const gbl_op *op)
{
    return op->key == NULL;
}

typedef struct gbl_choice {
    const gbl_variant *variant;
    gbl_params params;
} gbl_choice;

/* All that a choice depends on beside the device and what is known of it. Two calls with the same
 * question get the same choice, whatever was called before. */
typedef struct gbl_class {
    const gbl_op *op;
    uint64_t key, ranking;
    uint64_t fitting;          /* bit i: variant i fits the call and may run by default */
    const gbl_variant *forced; /* only its tunables are asked for; NULL: none is */
} gbl_class;

/* A class with the call that stands for it. */
typedef struct gbl_question {
    gbl_class of;
    const void *call; /* canonical, below, or the caller's own */
    _Alignas(16) unsigned char canonical[GBL_MAX_CALL_BYTES];
} gbl_question;

/* A forced variant of one op. */
typedef struct gbl_forced {
    const gbl_op *op;
    const gbl_variant *variant;
    gbl_params params;
    unsigned set; /* bit i: params.value[i] was given */
} gbl_forced;

/* On the host a call can take less time than its checks and its choice. One whose shape is that of
 * a call before is not even asked which variants fit; where that one was found legal whatever its
 * operands, neither are its arguments checked again, but for operands that are not there. */
typedef struct gbl_known_call {
    const gbl_op *op; /* NULL: none is kept here */
    uintptr_t alignment;
    uint64_t shape[GBL_MAX_SHAPE_BYTES / 8];
    gbl_choice choice;
    bool checked;
    int operand_count;
    /* Where the addresses of its operands stand in a call, and what they must not be. */
    struct {
        uint16_t at;
        const void *missing;
    } operands[GBL_KNOWN_OPERANDS];
} gbl_known_call;

/* Choices by class: core/choice_memo.h. Zeroed before use. */
typedef struct gbl_choice_memo {
    struct gbl_memo_entry *slots;
    size_t room, count;
} gbl_choice_memo;

/* Forced and memoised choices of a context. */
typedef struct gbl_choices {
    gbl_forced forced[GBL_MAX_OPS];
    int forced_count;
    /* The forced variant that runs now: where it calls its own op, what it calls is chosen freely.
     * NULL: none. */
    const gbl_variant *within;
    gbl_choice_memo memo;
    unsigned made;                         /* counts choices that were not known before */
    gbl_known_call known[GBL_KNOWN_CALLS]; /* on the host, the last calls */
} gbl_choices;

/* Runs one call: forced variant, else the memoised or fresh choice; observe; run. On failure a
 * recording in progress is as it was before. */
gable_status gbl_op_run(gable_context *ctx, const gbl_op *op, const void *call);

/* The same of a call that is known, or is to be: core/arguments.c uses it, and says in `learned`
 * what of a known call is not the choice (NULL: nothing). The first gives NULL where a call is not
 * known, or calls must not be: where it is recorded, forced, observed or guarded. */
const gbl_known_call *gbl_op_known(gable_context *ctx, const gbl_op *op, const void *call);
gable_status gbl_op_run_known(gable_context *ctx, const gbl_known_call *known, const void *call);
gable_status gbl_op_run_learning(gable_context *ctx, const gbl_op *op, const void *call,
                                 const gbl_known_call *learned);

/* While a preparation is in progress: runs a chosen variant as far as its launches, which are
 * dropped, and notes the kernels that it asks for. */
gable_status gbl_op_note(gable_context *ctx, const gbl_choice *choice, const void *call);

/* Which variant would run, without running it. */
gable_status gbl_op_choose(gable_context *ctx, const gbl_op *op, const void *call,
                           gbl_choice *choice);

/* Which variant a context that opens now would run, nothing forced; variant NULL: none fits. */
void gbl_op_foresee(const gbl_device *device, const gbl_op *op, const void *call,
                    gbl_choice *choice);

/* What is asked for a call; forced may be NULL. The question points into itself: it is not
 * copied. */
void gbl_question_make(const gbl_device *device, const gbl_op *op, const void *call,
                       const gbl_variant *forced, gbl_question *question);

/* Forgets what was chosen, and takes what is known now (measurements, roofs): a context that is
 * open does neither by itself. */
void gbl_choices_forget(gable_context *ctx);
/* Forgets what was chosen and no more: of a context that closes, and of tests whose hooks choose
 * otherwise from now on. */
void gbl_choices_clear(gable_context *ctx);

/* The values without any tuning. */
void gbl_params_fallback(const gbl_variant *variant, gbl_params *params);

/* For `legal`: whether a device takes groups of so many work-items, of which each loads so many
 * bytes before it uses them; and a hash of a plan, which was zeroed before it was filled. */
bool gbl_group_legal(const gbl_device *device, int64_t items, int64_t item_bytes);
uint64_t gbl_plan_hash(const void *plan, size_t bytes);

/* A variant by its name, or by the one it had before (core/former_names.h); NULL: there is none. */
const gbl_variant *gbl_variant_find(const gbl_op *op, const char *name);

/* Index of a tunable by name, or by its former one; -1: there is none. */
int gbl_param_index(const gbl_variant *variant, const char *name);

const gbl_op *gbl_op_find(const char *stem);

/* ---- Hooks: higher layers install themselves when a context opens ---- */

/* Picks a variant among the fitting ones, and its tunables. Without a hook: the first that fits,
 * untuned. */
typedef void (*gbl_choose_hook)(gable_context *ctx, const gbl_question *question,
                                gbl_choice *choice);
/* The same without a context, by what is known now. */
typedef void (*gbl_foresee_hook)(const gbl_device *device, const gbl_question *question,
                                 gbl_choice *choice);
/* What choices are based on, kept by a context from its opening on. */
typedef struct gbl_evidence_hooks {
    void *(*take)(const gbl_device *device); /* NULL: no memory */
    void (*drop)(void *evidence);
} gbl_evidence_hooks;
/* Told before (begin) and after each op that runs, with its depth. */
typedef void (*gbl_observe_hook)(gable_context *ctx, const gbl_op *op, const void *call,
                                 const gbl_choice *choice, bool begin, gable_status status);
void gbl_install_choose(gbl_choose_hook hook);
void gbl_install_foresee(gbl_foresee_hook hook);
void gbl_install_evidence(const gbl_evidence_hooks *hooks); /* a constant */
/* Of a context that opens or closes; false: no memory. */
bool gbl_evidence_take(gable_context *ctx);
void gbl_evidence_drop(gable_context *ctx);
void gbl_install_observe(gbl_observe_hook hook);
/* The list of all ops, ended by NULL; for names in GABLE_VARIANT and for the tools. */
void gbl_install_ops(const gbl_op *const *list);
const gbl_op *const *gbl_op_list(void);

/* "dot=two_pass,..." as gable_set_variant. */
gable_status gbl_force(gable_context *ctx, const char *choice);
/* Forces one op to a choice with all its tunables; NULL lifts what was forced for it. */
gable_status gbl_force_choice(gable_context *ctx, const gbl_op *op, const gbl_choice *choice);

#endif
