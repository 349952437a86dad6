/* sparse_request.c: what the command line of `gable bench` asks for of sparse matrices.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <stdio.h>
#include <string.h>
#include "gable/command.h"
#include "sparse_request.h"

#define MATRICES      "laplace5:1000,laplace7:100"
#define SIZES         "1e6x30"
#define ORTHOGONALISE "gmres_orthogonalise"

const char sparse_request_names[] = "spmv, cg, bicgstab, gmres, " ORTHOGONALISE;

#define NO_MATRIX ORTHOGONALISE " takes no matrix; it takes --size 1e6x30"

static const char *const preconds[] = {"auto", "none", "jacobi", "block", "ilu0", "ic0"};
static const char *const forms[] = {"auto", "standard", "pipelined", "persistent"};

static bool is_file(const char *word)
{
    const size_t length = strlen(word);
    return length > 4 && strcmp(word + length - 4, ".mtx") == 0;
}

/* The op of a word, BENCH_SPARSE_OPS: none. */
static bench_sparse_op op_of(const char *word)
{
    if (strcmp(word, "sparse_mv") == 0)
        return BENCH_SPARSE_MV;
    for (int op = 0; op < BENCH_SPARSE_OPS; op++)
        if (strcmp(word, bench_sparse_op_names[op]) == 0)
            return (bench_sparse_op)op;
    return BENCH_SPARSE_OPS;
}

bool sparse_request_meant(const args_words *words, const sparse_request *r)
{
    if (r->matrix != NULL)
        return true;
    for (int i = 0; i < words->count; i++) {
        const char *word = words->word[i];
        if (is_file(word) || (op_of(word) != BENCH_SPARSE_OPS && strcmp(word, "spmv") != 0))
            return true;
    }
    return false;
}

static int add_matrix(sparse_request *r, const char *name)
{
    char text[512];
    if (!bench_sparse_name_check(name, text, sizeof text))
        return args_refuse(&bench_args, "%s", text);
    if (strlen(name) >= sizeof r->matrices[0])
        return args_refuse(&bench_args, "the name of a matrix is too long: %s", name);
    if (r->matrix_count == SPARSE_MAX_MATRICES)
        return args_refuse(&bench_args, "takes at most %d matrices", SPARSE_MAX_MATRICES);
    snprintf(r->matrices[r->matrix_count++], sizeof r->matrices[0], "%s", name);
    return EXIT_DONE;
}

static int read_matrices(sparse_request *r)
{
    char piece[512];
    int code = EXIT_DONE;
    const char *at = r->matrix != NULL ? r->matrix : r->matrix_count == 0 ? MATRICES : NULL;
    while (code == EXIT_DONE && args_next_piece(&at, piece, sizeof piece))
        code = add_matrix(r, piece);
    return code;
}

static int read_ops(const args_words *words, sparse_request *r)
{
    for (int i = 0; i < words->count; i++) {
        const char *word = words->word[i];
        const bench_sparse_op op = op_of(word);
        if (is_file(word)) {
            const int code = add_matrix(r, word);
            if (code != EXIT_DONE)
                return code;
        } else if (op == BENCH_SPARSE_OPS) {
            return args_refuse(&bench_args,
                               "\"%s\" is no op of sparse matrices, which are measured apart; "
                               "these are %s",
                               word, sparse_request_names);
        } else {
            bool there = false;
            for (int j = 0; j < r->op_count; j++)
                there = there || r->ops[j] == op;
            if (!there)
                r->ops[r->op_count++] = op;
        }
    }
    if (r->op_count == 0)
        return args_refuse(&bench_args, "needs an op of sparse matrices: one of %s",
                           sparse_request_names);
    return EXIT_DONE;
}

static bool has(const sparse_request *r, bench_sparse_op op)
{
    for (int i = 0; i < r->op_count; i++)
        if (r->ops[i] == op)
            return true;
    return false;
}

/* Whether one of the ops takes a matrix. */
static bool has_matrix(const sparse_request *r)
{
    return r->op_count > 1 || r->ops[0] != BENCH_SPARSE_ORTHOGONALISE;
}

/* Options that none of the ops looks at are refused, as elsewhere. */
static int check_given(const args_words *words, const sparse_request *r)
{
    const bool cg = has(r, BENCH_SPARSE_CG), gmres = has(r, BENCH_SPARSE_GMRES);
    const struct {
        const char *option;
        bool good;
        const char *sentence;
    } rules[] = {
        {"--matrix", has_matrix(r), NO_MATRIX},
        {"--format", has_matrix(r), NO_MATRIX},
        {"--trans", has(r, BENCH_SPARSE_MV), "--trans is for spmv, which is not among the ops"},
        {"--precond", cg || gmres || has(r, BENCH_SPARSE_BICGSTAB),
         "--precond is for solvers, and none is among the ops"},
        {"--form", cg, "--form is for cg, which is not among the ops"},
        {"--restart", gmres, "--restart is for gmres, which is not among the ops"},
        {"--size", has(r, BENCH_SPARSE_ORTHOGONALISE),
         "--size is for " ORTHOGONALISE "; sizes of sparse matrices are a part of their names, as "
         "in --matrix laplace5:3000x3000"},
    };
    if (r->matrix_count > 0 && !has_matrix(r))
        return args_refuse(&bench_args, NO_MATRIX);
    for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++)
        if (args_given(&bench_args, words, rules[i].option) && !rules[i].good)
            return args_refuse(&bench_args, "%s", rules[i].sentence);
    return EXIT_DONE;
}

static int check_values(const sparse_request *r)
{
    for (int i = 0; i < r->trans.count; i++)
        if (r->trans.item[i].pair)
            return args_refuse(&bench_args,
                               "--trans has \"%s\"; for spmv it takes some of N, T, C, as in N,T",
                               r->trans.text);
    for (int i = 0; i < r->sizes.count; i++)
        if (r->sizes.size[i].count > 2 ||
            (r->sizes.size[i].count == 2 && r->sizes.size[i].part[1] > SPARSE_MAX_RESTART))
            return args_refuse(&bench_args,
                               "--size has \"%s\"; " ORTHOGONALISE " takes n or n x m, as in "
                               "1e6x30, with m up to %d",
                               r->sizes.text, SPARSE_MAX_RESTART);
    return EXIT_DONE;
}

/* What was not asked for is as usual. */
static void fill_in(case_request *cases, sparse_request *r)
{
    char why[ARGS_WHY_BYTES];
    r->dtypes = cases->dtypes != 0 ? cases->dtypes : 1u << GBL_D;
    r->trans = cases->trans;
    r->sizes = cases->sizes;
    cases->math = GABLE_MATH_PLAIN;
    if (r->trans.count == 0)
        case_read_trans("N", &r->trans, why, sizeof why);
    if (r->sizes.count == 0)
        case_read_sizes(SIZES, &r->sizes, why, sizeof why);
}

int sparse_request_read(const args_words *words, case_request *cases, sparse_request *r)
{
    r->asked = true;
    int code = read_ops(words, r);
    if (code == EXIT_DONE)
        code = check_given(words, r);
    if (code == EXIT_DONE && has_matrix(r))
        code = read_matrices(r);
    fill_in(cases, r);
    return code == EXIT_DONE ? check_values(r) : code;
}

/* ---- Cases ---- */

typedef struct loop {
    const sparse_request *r;
    bool (*take)(void *user, const bench_sparse_case *what);
    void *user;
} loop;

/* All cases of an op in one precision and format: false: no more are wanted. */
static bool each_choice(const loop *l, bench_sparse_case what)
{
    const sparse_request *r = l->r;
    const bool product = what.op == BENCH_SPARSE_MV, cg = what.op == BENCH_SPARSE_CG;
    const int trans = product ? r->trans.count : 1, some = product ? 1 : r->precond.count;
    const int ways = cg ? r->form.count : 1;
    for (int i = 0; i < trans * some * ways; i++) {
        what.trans = product ? r->trans.item[i % trans].a : GABLE_NO_TRANS;
        what.precond = product ? "none" : preconds[r->precond.place[i / trans % some]];
        what.form = cg ? forms[r->form.place[i / trans / some]] : "auto";
        if (!l->take(l->user, &what))
            return false;
    }
    return true;
}

static bool each_of_matrix(const loop *l, const bench_sparse_matrix *matrix)
{
    const sparse_request *r = l->r;
    for (int op = 0; op < r->op_count; op++)
        for (int dtype = GBL_S; dtype <= GBL_Z; dtype++)
            for (int format = 0; format < r->format.count; format++) {
                if (r->ops[op] == BENCH_SPARSE_ORTHOGONALISE)
                    continue;
                const bench_sparse_case what = {.op = r->ops[op],
                                                .dtype = (gbl_dtype)dtype,
                                                .matrix = matrix,
                                                .format = (gable_format)r->format.place[format],
                                                .restart = r->restart};
                const bool wrong = matrix->complex_values && !gbl_dtype_complex((gbl_dtype)dtype);
                if ((r->dtypes >> dtype & 1) && !wrong && !each_choice(l, what))
                    return false;
            }
    return true;
}

/* n x m, without a matrix. */
static bool each_basis(const loop *l)
{
    const sparse_request *r = l->r;
    for (int i = 0; i < r->sizes.count; i++)
        for (int dtype = GBL_S; dtype <= GBL_Z; dtype++) {
            const bench_size *size = &r->sizes.size[i];
            bench_sparse_matrix shape = {
                .rows = size->part[0], .columns = size->count > 1 ? size->part[1] : SPARSE_RESTART};
            shape.entries = shape.rows * shape.columns;
            snprintf(shape.name, sizeof shape.name, "%lldx%lld", (long long)shape.rows,
                     (long long)shape.columns);
            const bench_sparse_case what = {.op = BENCH_SPARSE_ORTHOGONALISE,
                                            .dtype = (gbl_dtype)dtype,
                                            .matrix = &shape,
                                            .precond = "none",
                                            .form = "auto"};
            if ((r->dtypes >> dtype & 1) && !l->take(l->user, &what))
                return false;
        }
    return true;
}

void sparse_request_each(const sparse_request *r, bool make,
                         bool (*take)(void *user, const bench_sparse_case *what),
                         void (*fail)(void *user, const char *why), void *user)
{
    const loop l = {r, take, user};
    if (has(r, BENCH_SPARSE_ORTHOGONALISE) && !each_basis(&l))
        return;
    for (int i = 0; i < r->matrix_count; i++) {
        bench_sparse_matrix matrix = {.rows = 1};
        gbl_message message = {NULL, ""};
        snprintf(matrix.name, sizeof matrix.name, "%s", r->matrices[i]);
        if (make && bench_sparse_make(r->matrices[i], &matrix, &message) != GABLE_OK) {
            fail(user, message.text);
            continue;
        }
        const unsigned complex_ones = 1u << GBL_C | 1u << GBL_Z;
        if (matrix.complex_values && (r->dtypes & complex_ones) == 0) {
            char text[400];
            snprintf(text, sizeof text, "%s has complex numbers; ask with --prec z", matrix.name);
            fail(user, text);
        }
        const bool more = each_of_matrix(&l, &matrix);
        bench_sparse_free(&matrix);
        if (!more)
            return;
    }
}
