/* test_calls.c: every typed routine called from C and from Fortran with the same arguments: the
 * same bits.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * make_calls.py draws the arguments and makes the calls (calls_made.h, calls_made.f90). Here are
 * the operands. Before each call all buffers are filled anew with numbers that depend on the place
 * alone; afterwards all bytes of all buffers, the status and the message are compared. Element (i,
 * i) of a matrix with leading dimension 9 is larger than the others together, so that solves and
 * factorizations are defined.
 */
#include "calls_made.h"

enum { BUFFERS = 6, ELEMENTS = 256, BYTES = ELEMENTS * 16, APART = 90 };

/* call_fortran.f90 */
void call_fortran_begin(void **device, void **host, void **list);
int call_in_fortran(int number, int form, gable_context *ctx, gable_sparse *matrix);

static unsigned char state[2 * BUFFERS][BYTES];
static void *device[BUFFERS], *host[BUFFERS], *list[BUFFERS];

static size_t element_bytes(char letter)
{
    return letter == 's' ? 4 : letter == 'z' ? 16 : 8;
}

static double number_at(int buffer, int part, int element)
{
    const uint64_t mixed = ((uint64_t)(buffer * 2 + part) * ELEMENTS + (uint64_t)element + 1) *
                           UINT64_C(0x9e3779b97f4a7c15);
    const double value = (double)(mixed >> 40) / (double)(1 << 24) - 0.5;
    return part == 0 && element % 10 == 0 ? value + 16 : value;
}

/* What buffer j holds before a call: elements by the operand's letter. */
static void fill(unsigned char *to, int buffer, char letter, int is_param)
{
    for (int i = 0; i < ELEMENTS; i++) {
        const double re = is_param && i == 0 ? -1 : number_at(buffer, 0, i);
        const double im = number_at(buffer, 1, i);
        const float re_s = (float)re, im_s = (float)im;
        const int64_t pivot = i + 1 + (i < 4 && i % 2 == 0); /* 2 2 4 4 5 6 ... */
        unsigned char *place = to + (size_t)i * element_bytes(letter);
        switch (letter) {
        case 's':
            memcpy(place, &re_s, 4);
            break;
        case 'd':
            memcpy(place, &re, 8);
            break;
        case 'c':
            memcpy(place, &re_s, 4);
            memcpy(place + 4, &im_s, 4);
            break;
        case 'z':
            memcpy(place, &re, 8);
            memcpy(place + 8, &im, 8);
            break;
        default:
            memcpy(place, &pivot, 8);
            break;
        }
    }
}

static void must(gable_context *ctx, gable_status status)
{
    if (status == GABLE_OK)
        return;
    printf("FAILED: %s\n", gable_message(ctx));
    exit(1);
}

static void put_operands(gable_context *ctx, const char *name, const char *letters)
{
    static unsigned char bytes[BYTES];
    const int count = (int)strlen(letters);
    for (int j = 0; j < BUFFERS; j++) {
        char letter = j < count ? letters[j] : 'd';
        const int is_param = strstr(name, "rotm") != NULL && strstr(name, "rotmg") == NULL &&
                             j == 2 && letter != 'i';
        if (letter >= 'A' && letter <= 'Z')
            letter = (char)(letter - 'A' + 'a');
        memset(bytes, 0x5a, BYTES);
        fill(bytes, j, letter, is_param);
        memcpy(host[j], bytes, BYTES);
        must(ctx, gable_set_vector(ctx, BYTES, 1, bytes, 1, device[j], 1));
        void *addresses[2] = {device[j], (char *)device[j] + (size_t)APART * element_bytes(letter)};
        must(ctx, gable_set_vector(ctx, 2, sizeof(void *), addresses, 1, list[j], 1));
    }
}

static void take_operands(gable_context *ctx, unsigned char to[2 * BUFFERS][BYTES])
{
    for (int j = 0; j < BUFFERS; j++) {
        must(ctx, gable_get_vector(ctx, BYTES, 1, device[j], 1, to[j], 1));
        memcpy(to[BUFFERS + j], host[j], BYTES);
    }
}

/* A square sparse matrix of order 5 in each precision. */
static gable_sparse *sparse_matrix(gable_context *ctx, char precision)
{
    static const int32_t start[] = {0, 2, 3, 5, 6, 8}, column[] = {0, 3, 1, 0, 2, 3, 1, 4};
    unsigned char values[8 * 16];
    static unsigned char bytes[BYTES];
    gable_sparse *made = NULL;
    fill(bytes, 7, precision, 0);
    memcpy(values, bytes, sizeof values);
    const void *at = values;
    switch (precision) {
    case 's':
        must(ctx, gable_sparse_scsr(ctx, 5, 5, 8, 32, start, column, at, 0, &made));
        break;
    case 'd':
        must(ctx, gable_sparse_dcsr(ctx, 5, 5, 8, 32, start, column, at, 0, &made));
        break;
    case 'c':
        must(ctx, gable_sparse_ccsr(ctx, 5, 5, 8, 32, start, column, at, 0, &made));
        break;
    default:
        must(ctx, gable_sparse_zcsr(ctx, 5, 5, 8, 32, start, column, at, 0, &made));
        break;
    }
    return made;
}

int main(void)
{
    static const struct {
        int number;
        const char *name, *letters;
        int forms; /* a bit each */
    } calls[] = {
#define CALL(number, name, letters, forms) {number, name, letters, forms},
        CALLS(CALL)};
    static unsigned char before[2 * BUFFERS][BYTES], after[2 * BUFFERS][BYTES];
    const int count = (int)(sizeof calls / sizeof calls[0]);
    int failures = 0, refused = 0, compared = 0;
    gable_context *ctx;
    const gable_status opened = gable_open(&ctx, NULL);
    must(ctx, opened);
    for (int j = 0; j < BUFFERS; j++) {
        must(ctx, gable_alloc(ctx, BYTES, &device[j]));
        must(ctx, gable_alloc(ctx, 2 * sizeof(void *), &list[j]));
        host[j] = calloc(1, BYTES);
        if (host[j] == NULL)
            return 1;
    }
    call_fortran_begin(device, host, list);
    gable_sparse *matrices[4] = {sparse_matrix(ctx, 's'), sparse_matrix(ctx, 'd'),
                                 sparse_matrix(ctx, 'c'), sparse_matrix(ctx, 'z')};
    for (int i = 0; i < count; i++) {
        const char *name = calls[i].name, *letters = calls[i].letters;
        gable_sparse *matrix = NULL;
        if (strncmp(name, "gable_sparse_", 13) == 0)
            matrix = matrices[strchr("sdcz", name[13]) - "sdcz"];
        put_operands(ctx, name, letters);
        take_operands(ctx, before);
        const gable_status status = call_in_c(i, ctx, matrix, device, host, list);
        take_operands(ctx, state);
        char message[2000] = "";
        if (status != GABLE_OK) {
            refused++;
            snprintf(message, sizeof message, "%s", gable_message(ctx));
            printf("FAILED: call %d: %s\n", i, message);
            failures++;
        } else if (memcmp(before, state, sizeof before) == 0) {
            printf("FAILED: %s, call %d, changes nothing\n", name, i);
            failures++;
        }
        for (int form = 1; form <= 2; form++) {
            if ((calls[i].forms & form) == 0)
                continue;
            put_operands(ctx, name, letters);
            const int again = call_in_fortran(i, form, ctx, matrix);
            take_operands(ctx, after);
            compared++;
            if (again != (int)status || memcmp(state, after, sizeof after) != 0) {
                printf("FAILED: %s, call %d, form %d: status %d and %d, %s\n", name, i, form,
                       (int)status, again,
                       memcmp(state, after, sizeof after) != 0 ? "other bits" : "the same bits");
                failures++;
            }
        }
    }
    for (int j = 0; j < 4; j++)
        must(ctx, gable_sparse_destroy(ctx, matrices[j]));
    for (int j = 0; j < BUFFERS; j++) {
        must(ctx, gable_free(ctx, device[j]));
        must(ctx, gable_free(ctx, list[j]));
        free(host[j]);
    }
    gable_close(ctx);
    printf("%d routines, %d calls from Fortran with the bits of C\n", count, compared);
    return failures == 0 && count > 600 ? 0 : 1;
}
