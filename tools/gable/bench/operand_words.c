/* operand_words.c: what `gable bench` is told of the operands of matrices: where they lie and what they hold.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "core/math_mode.h"
#include "operand_words.h"
#include "gable/command.h"

#define MAX_ELEMENTS 4096

/* A number of elements. false: it is none, or too large. */
static bool read_elements(const char *text, int64_t *elements)
{
    char *end = NULL;
    *elements = text != NULL ? strtol(text, &end, 10) : 0;
    return text == NULL ||
           (end != text && *end == '\0' && *elements >= 0 && *elements <= MAX_ELEMENTS);
}

static int refuse_elements(const char *option, const char *text)
{
    return args_refuse(&bench_args, "%s is \"%s\"; it must be a number from 0 to %d", option, text,
                       MAX_ELEMENTS);
}

static const bench_op *first_without(const bench_request *asked, bool (*has)(const bench_op *op))
{
    for (int i = 0; i < asked->op_count; i++)
        if (!has(asked->ops[i].op))
            return asked->ops[i].op;
    return NULL;
}

static int read_beta(const char *text, bench_request *asked)
{
    const bench_op *other = first_without(asked, bench_op_takes_beta);
    if (text == NULL)
        return EXIT_DONE;
    if (strcmp(text, "0") != 0 && strcmp(text, "1") != 0)
        return args_refuse(&bench_args, "--beta is \"%s\"; it must be 0 or 1", text);
    if (other != NULL)
        return args_refuse(&bench_args,
                           "--beta is for products that add beta times C, such as gemm, and "
                           "\"%s\" is among the ops; leave it out",
                           other->name);
    asked->beta = text[0] - '0';
    return EXIT_DONE;
}

static int read_data(const char *text, bench_request *asked)
{
    const bench_op *other = first_without(asked, bench_op_is_product);
    if (text == NULL || strcmp(text, "random") == 0)
        return EXIT_DONE;
    if (strcmp(text, "zeros") != 0)
        return args_refuse(&bench_args, "--data is \"%s\"; it must be random or zeros", text);
    if (other != NULL)
        return args_refuse(&bench_args,
                           "--data zeros is for products of matrices such as gemm, and \"%s\" is "
                           "among the ops; leave it out",
                           other->name);
    if (asked->ladder)
        return args_refuse(&bench_args, "--ladder takes random data alone; leave out --data zeros");
    asked->zeros = true;
    return EXIT_DONE;
}

/* The environment's mode counts as it does for programs; what is wrong there, opening a device says. */
static int read_math(const char *text, bench_request *asked)
{
    const char *given = text != NULL ? text : getenv("GABLE_MATH");
    const bench_op *other = first_without(asked, bench_op_is_product);
    gable_math math = GABLE_MATH_PLAIN;
    const bool known = given == NULL || gbl_math_find(given, &math);
    if (text != NULL && !known)
        return args_refuse(&bench_args, "--math is \"%s\"; it must be plain or tf32x3", text);
    if (text != NULL && math != GABLE_MATH_PLAIN && other != NULL)
        return args_refuse(&bench_args,
                           "--math is for products of matrices such as gemm, and \"%s\" is among "
                           "the ops; leave it out",
                           other->name);
    asked->math = (int)math;
    return EXIT_DONE;
}

int operand_words_read(const operand_words *words, bench_request *asked)
{
    bool matrix = false;
    if (!read_elements(words->offset, &asked->offset))
        return refuse_elements("--offset", words->offset);
    if (!read_elements(words->ld, &asked->pad))
        return refuse_elements("--ld", words->ld);
    for (int i = 0; i < asked->op_count; i++)
        matrix = matrix || bench_op_has_matrix(asked->ops[i].op);
    if (words->ld != NULL && !matrix)
        return args_refuse(&bench_args, "--ld is for ops with matrices, and none of the ops has "
                                        "one; leave it out");
    int code = read_beta(words->beta, asked);
    if (code == EXIT_DONE)
        code = read_data(words->data, asked);
    return code == EXIT_DONE ? read_math(words->math, asked) : code;
}

void operand_words_text(const bench_request *asked, char *text, size_t text_bytes)
{
    const bool moved = asked->offset > 0 || asked->pad > 0;
    char where[160] = "lda = m";
    if (moved)
        snprintf(where, sizeof where, "lda = m + %lld, %lld elements off their alignment",
                 (long long)(asked->offset + asked->pad), (long long)asked->offset);
    if (asked->zeros)
        snprintf(text, text_bytes,
                 "zeros: the clock of a board that is at its power limit with other data stays "
                 "up, so that ratios are ratios of cycles; times are not those of real data, and "
                 "rows are not kept; matrices with %s, products with beta = %d",
                 where, asked->beta);
    else
        snprintf(text, text_bytes,
                 "uniform in [-1, 1], scalars exact in each precision, unit strides; matrices with "
                 "%s, products with beta = %d, triangles with ones on the diagonal",
                 where, asked->beta);
}
