/* advice.c: what holds a call back, and what its caller could do about it.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include "advice.h"

/* A term is worth advice from a third of the time on: without it the call would take two thirds,
 * which no timing hides. A remedy is named if the model gives it a fifth of the time or more: twice
 * the median error that the model is held to. */
#define WORTH_NAMING (1.0 / 3)
#define WORTH_DOING  0.8
/* Of what is between a call and its roof, what takes a tenth of the time is named. */
#define WORTH_A_WORD 0.1
#define FULL         0.9 /* of the units */
#define SMALL_PART                                                                                 \
    0.1 /* what a fixed cost should shrink to, where more work per call is the remedy */

const char *advice_name(advice_kind kind)
{
    static const char *const names[ADVICE_KINDS] = {"record", "batch",  "larger", "align",
                                                    "stride", "reuse",  "keep",   "pad",
                                                    "tune",   "report", "nothing"};
    return kind < ADVICE_KINDS ? names[kind] : "unknown";
}

void advice_time_text(double seconds, char *text, size_t text_bytes)
{
    if (seconds < 1e-3)
        snprintf(text, text_bytes, "%.2f us", 1e6 * seconds);
    else if (seconds < 1)
        snprintf(text, text_bytes, "%.2f ms", 1e3 * seconds);
    else
        snprintf(text, text_bytes, "%.2f s", seconds);
}

void advice_amount_text(double amount, const char *unit, char *text, size_t text_bytes)
{
    static const char *const prefixes[] = {"", "k", "M", "G", "T", "P"};
    int i = 0;
    while (amount >= 1000 && i < 5) {
        amount /= 1000;
        i++;
    }
    snprintf(text, text_bytes, "%.*f %s%s", i > 0 ? 1 : 0, amount, prefixes[i], unit);
}

static double share(const gbl_prediction *prediction, gbl_limiter limiter)
{
    return prediction->seconds > 0 ? prediction->term[limiter] / prediction->seconds : 0;
}

/* Most of the latency is a chain that grows with the work. */
static bool is_chain(const gbl_prediction *p)
{
    return p->chain > p->term[GBL_LIMIT_LATENCY] / 2;
}

/* ---- What holds it back ---- */

static void explain_limiter(const gbl_prediction *p, char *text, size_t text_bytes)
{
    char time[32], most[32], needed[32];
    const double part = 100 * share(p, p->limiter);
    advice_time_text(p->term[p->limiter], time, sizeof time);
    advice_amount_text(p->in_flight, "B", most, sizeof most);
    advice_amount_text(p->in_flight_needed, "B", needed, sizeof needed);
    switch (p->limiter) {
    case GBL_LIMIT_LAUNCH:
        snprintf(text, text_bytes,
                 "Launching holds it back: %s, %.0f %% of the time, whatever the size.", time,
                 part);
        break;
    case GBL_LIMIT_LATENCY:
        if (is_chain(p))
            snprintf(text, text_bytes,
                     "Latency holds it back: %s, %.0f %% of the time, are a chain of steps each of "
                     "which needs the one before.",
                     time, part);
        else if (p->in_flight > 0 && p->in_flight < p->in_flight_needed)
            snprintf(text, text_bytes,
                     "Latency holds it back (%.0f %% of the time): %s are requested at once, and "
                     "memory needs %s in flight to give its full bandwidth.",
                     part, most, needed);
        else
            snprintf(text, text_bytes,
                     "Latency holds it back: %s, %.0f %% of the time, pass while groups wait for "
                     "first loads and for one another.",
                     time, part);
        break;
    case GBL_LIMIT_CACHE:
        snprintf(text, text_bytes, "The cache's bandwidth holds it back: %s, %.0f %% of the time.",
                 time, part);
        break;
    case GBL_LIMIT_MEMORY:
        snprintf(text, text_bytes, "Memory's bandwidth holds it back: %s, %.0f %% of the time.",
                 time, part);
        break;
    case GBL_LIMIT_ARITHMETIC:
        snprintf(text, text_bytes, "Arithmetic holds it back: %s, %.0f %% of the time.", time,
                 part);
        break;
    case GBL_LIMIT_MATRIX:
        snprintf(text, text_bytes,
                 "The matrix units hold it back, with what they wait for: %s, %.0f %% of the time.",
                 time, part);
        break;
    case GBL_LIMIT_LOCAL:
        snprintf(text, text_bytes,
                 "Local memory's bandwidth holds it back: %s, %.0f %% of the time.", time, part);
        break;
    case GBL_LIMIT_TAIL:
        snprintf(text, text_bytes,
                 "The last wave holds it back: %.1f waves of groups are %.0f %% filled, and %.0f "
                 "%% of the time pass with processors idle.",
                 p->waves, 100 * p->fill, part);
        break;
    case GBL_LIMIT_LINK:
        snprintf(text, text_bytes, "The link to the host holds it back: %s, %.0f %% of the time.",
                 time, part);
        break;
    case GBL_LIMITERS:
        text[0] = '\0';
        break;
    }
}

static void write_why(const advice_facts *facts, advice *made)
{
    explain_limiter(&facts->replay, made->why, sizeof made->why);
    if (facts->single.limiter == facts->replay.limiter)
        return;
    const size_t used = strlen(made->why);
    snprintf(made->why + used, sizeof made->why - used,
             " Called alone it is held back by %s instead (%.0f %% of the time).",
             gbl_limiter_name(facts->single.limiter),
             100 * share(&facts->single, facts->single.limiter));
}

static bool differs(double predicted, double measured)
{
    return measured > 0 && fabs(predicted - measured) / measured > ADVICE_DIFFERENCE;
}

static void add_difference(advice *made, const char *mode, double predicted, double measured)
{
    if (!differs(predicted, measured))
        return;
    const size_t used = strlen(made->difference);
    char *end = made->difference + used;
    const size_t room = sizeof made->difference - used;
    if (measured >= 2 * predicted)
        snprintf(end, room, "%s%s the measurement is %.1f times as long as the prediction.",
                 used > 0 ? " " : "", mode, measured / predicted);
    else
        snprintf(end, room, "%s%s the measurement is %.0f %% %s than the prediction.",
                 used > 0 ? " " : "", mode, 100 * fabs(predicted - measured) / predicted,
                 measured > predicted ? "longer" : "shorter");
}

static void write_difference(const advice_facts *facts, advice *made)
{
    add_difference(made, "Replayed,", facts->replay.seconds, facts->measured_replay);
    add_difference(made, "Alone,", facts->single.seconds, facts->measured_single);
    const size_t used = strlen(made->difference);
    if (used > 0)
        snprintf(made->difference + used, sizeof made->difference - used,
                 " The model misses something there: take its limiter with care.");
}

/* ---- What is between the call and its roof ---- */

/* The time that counts: as it was measured, or as it is predicted. */
static double time_of(const advice_facts *facts)
{
    return facts->measured_replay > 0 ? facts->measured_replay : facts->replay.seconds;
}

static double part_of_roof(const advice_facts *facts)
{
    const double time = time_of(facts);
    return facts->roof > 0 && time > 0 ? facts->roof / time : 1;
}

static bool is_far(const advice_facts *facts)
{
    return part_of_roof(facts) < ADVICE_FAR;
}

static void add_gap(advice *made, const char *format, ...) GBL_PRINTF(2, 3);
static void add_gap(advice *made, const char *format, ...)
{
    const size_t used = strlen(made->gap);
    va_list list;
    va_start(list, format);
    vsnprintf(made->gap + used, sizeof made->gap - used, format, list);
    va_end(list);
}

/* Copies are launches, latency and memory of the prediction: they are named once, as copies. */
static void write_gap(const advice_facts *facts, advice *made)
{
    const gbl_prediction *p = &facts->replay;
    const double fixed = p->term[GBL_LIMIT_LAUNCH] + p->term[GBL_LIMIT_LATENCY],
                 busy = p->term[GBL_LIMIT_ARITHMETIC] + p->term[GBL_LIMIT_MATRIX] +
                        p->term[GBL_LIMIT_LOCAL];
    char time[32];
    if (!is_far(facts))
        return;
    add_gap(made, "The call runs at %.0f %% of the roof.", 100 * part_of_roof(facts));
    if (facts->copies >= WORTH_A_WORD * p->seconds) {
        advice_time_text(facts->copies, time, sizeof time);
        add_gap(made, " Copies that align its operands take %s, %.0f %% of the time.", time,
                100 * facts->copies / p->seconds);
    }
    if (fixed - facts->copies >= WORTH_A_WORD * p->seconds) {
        advice_time_text(fixed, time, sizeof time);
        add_gap(made, " Launches and waiting take %s, %.0f %%.", time, 100 * fixed / p->seconds);
    }
    if (p->fill > 0 && p->fill < FULL)
        add_gap(made,
                " There is too little to do for all units at once: %.0f %% of their time is "
                "used.",
                100 * p->fill);
    const double times = facts->arithmetic > 0 ? busy * p->fill / facts->arithmetic : 1;
    if (times >= 1 + WORTH_A_WORD)
        add_gap(made,
                " Its tiles hold the units %.1f times as long as the multiply-adds alone "
                "would: edges, loads that they wait for, a last round of few tiles.",
                times);
    if (p->term[GBL_LIMIT_TAIL] >= WORTH_A_WORD * p->seconds)
        add_gap(made, " The last wave is %.0f %% of the time.", 100 * share(p, GBL_LIMIT_TAIL));
}

/* ---- What to do ---- */

static void add(advice *made, advice_kind kind, const char *format, ...) GBL_PRINTF(3, 4);
static void add(advice *made, advice_kind kind, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    made->kinds[made->count] = kind;
    vsnprintf(made->texts[made->count++], ADVICE_TEXT_BYTES, format, list);
    va_end(list);
}

/* Every place for a group is taken, and still too few bytes are under way: more work would not
 * help. */
static bool starved(const gbl_prediction *p)
{
    return p->waves >= 1 && p->in_flight > 0 && p->in_flight < p->in_flight_needed;
}

/* Costs that do not grow with the work. */
static void advise_small(const advice_facts *facts, advice *made)
{
    const gbl_prediction *replay = &facts->replay, *single = &facts->single;
    char before[32], after[32];
    advice_time_text(single->seconds, before, sizeof before);
    advice_time_text(replay->seconds, after, sizeof after);
    if (!facts->waits && share(single, GBL_LIMIT_LAUNCH) >= WORTH_NAMING &&
        replay->seconds <= WORTH_DOING * single->seconds)
        add(made, ADVICE_RECORD,
            "Record the calls and replay them (gable_record_begin, gable_replay): %s per call "
            "instead of %s.",
            after, before);

    const double waiting =
        starved(replay) || is_chain(replay) ? 0 : replay->term[GBL_LIMIT_LATENCY];
    const double idle = replay->term[GBL_LIMIT_LAUNCH] + waiting + replay->term[GBL_LIMIT_TAIL];
    if (!(idle >= WORTH_NAMING * replay->seconds))
        return;
    if (facts->batched != NULL)
        add(made, ADVICE_BATCH,
            "For many problems of this size call %s: one launch for all of them, and enough of "
            "them to fill the device.",
            facts->batched);
    const double work = replay->seconds - idle;
    const double times = work > 0 ? idle * (1 / SMALL_PART - 1) / work : 0;
    if (times >= 1.5)
        add(made, ADVICE_LARGER,
            "Give a call more work: with about %.0f times as much, launch, latency and idle "
            "processors are a tenth of the time.",
            times);
    else
        add(made, ADVICE_LARGER,
            "Give a call more work: launch, latency and idle processors hardly grow with it.");
}

static void advise_data(const advice_facts *facts, advice *made)
{
    const gbl_prediction *replay = &facts->replay;
    const double moving = replay->term[GBL_LIMIT_MEMORY] + replay->term[GBL_LIMIT_CACHE] +
                          replay->term[GBL_LIMIT_LATENCY];
    const bool moves = moving >= WORTH_NAMING * replay->seconds;
    char before[32], after[32];
    if (facts->columns_differ && moves)
        add(made, ADVICE_ALIGN,
            "Align the matrix: its columns start at different places of a 16-byte word, so that "
            "loads are of single elements. Make lda times the element a multiple of 16 bytes and "
            "start the matrix on one.");
    else if (facts->copies >= WORTH_A_WORD * replay->seconds)
        add(made, ADVICE_ALIGN,
            "Align the matrices: copies that do it take %.0f %% of the time. Start each on a "
            "multiple of 16 bytes and make its leading dimension times the element one.",
            100 * facts->copies / replay->seconds);
    if (facts->strided && moves)
        add(made, ADVICE_STRIDE,
            "Use vectors of stride 1: with another one memory moves elements that are not used.");
    if (facts->has_reused && share(replay, GBL_LIMIT_MEMORY) >= WORTH_NAMING &&
        facts->reused.seconds <= WORTH_DOING * replay->seconds) {
        advice_time_text(replay->seconds, before, sizeof before);
        advice_time_text(facts->reused.seconds, after, sizeof after);
        add(made, ADVICE_REUSE,
            "The operands fit into the cache: used again before other data push them out, the "
            "call takes %s instead of %s.",
            after, before);
    }
    if (share(replay, GBL_LIMIT_LINK) >= WORTH_NAMING)
        add(made, ADVICE_KEEP,
            "Keep the operands on the device between calls: %.0f %% of the time is their way over "
            "the host link.",
            100 * share(replay, GBL_LIMIT_LINK));
}

/* A product whose sizes do not fill its tiles. */
static void advise_sizes(const advice_facts *facts, advice *made)
{
    const gbl_prediction *replay = &facts->replay;
    char before[32], after[32];
    if (facts->padded_size == NULL || facts->padded.seconds > WORTH_DOING * replay->seconds)
        return;
    advice_time_text(replay->seconds, before, sizeof before);
    advice_time_text(facts->padded.seconds, after, sizeof after);
    add(made, ADVICE_PAD,
        "Keep the matrices padded with zeros to %s: by the model %s instead of %s.",
        facts->padded_size, after, before);
}

/* Far from the roof by more than launches and waiting: what the library chose may not be the
 * best. */
static void advise_far(const advice_facts *facts, advice *made)
{
    const double *term = facts->replay.term;
    const double part = 100 * part_of_roof(facts), time = time_of(facts),
                 fixed = term[GBL_LIMIT_LAUNCH] + term[GBL_LIMIT_LATENCY];
    if (made->count > 0 && time - facts->roof - fixed < (1 - WORTH_DOING) * time)
        return;
    char command[ADVICE_TEXT_BYTES / 2] = "gable tune";
    if (facts->tune_command != NULL)
        snprintf(command, sizeof command, "%s", facts->tune_command);
    if (facts->tunable && !facts->tuned)
        add(made, ADVICE_TUNE,
            "Tune it (%s): no choice was measured on this device for this size, and %.0f %% of the "
            "roof is little.",
            command, part);
    else if (facts->tunable && made->count == 0)
        add(made, ADVICE_TUNE,
            "Tune it again with a longer budget (%s --again): %.0f %% of the roof is little, "
            "though "
            "its choices were measured on this device.",
            command, part);
    else if (made->count == 0)
        add(made, ADVICE_REPORT,
            "Report it: nothing is known that a caller could do, and %.0f %% of the roof is "
            "little.",
            part);
}

static void advise_rest(const advice_facts *facts, advice *made)
{
    const gbl_prediction *replay = &facts->replay;
    const bool chain = is_chain(replay) && share(replay, GBL_LIMIT_LATENCY) >= WORTH_NAMING;
    const bool slower = facts->measured_replay > (1 + ADVICE_DIFFERENCE) * replay->seconds;
    const bool waits = starved(replay) && share(replay, GBL_LIMIT_LATENCY) >= WORTH_NAMING;
    if ((slower || waits) && facts->tunable && !facts->tuned)
        add(made, ADVICE_TUNE,
            "Tune it (gable tune): its tunables were not measured on this device, and %s.",
            waits ? "others may keep more bytes in flight" : "it is slower than it should be");
    else if (is_far(facts) && !chain && !waits)
        advise_far(facts, made);
    if (made->count > 0)
        return;
    if (chain)
        add(made, ADVICE_NOTHING,
            "Nothing that a caller could do: the steps of one such call follow one another, and "
            "the chain is as long as the vector.");
    else if (waits)
        add(made, ADVICE_NOTHING,
            "Nothing that a caller could do: this variant keeps too few bytes in flight.");
    else if (slower)
        add(made, ADVICE_NOTHING,
            "Nothing that the model knows of, though the call is slower than it predicts.");
    else
        add(made, ADVICE_NOTHING, "Nothing: the call runs at what %s can do.",
            replay->limiter == GBL_LIMIT_ARITHMETIC ? "the arithmetic"
            : replay->limiter == GBL_LIMIT_MATRIX   ? "the matrix units"
            : replay->limiter == GBL_LIMIT_LOCAL    ? "local memory"
            : replay->limiter == GBL_LIMIT_CACHE    ? "the cache"
            : replay->limiter == GBL_LIMIT_MEMORY   ? "memory"
                                                    : "the device");
}

void advice_make(const advice_facts *facts, advice *made)
{
    memset(made, 0, sizeof *made);
    write_why(facts, made);
    write_gap(facts, made);
    write_difference(facts, made);
    advise_small(facts, made);
    advise_data(facts, made);
    advise_sizes(facts, made);
    advise_rest(facts, made);
}
