/* message.h: the sentence that says what went wrong, and the one function that writes it.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A gbl_message lives in each context (and on the stack where no context exists yet). Every layer
 * that fails calls gbl_fail and passes the status up unchanged.
 */
#ifndef GBL_MESSAGE_H
#define GBL_MESSAGE_H

#include "gable/types.h"

#define GBL_MESSAGE_BYTES 8192 /* a compiler's log is cut to fit */

typedef struct gbl_message {
    const char *routine; /* the outermost public function in progress, or NULL; prefixes the text */
    char text[GBL_MESSAGE_BYTES];
} gbl_message;

#if defined(__GNUC__) || defined(__clang__)
#define GBL_PRINTF(text, first) __attribute__((format(printf, text, first)))
#else
#define GBL_PRINTF(text, first)
#endif

/* Writes "routine: text" and returns status. message may be NULL (nothing is written). */
gable_status gbl_fail(gbl_message *message, gable_status status, const char *format, ...)
    GBL_PRINTF(3, 4);

/* Returns from the calling function when an expression of type gable_status is not GABLE_OK. */
#define TRY(expression)                                                                            \
    do {                                                                                           \
        const gable_status try_status_ = (expression);                                             \
        if (try_status_ != GABLE_OK)                                                               \
            return try_status_;                                                                    \
    } while (0)

#endif
