/* advice.h: what holds a call back, in words, and what its caller could do about it.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A pure function of the model's terms, the measured times and a few facts of the call: nothing is
 * measured or looked up here. Advice is given where the model says that it pays; where nothing
 * does, that is the advice.
 */
#ifndef TOOL_ADVICE_H
#define TOOL_ADVICE_H

#include "model/predict.h"

typedef enum advice_kind {
    ADVICE_RECORD, /* record the calls and replay them */
    ADVICE_BATCH,  /* one call of the batched routine for many small problems */
    ADVICE_LARGER, /* more work a call */
    ADVICE_ALIGN,  /* pointers and leading dimensions */
    ADVICE_STRIDE, /* unit strides */
    ADVICE_REUSE,  /* use what is in the cache before it leaves */
    ADVICE_KEEP,   /* operands on the device */
    ADVICE_PAD,    /* sizes that fill tiles */
    ADVICE_TUNE,
    ADVICE_REPORT,  /* far from the roof, and nothing is known that a caller could do */
    ADVICE_NOTHING, /* the call is as fast as the device allows, or waits for what nobody changes */
    ADVICE_KINDS
} advice_kind;

/* "record", "batch" ...: stable words for programs. */
const char *advice_name(advice_kind kind);

#define ADVICE_TEXT_BYTES 400
/* Above it prediction and measurement are said to differ: the bound that the model's 90th
 * percentile is held to. */
#define ADVICE_DIFFERENCE 0.25
/* Below this part of the roof a call is far from it. Long products keep 84 to 86 % of the rate of
 * the units on an H200 (docs/model.md), and a wave that is three quarters full is no rare thing. */
#define ADVICE_FAR 0.7

typedef struct advice_facts {
    gbl_prediction replay, single; /* as the call was asked about */
    bool has_reused;
    gbl_prediction reused;                   /* replayed, with operands in the cache */
    double measured_replay, measured_single; /* seconds; 0: not measured */
    const char *batched;                     /* the routine for many of them; NULL: there is none */
    bool columns_differ;                     /* columns of the matrix start differently aligned */
    bool waits;                              /* calls wait for the host: they have no recordings */
    bool strided;                            /* a vector has a stride other than 1 */
    bool tunable, tuned;                     /* there are other choices; they were measured here */
    double roof;       /* seconds that the device's limits allow; 0: not known */
    double arithmetic; /* of those, seconds of the multiply-adds of a product; 0: of no product */
    double copies;     /* predicted seconds of copies that the choice makes of its operands */
    const char *padded_size;  /* sizes that fill tiles better, as they are typed; NULL: none */
    gbl_prediction padded;    /* replayed, at those sizes */
    const char *tune_command; /* "gable tune sgemm --size 777x777x777 --trans NN"; NULL: none */
} advice_facts;

typedef struct advice {
    char why[ADVICE_TEXT_BYTES];        /* what holds it back */
    char gap[ADVICE_TEXT_BYTES];        /* what is between it and the roof; "" where that is near */
    char difference[ADVICE_TEXT_BYTES]; /* of prediction and measurement; "" where they agree */
    int count;
    advice_kind kinds[ADVICE_KINDS];
    char texts[ADVICE_KINDS][ADVICE_TEXT_BYTES];
} advice;

void advice_make(const advice_facts *facts, advice *made);

/* Text of a duration, a number of bytes, of flops: "1.25 us", "134.2 MB", "33.6 Mflop". */
void advice_time_text(double seconds, char *text, size_t text_bytes);
void advice_amount_text(double amount, const char *unit, char *text, size_t text_bytes);

#endif
