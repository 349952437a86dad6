/* test_advice.c: the advice that follows from terms, the arithmetic of the model's errors, changed
 * roofs.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include "gable/explain/advice.h"
#include "gable/explain/model_error.h"
#include "gable/explain/what_if.h"

static int failures;

static void expect(bool holds, const char *what)
{
    if (holds)
        return;
    printf("FAILED: %s\n", what);
    failures++;
}

static void expect_near(const char *what, double got, double wanted)
{
    if (fabs(got - wanted) <= 1e-12 * fabs(wanted))
        return;
    printf("FAILED: %s is %.17g, must be %.17g\n", what, got, wanted);
    failures++;
}

/* ---- advice ---- */

/* A prediction of so many microseconds of launch, latency, memory and tail. */
static gbl_prediction prediction_of(double launch, double latency, double memory, double tail)
{
    gbl_prediction p = {.fill = 1, .waves = 1, .in_flight = 2e6, .in_flight_needed = 1e6};
    p.term[GBL_LIMIT_LAUNCH] = 1e-6 * launch;
    p.term[GBL_LIMIT_LATENCY] = 1e-6 * latency;
    p.term[GBL_LIMIT_MEMORY] = 1e-6 * memory;
    p.term[GBL_LIMIT_TAIL] = 1e-6 * tail;
    for (int i = 0; i < GBL_LIMITERS; i++) {
        p.seconds += p.term[i];
        if (p.term[i] > p.term[p.limiter])
            p.limiter = (gbl_limiter)i;
    }
    return p;
}

/* Replayed and alone alike but for the launch. */
static advice_facts facts_of(double replayed, double alone, double latency, double memory)
{
    return (advice_facts){.replay = prediction_of(replayed, latency, memory, 0),
                          .single = prediction_of(alone, latency, memory, 0)};
}

static bool gives(const advice_facts *facts, advice_kind kind)
{
    advice made;
    advice_make(facts, &made);
    for (int i = 0; i < made.count; i++)
        if (made.kinds[i] == kind && made.texts[i][0] != '\0')
            return true;
    return false;
}

static bool why_has(const advice_facts *facts, const char *piece)
{
    advice made;
    advice_make(facts, &made);
    return strstr(made.why, piece) != NULL;
}

static void test_small(void)
{
    advice_facts facts = facts_of(0.5, 4.5, 0.5, 0.1);
    expect(gives(&facts, ADVICE_RECORD), "a call of launch alone is to be recorded");
    expect(gives(&facts, ADVICE_LARGER), "and to be given more work");
    expect(!gives(&facts, ADVICE_BATCH), "no batched routine, no advice to use it");
    expect(!gives(&facts, ADVICE_NOTHING), "with advice there is not nothing to do");
    facts.batched = "gable_dgemv_strided";
    expect(gives(&facts, ADVICE_BATCH), "where there is a batched routine it is named");
    expect(why_has(&facts, "Launching holds it back"), "launch is named as the limiter");
    facts.waits = true;
    expect(!gives(&facts, ADVICE_RECORD), "what waits for the host cannot be recorded");

    facts = facts_of(0.5, 0.55, 0.1, 0.1);
    expect(!gives(&facts, ADVICE_RECORD), "no recording where replaying gains a twentieth");
    facts = facts_of(0.5, 4.5, 0.5, 100);
    expect(!gives(&facts, ADVICE_RECORD), "no recording where launch is four hundredths");
    expect(!gives(&facts, ADVICE_LARGER), "no more work where the device is busy");

    facts = facts_of(0.5, 0.5, 9, 0.2);
    facts.replay.in_flight = 1e3;
    expect(why_has(&facts, "in flight"), "too few bytes in flight are named");
    facts.replay.waves = 0.5;
    expect(gives(&facts, ADVICE_LARGER),
           "with places for groups left, more work brings more bytes");
    facts.replay.waves = 40;
    expect(!gives(&facts, ADVICE_LARGER), "with all places taken it does not");
    expect(gives(&facts, ADVICE_NOTHING), "and without tunables nothing does");
    facts.tunable = true;
    expect(gives(&facts, ADVICE_TUNE), "tunables may");
    facts.replay.in_flight = 2e6;
    expect(why_has(&facts, "wait for"), "enough bytes in flight: latency is waiting");

    facts.replay.in_flight = 0;
    expect(why_has(&facts, "wait for"), "bytes in flight that nobody knows are not named");

    facts = facts_of(0.5, 0.5, 30, 1);
    facts.replay.in_flight = 1e3;
    facts.replay.waves = 0.5;
    facts.replay.chain = facts.single.chain = 28e-6;
    expect(why_has(&facts, "needs the one before"), "a chain is named");
    expect(!gives(&facts, ADVICE_LARGER) && gives(&facts, ADVICE_NOTHING),
           "a chain that grows with the work does not want more of it");

    facts = facts_of(0.1, 0.1, 0.1, 4);
    facts.replay = prediction_of(0.1, 0.1, 4, 5);
    expect(why_has(&facts, "last wave"), "the tail is named");
    expect(gives(&facts, ADVICE_LARGER), "idle processors want more work");
    expect(why_has(&facts, "Called alone it is held back by memory"), "another limiter alone");
}

static void test_data(void)
{
    advice_facts facts = facts_of(0.5, 0.6, 0.5, 100);
    expect(gives(&facts, ADVICE_NOTHING), "at memory's speed there is nothing to do");
    expect(why_has(&facts, "Memory's bandwidth"), "memory is named");
    facts.columns_differ = true;
    expect(gives(&facts, ADVICE_ALIGN), "columns that start differently");
    expect(!gives(&facts, ADVICE_NOTHING), "alignment is something to do");
    facts.columns_differ = false;
    facts.strided = true;
    expect(gives(&facts, ADVICE_STRIDE), "strides");
    facts = facts_of(5, 5, 0.1, 0.1);
    facts.strided = facts.columns_differ = true;
    expect(!gives(&facts, ADVICE_STRIDE) && !gives(&facts, ADVICE_ALIGN),
           "strides and alignment do not matter to a launch");

    facts = facts_of(0.5, 0.6, 0.5, 100);
    facts.has_reused = true;
    facts.reused = prediction_of(0.5, 0.5, 40, 0);
    expect(gives(&facts, ADVICE_REUSE), "operands that fit into the cache");
    facts.reused = facts.replay;
    expect(!gives(&facts, ADVICE_REUSE), "operands that do not");

    facts = facts_of(0.5, 0.6, 0.5, 100);
    facts.replay.term[GBL_LIMIT_LINK] = 1e-3;
    facts.replay.seconds += 1e-3;
    facts.replay.limiter = GBL_LIMIT_LINK;
    expect(gives(&facts, ADVICE_KEEP), "operands that come over the link");
}

static void test_difference(void)
{
    advice_facts facts = facts_of(0.5, 0.6, 0.5, 99);
    advice made;
    facts.measured_replay = 1.24 * facts.replay.seconds;
    facts.measured_single = facts.single.seconds;
    advice_make(&facts, &made);
    expect(made.difference[0] == '\0', "19 % of the measurement is no difference");
    facts.measured_replay = 1.4 * facts.replay.seconds;
    advice_make(&facts, &made);
    expect(strstr(made.difference, "Replayed") && strstr(made.difference, "longer"),
           "29 % of the measurement is one");
    expect(strstr(made.difference, "Alone") == NULL, "but not alone");
    facts.measured_single = 0.5 * facts.single.seconds;
    advice_make(&facts, &made);
    expect(strstr(made.difference, "Alone") && strstr(made.difference, "shorter"),
           "a measurement of half the prediction is one too");
    expect(!gives(&facts, ADVICE_TUNE), "nothing to tune without tunables");
    facts.measured_replay = 3 * facts.replay.seconds;
    advice_make(&facts, &made);
    expect(strstr(made.difference, "3.0 times as long") != NULL, "large differences are factors");
    expect(strstr(made.texts[0], "runs at what") == NULL, "a slow call is not at the roof");
    facts.tunable = true;
    expect(gives(&facts, ADVICE_TUNE), "a slow call with tunables is to be tuned");
    facts.tuned = true;
    expect(!gives(&facts, ADVICE_TUNE), "unless it was");
    for (int i = 0; i < ADVICE_KINDS; i++)
        for (int j = 0; j < i; j++)
            expect(strcmp(advice_name((advice_kind)i), advice_name((advice_kind)j)) != 0,
                   "kinds of advice have different names");
}

/* Of a product with so much of its roof, all of it arithmetic but for a microsecond of launch. */
static advice_facts far_facts(double microseconds, double part)
{
    advice_facts facts = facts_of(1, 1, 0, 0);
    facts.replay.term[GBL_LIMIT_ARITHMETIC] = 1e-6 * (microseconds - 1);
    facts.replay.seconds = 1e-6 * microseconds;
    facts.replay.limiter = GBL_LIMIT_ARITHMETIC;
    facts.single = facts.replay;
    facts.roof = facts.arithmetic = part * facts.replay.seconds;
    return facts;
}

static bool gap_has(const advice_facts *facts, const char *piece)
{
    advice made;
    advice_make(facts, &made);
    return strstr(made.gap, piece) != NULL;
}

static void test_far(void)
{
    advice made;
    advice_facts facts = far_facts(100, 0.85);
    advice_make(&facts, &made);
    expect(made.gap[0] == '\0' && gives(&facts, ADVICE_NOTHING), "85 % of the roof is near it");
    expect(strstr(made.texts[0], "at what the arithmetic can do") != NULL, "and is said to be");

    facts = far_facts(100, 0.3);
    expect(!gives(&facts, ADVICE_NOTHING), "30 % of the roof is never nothing");
    expect(gives(&facts, ADVICE_REPORT), "without other choices it is reported");
    expect(gap_has(&facts, "runs at 30 % of the roof"), "the part of the roof is named");
    expect(gap_has(&facts, "3.3 times as long as the multiply-adds"),
           "tiles that hold the units longer are named");
    facts.tunable = true;
    facts.tune_command = "gable tune sgemm --size 777x777x777 --trans NN";
    advice_make(&facts, &made);
    expect(gives(&facts, ADVICE_TUNE) && !gives(&facts, ADVICE_REPORT), "other choices are tried");
    expect(strstr(made.texts[0], facts.tune_command) != NULL, "by a command");
    expect(strstr(made.texts[0], "--again") == NULL, "for the first time");
    facts.tuned = true;
    advice_make(&facts, &made);
    expect(gives(&facts, ADVICE_TUNE) && strstr(made.texts[0], "--again") != NULL,
           "what was tuned is tuned again");

    /* Units idle for half of the time: the rest of the factor is 1.67. */
    facts.replay.fill = 0.5;
    expect(gap_has(&facts, "50 % of their time is used"), "units without work are named");
    expect(gap_has(&facts, "1.6 times as long") || gap_has(&facts, "1.7 times as long"),
           "and do not count twice");
    facts.copies = 20e-6;
    expect(gap_has(&facts, "Copies that align its operands take 20.00 us, 20 %"),
           "copies are named");
    expect(gives(&facts, ADVICE_ALIGN), "and alignment saves them");
    facts.copies = 5e-6;
    expect(!gap_has(&facts, "Copies") && !gives(&facts, ADVICE_ALIGN), "few copies are not");
    facts.columns_differ = true;
    facts.copies = 20e-6;
    expect(gives(&facts, ADVICE_ALIGN), "unaligned columns and copies are one advice");

    facts = far_facts(100, 0.3);
    facts.padded_size = "832x832x832";
    facts.padded = prediction_of(1, 0, 60, 0);
    expect(gives(&facts, ADVICE_PAD), "sizes that fill tiles better");
    facts.padded = prediction_of(1, 0, 90, 0);
    expect(!gives(&facts, ADVICE_PAD), "sizes that gain a tenth");

    /* A measurement counts more than what was predicted. */
    facts = far_facts(100, 0.85);
    facts.tunable = true;
    facts.measured_replay = 2.2 * facts.replay.seconds;
    facts.measured_single = facts.measured_replay;
    expect(gap_has(&facts, "39 % of the roof") && gives(&facts, ADVICE_TUNE),
           "a call that is measured far from its roof");

    /* Launches and waiting: no choice changes them. */
    facts = facts_of(0.5, 4.5, 0.5, 0.1);
    facts.roof = 1e-8;
    facts.tunable = true;
    expect(gap_has(&facts, "Launches and waiting") && !gives(&facts, ADVICE_TUNE),
           "a call of launch alone is not to be tuned");
    facts = facts_of(0.5, 0.5, 30, 1);
    facts.replay.chain = facts.single.chain = 28e-6;
    facts.roof = 1e-6;
    expect(gives(&facts, ADVICE_NOTHING) && !gives(&facts, ADVICE_REPORT),
           "a chain is a reason that is known");
}

static void test_texts(void)
{
    char text[32];
    advice_time_text(1.25e-6, text, sizeof text);
    expect(strcmp(text, "1.25 us") == 0, text);
    advice_time_text(0.0125, text, sizeof text);
    expect(strcmp(text, "12.50 ms") == 0, text);
    advice_amount_text(134217728, "B", text, sizeof text);
    expect(strcmp(text, "134.2 MB") == 0, text);
    advice_amount_text(999, "flop", text, sizeof text);
    expect(strcmp(text, "999 flop") == 0, text);
}

/* ---- the model's error ---- */

static void test_model_error(void)
{
    model_errors errors = {0};
    model_error_summary all = model_error_summarise(&errors, NULL, NULL);
    expect(all.rows == 0 && all.median == 0 && all.p90 == 0, "no rows, no errors");
    expect(!model_error_add(&errors, "dot", "replay", 1, 0), "a measurement of 0 is none");
    expect(!model_error_add(&errors, "dot", "replay", NAN, 1), "NaN is no prediction");
    /* 0.1, 0.2 ... 1.1, too long and too short in turn, in no order. */
    static const int order[] = {3, 11, 1, 7, 5, 2, 10, 4, 9, 6, 8};
    for (int i = 0; i < 11; i++)
        expect(model_error_add(&errors, i < 4 ? "dot" : "gemv", i % 2 ? "single" : "replay",
                               2 + 0.2 * order[i] * (i % 3 && order[i] < 10 ? -1 : 1), 2),
               "a row is added");
    all = model_error_summarise(&errors, NULL, NULL);
    expect(all.rows == 11, "eleven rows");
    expect_near("the median of 0.1 to 1.1", all.median, 0.6);
    expect_near("the 90th percentile of 0.1 to 1.1", all.p90, 1.0);
    const model_error_summary dot = model_error_summarise(&errors, "dot", NULL);
    expect(dot.rows == 4, "four rows of dot");
    expect_near("the median of 0.1, 0.3, 0.7, 1.1", dot.median, 0.5);
    expect_near("the 90th percentile of 0.1, 0.3, 0.7, 1.1", dot.p90, 0.98);
    const model_error_summary one = model_error_summarise(&errors, "dot", "single");
    expect_near("the median of 0.7, 1.1", one.median, 0.9);
    expect(model_error_summarise(&errors, "axpy", NULL).rows == 0, "no rows of axpy");
    expect(strcmp(model_error_op(&errors, 0), "dot") == 0, "the first op");
    expect(strcmp(model_error_op(&errors, 1), "gemv") == 0, "the second op");
    expect(model_error_op(&errors, 2) == NULL, "no third op");
    for (int i = 0; i < 500; i++)
        model_error_add(&errors, "axpy", "replay", 1.25, 1);
    expect(model_error_summarise(&errors, "axpy", NULL).rows == 500, "rows beyond the first room");
    expect_near("one error 500 times", model_error_summarise(&errors, "axpy", NULL).p90, 0.25);
    model_error_free(&errors);
}

/* ---- what if ---- */

static void test_what_if(void)
{
    static const char *const bad[] = {
        "",         "memory",     "memory=",     "memory=0",    "memory=-1x",
        "memory=2", "memory=2us", "speed=2x",    "launch=1",    "units=0.5",
        "units=0",  "memory=2x,", "launch=infx", "memory=nanx", "memory=2x,memory=3x"};
    what_if changes;
    char text[256];
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        text[0] = '\0';
        expect(!what_if_read(bad[i], &changes, text, sizeof text), bad[i]);
        expect(text[0] != '\0', "a bad change is told");
    }
    expect(!what_if_read("speed=2x", &changes, text, sizeof text) &&
               strstr(text, "memory, cache, launch") != NULL,
           "the names are listed");

    const gbl_roofs plain = {.copy = 3e12,
                             .read = 4e12,
                             .write = 2e12,
                             .points = 2,
                             .point_bytes = {1e6, 1e9},
                             .point_read = {8e12, 4e12},
                             .cache = 8e12,
                             .cache_bytes = 4e7,
                             .flops = {6e13, 3e13},
                             .launch_replay = 1e-6,
                             .launch_single = 4e-6,
                             .latency = 8e-7,
                             .barrier = 2e-6,
                             .link_to_device = 5e10,
                             .link_to_host = 4e10};
    const gbl_props device = {.units = 132};
    gbl_roofs roofs = plain;
    gbl_props props = device;
    expect(
        what_if_read("memory=8TB/s,launch=0,units=264,latency=0.5x", &changes, text, sizeof text),
        text);
    what_if_apply(&changes, GBL_D, &roofs, &props);
    expect_near("reading", roofs.read, 8e12);
    expect_near("copying, in proportion", roofs.copy, 6e12);
    expect_near("a working set in memory", roofs.point_read[1], 8e12);
    expect_near("a working set in the cache", roofs.point_read[0], 8e12);
    expect(roofs.launch_replay == 0 && roofs.launch_single == 0, "no launch cost");
    expect_near("latency", roofs.latency, 4e-7);
    expect(props.units == 264, "units");
    expect_near("arithmetic comes with units", roofs.flops[GBL_D], 6e13);

    roofs = plain;
    props = device;
    expect(what_if_read("cache=2x,arithmetic=60TFLOP/s,link=0.5x,barrier=1us", &changes, text,
                        sizeof text),
           text);
    what_if_apply(&changes, GBL_D, &roofs, &props);
    expect_near("the cache", roofs.cache, 1.6e13);
    expect_near("its working set", roofs.point_read[0], 1.6e13);
    expect_near("reading is as it was", roofs.read, plain.read);
    expect_near("double", roofs.flops[GBL_D], 6e13);
    expect_near("single, in proportion", roofs.flops[GBL_S], 12e13);
    expect_near("the link", roofs.link_to_device, 2.5e10);
    expect_near("hand-overs", roofs.barrier, 1e-6);
    expect(props.units == 132, "units are as they were");
}

int main(void)
{
    test_small();
    test_data();
    test_difference();
    test_far();
    test_texts();
    test_model_error();
    test_what_if();
    return failures > 0;
}
