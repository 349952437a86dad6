/* batch_parts.h: what the tests of many products or solves at once share: runs, and the parts
 * exact, residual, guards and repeat.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Included in the middle of such a test, behind its `enqueue` and `begin`. The test defines
 * BATCH_CALL, the type of its call; OUTPUT, the member of its operands that is written; and
 * ONE_SCALAR where there is no beta. It has operands and their functions from its data header.
 */
#include <string.h>

#define MAX_CASES 96

static int make_cases(const routine *r, batch_case *list);
static void check(routine *r, const batch_case *c);

static bool run(routine *r, const operands *o, const batch_case *c)
{
    const BATCH_CALL call = call_of(o, c);
    return routine_ran(r, enqueue(r, o, c), &call);
}

static void set_scalars(batch_case *c, T alpha, T beta)
{
    c->alpha = alpha;
#ifdef ONE_SCALAR
    (void)beta;
#else
    c->beta = beta;
#endif
}

/* Integers; powers of two where elements are divided. */
static T exact_scalar(uint64_t seed)
{
#ifdef ONE_SCALAR
    static const double powers[] = {1, -2, 0.5, 4};
    return make(powers[seed % 4], 0);
#else
    return make((double)(seed % 5) - 2, (double)(seed % 3) - 1);
#endif
}

static void exact(routine *r)
{
    batch_case list[MAX_CASES];
    if (matrix_left_out(r))
        return;
    const int count = make_cases(r, list);
    for (int i = 0; i < count; i++) {
        list[i].seed = 10 * (uint64_t)i;
        set_scalars(&list[i], exact_scalar((uint64_t)i), exact_scalar((uint64_t)i / 3 + 1));
        list[i].on_device = i % 2;
        check(r, &list[i]);
    }
}

static void residual(routine *r)
{
    batch_case list[MAX_CASES];
    const int count = make_cases(r, list);
    for (int i = 0; i < count; i++) {
        list[i].seed = 10000 + 10 * (uint64_t)i;
        set_scalars(&list[i], random_element(10003 + (uint64_t)i, 0),
                    random_element(10004 + (uint64_t)i, 0));
        list[i].random = true;
        list[i].on_device = i % 2 == 0;
        check(r, &list[i]);
    }
}

static void guards(routine *r)
{
    batch_case list[MAX_CASES];
    const int count = make_cases(r, list);
    for (int i = 0; i < count; i += 5) {
        for (int w = 0; w < GUARDED_WAYS; w++) {
            list[i].seed = 200;
#ifdef ONE_SCALAR
            list[i].alpha = make(-2, 0);
#else
            set_scalars(&list[i], make(3, -1), make(-2, 1));
#endif
            list[i].on_device = w % 2;
            list[i].fill = guarded_ways[w].fill;
            list[i].fence = guarded_ways[w].fence;
            check(r, &list[i]);
        }
    }
}

/* The call recorded, with its scalars on the device, which are right only when it is replayed. */
static bool replayed(routine *r, operands *o, const batch_case *c)
{
    gable_recording *recording = NULL;
    batch_case from_device = *c;
    from_device.on_device = true;
    if (!build(r, o, &from_device))
        return false;
    CHECK_OK(r->ctx, gable_fill_bytes(r->ctx, o->scalars.memory, 0xff, o->scalars.bytes));
    CHECK_OK(r->ctx, gable_record_begin(r->ctx));
    CHECK_OK(r->ctx, enqueue(r, o, &from_device));
    CHECK_OK(r->ctx, gable_record_end(r->ctx, &recording));
    const bool good = recording != NULL && guarded_send(&o->scalars) &&
                      CHECK_OK(r->ctx, gable_replay(r->ctx, recording)) &&
                      guarded_fetch(&o->OUTPUT);
    gable_recording_destroy(recording);
    return good;
}

static void same_bits(routine *r, const batch_case *c)
{
    operands first, second;
    begin(r, c, "twice");
    if (build(r, &first, c) && run(r, &first, c) && guarded_fetch(&first.OUTPUT)) {
        if (build(r, &second, c) && run(r, &second, c) && guarded_fetch(&second.OUTPUT))
            CHECK(memcmp(first.OUTPUT.got, second.OUTPUT.got, first.OUTPUT.bytes) == 0,
                  "the same call gave other bits");
        destroy(&second);
        if (replayed(r, &second, c))
            CHECK(memcmp(first.OUTPUT.got, second.OUTPUT.got, first.OUTPUT.bytes) == 0,
                  "the replay with scalars on the device gave other bits");
        destroy(&second);
    }
    destroy(&first);
}

/* Every fourth case, with other numbers. */
static void fourths(routine *r, int from, uint64_t seed,
                    void (*part)(routine *r, const batch_case *c))
{
    batch_case list[MAX_CASES];
    const int count = make_cases(r, list);
    for (int i = from; i < count; i += 4) {
        list[i].seed = seed;
        set_scalars(&list[i], make(0.7, -0.3), make(-0.6, 0.2));
        list[i].random = true;
        part(r, &list[i]);
    }
}

static void repeat(routine *r)
{
    fourths(r, 0, 400, same_bits);
    /* All variants agree within the bound. Not where kernels take long to compile: there `exact`
     * runs them. */
    for (int v = 0; !routine_slow_compiler(r) && routine_next_variant(r, &v);) {
        fourths(r, 1, 500, check);
    }
}
