/* sparse_request.c: what the command line of `gable bench` asks for of sparse matrices.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <stdio.h>
#include <string.h>
#include "gable/case_words.h"
#include "gable/command.h"
#include "sparse_request.h"

#define MATRICES      "laplace5:1000,laplace7:100"
#define SIZES         "1e6x30"
#define RESTART       30
#define MAX_RESTART   1000
#define ORTHOGONALISE "gmres_orthogonalise"

const char sparse_request_names[] = "spmv, cg, bicgstab, gmres, " ORTHOGONALISE;

static const char *const precond_words[] = {"auto", "none", "jacobi", "block", NULL};
static const char *const form_words[] = {"auto", "standard", "pipelined", "persistent", NULL};

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

bool sparse_request_meant(const args_words *words, const sparse_words *given)
{
    if (given->matrix != NULL)
        return true;
    for (int i = 0; i < words->count; i++) {
        const char *word = words->word[i];
        if (is_file(word) || (op_of(word) != BENCH_SPARSE_OPS && strcmp(word, "spmv") != 0))
            return true;
    }
    return false;
}

/* ---- Lists ---- */

/* The next of "a,b,c": *at moves behind it. false at the end. */
static bool next_piece(const char **at, char *piece, size_t piece_bytes)
{
    if (*at == NULL)
        return false;
    const size_t length = strcspn(*at, ",");
    snprintf(piece, piece_bytes, "%.*s", (int)length, *at);
    *at = (*at)[length] == ',' ? *at + length + 1 : NULL;
    return true;
}

/* Pieces of a list that are words of `known`: their places. Returns how many, -1 where one is none. */
static int read_words(const char *list, const char *const *known, int *places)
{
    char piece[64];
    int count = 0;
    for (const char *at = list; next_piece(&at, piece, sizeof piece);) {
        int place = 0;
        while (known[place] != NULL && strcmp(known[place], piece) != 0)
            place++;
        if (known[place] == NULL || count == SPARSE_MAX_WORDS)
            return -1;
        places[count++] = place;
    }
    return count;
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

static int read_matrices(const char *list, sparse_request *r)
{
    char piece[512];
    int code = EXIT_DONE;
    const char *at = list != NULL ? list : r->matrix_count == 0 ? MATRICES : NULL;
    while (code == EXIT_DONE && next_piece(&at, piece, sizeof piece))
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
static int check_given(const sparse_words *given, const sparse_request *r)
{
    const bool cg = has(r, BENCH_SPARSE_CG), gmres = has(r, BENCH_SPARSE_GMRES);
    const bool basis = has(r, BENCH_SPARSE_ORTHOGONALISE);
    if ((given->matrix != NULL || r->matrix_count > 0 || given->format != NULL) && !has_matrix(r))
        return args_refuse(&bench_args, ORTHOGONALISE " takes no matrix; it takes --size 1e6x30");
    if (given->trans != NULL && !has(r, BENCH_SPARSE_MV))
        return args_refuse(&bench_args, "--trans is for spmv, which is not among the ops");
    if (given->precond != NULL && !cg && !gmres && !has(r, BENCH_SPARSE_BICGSTAB))
        return args_refuse(&bench_args, "--precond is for solvers, and none is among the ops");
    if (given->form != NULL && !cg)
        return args_refuse(&bench_args, "--form is for cg, which is not among the ops");
    if (given->restart != NULL && !gmres)
        return args_refuse(&bench_args, "--restart is for gmres, which is not among the ops");
    if (given->size != NULL && !basis)
        return args_refuse(&bench_args,
                           "--size is for " ORTHOGONALISE "; sizes of sparse matrices are a part "
                           "of their names, as in --matrix laplace5:3000x3000");
    return EXIT_DONE;
}

static int read_choices(const sparse_words *given, sparse_request *r)
{
    static const char *const formats[] = {"auto", "csr", "coo", "ell", "sell", "hyb", NULL};
    int places[SPARSE_MAX_WORDS];
    r->format_count = read_words(given->format != NULL ? given->format : "auto", formats, places);
    if (r->format_count < 0)
        return args_refuse(&bench_args,
                           "--format has \"%s\"; it takes some of auto, csr, coo, ell, sell, hyb",
                           given->format);
    for (int i = 0; i < r->format_count; i++)
        r->formats[i] = (gable_format)places[i];
    r->precond_count =
        read_words(given->precond != NULL ? given->precond : "none", precond_words, places);
    if (r->precond_count < 0)
        return args_refuse(&bench_args,
                           "--precond has \"%s\"; it takes some of auto, none, jacobi, block",
                           given->precond);
    for (int i = 0; i < r->precond_count; i++)
        r->preconds[i] = precond_words[places[i]];
    r->form_count = read_words(given->form != NULL ? given->form : "auto", form_words, places);
    if (r->form_count < 0)
        return args_refuse(
            &bench_args,
            "--form has \"%s\"; it takes some of auto, standard, pipelined, persistent",
            given->form);
    for (int i = 0; i < r->form_count; i++)
        r->forms[i] = form_words[places[i]];
    return EXIT_DONE;
}

static int read_trans(const sparse_words *given, sparse_request *r)
{
    static const gable_trans of_letter[] = {GABLE_NO_TRANS, GABLE_TRANS, GABLE_CONJ_TRANS};
    int places[SPARSE_MAX_WORDS];
    r->trans_count = case_words_letters(given->trans != NULL ? given->trans : "N", "NTC", places);
    if (r->trans_count < 0)
        return args_refuse(&bench_args,
                           "--trans has \"%s\"; for spmv it takes some of N, T, C, as in N,T",
                           given->trans);
    for (int i = 0; i < r->trans_count; i++)
        r->trans[i] = of_letter[places[i]];
    return EXIT_DONE;
}

static int read_numbers(const sparse_words *given, sparse_request *r)
{
    const char *end = "";
    bench_sizes sizes;
    r->restart = RESTART;
    if (given->restart != NULL && (!args_count(given->restart, &r->restart, &end) || *end != '\0' ||
                                   r->restart > MAX_RESTART))
        return args_refuse(&bench_args, "--restart is \"%s\"; it must be a number from 1 to %d",
                           given->restart, MAX_RESTART);
    const int code =
        case_words_sizes(&bench_args, given->size != NULL ? given->size : SIZES, &sizes);
    if (code != EXIT_DONE)
        return code;
    for (int i = 0; i < sizes.count && i < SPARSE_MAX_WORDS; i++) {
        if (sizes.size[i].count > 2 ||
            (sizes.size[i].count == 2 && sizes.size[i].part[1] > MAX_RESTART))
            return args_refuse(&bench_args,
                               "--size has \"%s\"; " ORTHOGONALISE " takes n or n x m, as in "
                               "1e6x30, with m up to %d",
                               given->size, MAX_RESTART);
        r->sizes[r->size_count++] = sizes.size[i];
    }
    return EXIT_DONE;
}

int sparse_request_read(const args_words *words, const sparse_words *given, sparse_request *r)
{
    r->asked = true;
    int code = read_ops(words, r);
    if (code == EXIT_DONE)
        code = check_given(given, r);
    if (code == EXIT_DONE && has_matrix(r))
        code = read_matrices(given->matrix, r);
    if (code == EXIT_DONE)
        code =
            case_words_precisions(&bench_args, given->prec != NULL ? given->prec : "d", &r->dtypes);
    if (code == EXIT_DONE)
        code = read_choices(given, r);
    if (code == EXIT_DONE)
        code = read_trans(given, r);
    return code == EXIT_DONE ? read_numbers(given, r) : code;
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
    const int trans = product ? r->trans_count : 1, preconds = product ? 1 : r->precond_count;
    const int forms = cg ? r->form_count : 1;
    for (int i = 0; i < trans * preconds * forms; i++) {
        what.trans = product ? r->trans[i % trans] : GABLE_NO_TRANS;
        what.precond = product ? "none" : r->preconds[i / trans % preconds];
        what.form = cg ? r->forms[i / trans / preconds] : "auto";
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
            for (int format = 0; format < r->format_count; format++) {
                if (r->ops[op] == BENCH_SPARSE_ORTHOGONALISE)
                    continue;
                const bench_sparse_case what = {.op = r->ops[op],
                                                .dtype = (gbl_dtype)dtype,
                                                .matrix = matrix,
                                                .format = r->formats[format],
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
    for (int i = 0; i < r->size_count; i++)
        for (int dtype = GBL_S; dtype <= GBL_Z; dtype++) {
            const bench_size *size = &r->sizes[i];
            bench_sparse_matrix shape = {.rows = size->part[0],
                                         .columns = size->count > 1 ? size->part[1] : RESTART};
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
