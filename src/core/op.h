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
#define GBL_MAX_SHAPE_BYTES 136
#define GBL_KNOWN_CALLS     256 /* a power of two */
#define GBL_KNOWN_OPERANDS  8
#define GBL_MAX_SPECS       12 /* kernels of one call */
#define GBL_MAX_PARTS       40 /* kinds of calls within one */
#define GBL_MOST_SHARED     16

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
    double written_bytes; /* how many of those are written; 0: as many as the op's work says */
    /* What memory could have moved in the time in which it idles between short pieces. */
    double missed_bytes;
    double cache_bytes; /* through the last-level cache, without memory_bytes */
    double local_bytes; /* through local memory */
    /* Traffic at the banks of local memory, for variants that bank conflicts can slow down: lanes
     * that read one address count as if each had read its own. 0: conflicts do not matter. */
    double bank_bytes;
    /* Of the arena while it runs; of a variant that calls other ops without theirs. */
    double workspace_bytes;
    double flops;
    double matrix_flops; /* of the matrix units; not part of flops */
    double launches;
    double barriers; /* hand-overs between groups within a launch, one after the other */
    /* Exchanges between work-items of a group, one after the other. A shuffle with its addition
     * counts 1, an exchange through local memory with its barriers GBL_LOCAL_STEPS. */
    double steps;
    double waits; /* loads on a core that wait for the load before them (host_cost.h) */
    /* Of one work-item while others stream: the longest chain of loads. */
    double longest_waits;
    bool overlapped; /* memory streams while steps and barriers go on */
    /* Steps and waits are those of one group. Groups that run one after another repeat them. */
    bool in_waves;
    double groups;
    double group_items;     /* work-items per group */
    double bytes_in_flight; /* bytes that one group has requested and not yet received */
} gbl_cost;

typedef struct gbl_params {
    int32_t value[GBL_MAX_PARAMS];
} gbl_params;

/* Tunables that many calls within a factorization share, few because each is another kernel: in
 * some precisions, a bit each (GBL_BIT_D). */
typedef struct gbl_shared {
    unsigned dtypes;
    gbl_params params;
} gbl_shared;
enum {
    GBL_BIT_S = 1 << GBL_S,
    GBL_BIT_D = 1 << GBL_D,
    GBL_BIT_C = 1 << GBL_C,
    GBL_BIT_Z = 1 << GBL_Z
};

/* A tunable: its name as in "dot=one_pass:vec=4", its values, and the one used without tuning. */
typedef struct gbl_param {
    const char *name;
    const int32_t *values;
    int count;
    int32_t fallback;
} gbl_param;

/* Its values, from an array. */
#define GBL_VALUES(list) .values = (list), .count = (int)(sizeof(list) / sizeof(list)[0])

/* One kind of call that a composed variant makes: an example, and how many like it there are. */
struct gbl_op;
typedef struct gbl_part_call {
    const struct gbl_op
        *op; /* NULL: a kernel of the variant itself; `cost` is that of one launch */
    double count;
    /* 0: nothing is beside it. 1, 2: it belongs to the first or the second of two chains that
     * gbl_beside enqueues (branch.h); together they take as long as the longer of them. */
    int chain;
    gbl_cost cost;
    _Alignas(16) unsigned char call[GBL_MAX_CALL_BYTES];
} gbl_part_call;

/* One way to compute an op. Variants of several ops may share functions: each gets the variant
 * itself and reads from its `detail` what differs. */
struct gbl_kernel_spec;
typedef struct gbl_variant gbl_variant;
struct gbl_variant {
    const char *name;
    bool deterministic;
    bool vendor; /* calls another library; never chosen by default */
    bool (*fits)(const gbl_variant *self, const void *call, const gbl_device *device);
    gable_status (*run)(gable_context *ctx, const gbl_variant *self, const void *call,
                        const gbl_params *params);
    void (*cost)(const gbl_variant *self, const void *call, const gbl_params *params,
                 const gbl_device *device, gbl_cost *cost);
    const gbl_param *space;
    int space_count;
    /* Whether these tunables can work for a call on a device and make sense there, as far as that
     * is known without compiling. *plan becomes a hash of what would be launched: tunables with
     * equal hashes do the same work. NULL: any values from the lists are legal whose groups the
     * device takes. */
    bool (*legal)(const gbl_variant *self, const void *call, const gbl_params *params,
                  const gbl_device *device, uint64_t *plan);
    /* Tunables at which the model's search starts; it goes on from the best of them. NULL: it
     * starts at the fallbacks. */
    const gbl_params *starts;
    int start_count;
    /* Tunables among which calls within a factorization choose (`rounded_parts`). NULL: they choose
     * as other calls do. */
    const gbl_shared *shared;
    int shared_count; /* GBL_MOST_SHARED at most */
    const void *detail;
    /* Files in kernels/ that it compiles, separated by spaces; NULL: none. A measurement is valid
     * for one text of them: core/kernel.h makes a hash of it. */
    const char *kernels;
    bool rung; /* only to compare with: the model never chooses it */
    /* The kernels that `run` would ask for if the device took groups of any size, without those of
     * ops that it calls. Returns how many, GBL_MAX_SPECS at most. It reads only the properties of
     * the device. NULL: the variant has no kernels. */
    int (*specs)(const gbl_variant *self, const void *call, const gbl_params *params,
                 const gbl_device *device, struct gbl_kernel_spec *specs);
    /* For `gable explain`: how the work is divided and what it waits for, in words. NULL: the
     * tunables say all. */
    void (*tell)(const gbl_variant *self, const void *call, const gbl_params *params,
                 const gbl_device *device, char *text, size_t text_bytes);
    /* Of a composed variant: the kinds of calls that `run` makes, GBL_MAX_PARTS at most. Returns
     * how many. The predicted time is the sum of theirs; `cost` has their bytes, flops and
     * launches. NULL: it calls no other op. */
    int (*parts)(const gbl_variant *self, const void *call, const gbl_params *params,
                 const gbl_device *device, gbl_part_call *parts);
};

/* How a call lies in memory. */
typedef struct gbl_call_layout {
    size_t call_bytes; /* GBL_MAX_CALL_BYTES at most */
    /* The shape: the first shape_bytes of a call, a multiple of 8 and GBL_MAX_SHAPE_BYTES at most.
     * On the host the choice depends on nothing but the shape and the alignment of the address at
     * `aligned_at` (0: of no address). shape_bytes 0: it depends on more. */
    size_t shape_bytes, aligned_at;
    /* Where in a shape the sizes begin: four integers or more, of which the first are sizes. */
    size_t sizes_at;
} gbl_call_layout;

/* The description of a routine: what it is called with, what it must do, and the ways to do it. */
typedef struct gbl_op {
    const char *stem;
    const gbl_call_layout *layout;
    unsigned dtypes;             /* a bit for each precision it exists in; 0: all of them */
    const gbl_operand *operands; /* in the order of the prototype */
    int operand_count;
    /* A quick test. True: the call is legal and has work to do, and its arguments are not checked
     * one by one. False says nothing. NULL: there is no such test. */
    bool (*plain)(const gable_context *ctx, const void *call);
    /* Whether there is nothing to do though no size is 0. NULL: never. */
    bool (*idle)(const void *call);
    /* Checks that involve several arguments, made behind those of each. NULL: none. */
    gable_status (*rules)(gable_context *ctx, const void *call);
    void (*work)(const void *call, gbl_work *work);
    /* Of ops that go along several vectors at once: the alignment in bytes that all of them reach
     * after the same few elements. NULL: each operand is ranked by its own alignment. */
    int32_t (*alignment)(const void *call);
    bool elementwise; /* matrices without gaps between their columns are treated as one column */
    /* The key that measurements are kept by (key.h). NULL: it is made from the operands
     * (call_class.h). An op with a key of its own has calls that its operands do not describe in
     * full, so that no call can be made from them. */
    uint64_t (*key)(const void *call);
    /* Only with a key of its own: the call that represents all calls with the same key. NULL: each
     * call represents itself. */
    void (*canonical)(const void *call, void *canonical);
    /* Calls within it are chosen for by rounded sizes (gbl_call_rounded), so that many of them have
     * one choice, and one kernel. */
    bool rounded_parts;
    const gbl_variant *variants;
    int variant_count; /* GBL_MAX_VARIANTS at most */
} gbl_op;

/* Adds variants behind those of an op: the rungs of a ladder, which are not in the library. To be
 * called before any context is opened. The new table is never freed. False: there is no memory for
 * it, or there would be more than GBL_MAX_VARIANTS. */
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

/* What a choice depends on, besides the device and what is known about it. Calls of one class get
 * the same choice, whatever was called before. */
typedef struct gbl_class {
    const gbl_op *op;
    uint64_t key, ranking;
    uint64_t fitting;          /* bit i: variant i fits the call and may run by default */
    bool within;               /* of a routine with `rounded_parts`: its sizes are rounded */
    const gbl_variant *forced; /* only its tunables are asked for; NULL: none is */
} gbl_class;

/* A class with the call that represents it. */
typedef struct gbl_question {
    gbl_class of;
    const void *call; /* canonical, below, or the caller's own */
    _Alignas(16) unsigned char canonical[GBL_MAX_CALL_BYTES];
} gbl_question;

/* A forced variant of one op. Of several that are forced, the first that fits a call runs. */
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
    gbl_forced forced[GBL_MAX_OPS]; /* those of one op in the order in which they are tried */
    int forced_count;
    /* The forced variant that runs now: where it calls its own op, what it calls is chosen freely.
     * NULL: none. */
    const gbl_variant *within;
    /* A routine with `rounded_parts` runs. */
    bool rounding;
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
gable_status gbl_op_note(gable_context *ctx, const gbl_op *op, const gbl_choice *choice,
                         const void *call);

/* Says which variant would run; runs nothing. */
gable_status gbl_op_choose(gable_context *ctx, const gbl_op *op, const void *call,
                           gbl_choice *choice);

/* Which variant a context that opens now would run, nothing forced; variant NULL: none fits. The
 * second is for a call within a routine that has `rounded_parts`, where `within` is true. */
void gbl_op_foresee(const gbl_device *device, const gbl_op *op, const void *call,
                    gbl_choice *choice);
void gbl_op_foresee_part(const gbl_device *device, const gbl_op *op, const void *call, bool within,
                         gbl_choice *choice);

/* What is asked for a call; forced may be NULL. The question points into itself: it is not
 * copied. */
void gbl_question_make(const gbl_device *device, const gbl_op *op, const void *call,
                       const gbl_variant *forced, gbl_question *question);
/* The same of a call that another routine makes: `within` one that has `rounded_parts`. */
void gbl_question_part(const gbl_device *device, const gbl_op *op, const void *call, bool within,
                       gbl_question *question);

/* Forgets what was chosen, and takes what is known now (measurements, roofs): a context that is
 * open does neither by itself. */
void gbl_choices_forget(gable_context *ctx);
/* Forgets what was chosen and no more: of a context that closes, and of tests whose hooks choose
 * otherwise from now on. */
void gbl_choices_clear(gable_context *ctx);

/* The values without any tuning. */
void gbl_params_fallback(const gbl_variant *variant, gbl_params *params);

/* For `legal`: whether a device takes groups of so many work-items, each of which loads item_bytes
 * before it uses them; and the hash of a plan that was zeroed before it was filled. */
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
