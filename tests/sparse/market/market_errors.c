/* market_errors.c: wrong Matrix Market files: each error with its line, and thousands of damaged
 * files.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <stdio.h>
#include "harness/check.h"
#include "market_text.h"

#define C "%%MatrixMarket matrix coordinate "
#define A "%%MatrixMarket matrix array "

typedef struct scene {
    const char *text, *message; /* the message's start */
} scene;

static const scene scenes[] = {
    {"", "A.mtx:1: the file starts with '', not with %%MatrixMarket"},
    {"%MatrixMarket matrix coordinate real general\n1 1 0\n",
     "A.mtx:1: the file starts with '%Matr"},
    {"1 1 1\n", "A.mtx:1: the file starts with '1', not with %%MatrixMarket"},
    {"\xff\n", "A.mtx:1: the file starts with '?', not"},
    {"%%MatrixMarket\n", "A.mtx:1: '' stands where the word matrix is expected"},
    {"%%MatrixMarket vector array real general\n",
     "A.mtx:1: 'vector' stands where the word matrix"},
    {"%%MatrixMarket matrix sparse real general\n", "A.mtx:1: 'sparse' stands where coordinate or"},
    {C "double general\n", "A.mtx:1: 'double' stands where real, integer, complex or pattern"},
    {C "real skew\n",
     "A.mtx:1: 'skew' stands where general, symmetric, skew-symmetric or hermitian"},
    {C "real\n1 1 0\n", "A.mtx:1: '' stands where general"},
    {C "real general upper\n1 1 0\n", "A.mtx:1: 'upper' follows the five words"},
    {C "real hermitian\n1 1 0\n", "A.mtx:1: hermitian is for complex"},
    {C "integer hermitian\n1 1 0\n", "A.mtx:1: hermitian is for complex"},
    {C "pattern hermitian\n1 1 0\n", "A.mtx:1: hermitian is for complex"},
    {C "pattern skew-symmetric\n1 1 0\n", "A.mtx:1: a pattern has no values"},
    {A "pattern general\n1 1\n1\n", "A.mtx:1: an array has values"},
    {C "real general",
     "A.mtx:1: the file ends before the line with the numbers of rows, columns and"},
    {C "real general\n% no more\n\n",
     "A.mtx:3: the file ends before the line with the numbers of rows"},
    {C "real general\n%\n3 3\n",
     "A.mtx:3: the line has 2 numbers; it needs 3: rows, columns and entries"},
    {C "real general\n3 3 x\n", "A.mtx:2: 'x' is no number from 0 to 2^63 - 1"},
    {C "real general\n3 -3 1\n", "A.mtx:2: '-3' is no number from 0"},
    {C "real general\n3.0 3 1\n", "A.mtx:2: '3.0' is no number from 0"},
    {C "real general\n9223372036854775808 1 0\n",
     "A.mtx:2: '9223372036854775808' is no number from 0"},
    {C "real general\n3 3 1 1\n1 1 1\n", "A.mtx:2: '1' follows the numbers of rows, columns and"},
    {A "real general\n3 3 1\n", "A.mtx:2: '1' follows the numbers of rows and columns"},
    {C "real symmetric\n3 4 0\n", "A.mtx:2: 3 rows and 4 columns; a symmetric matrix is square"},
    {C "real general\n9 9 9223372036854775807\n1 1 1\n",
     "A.mtx:2: 9223372036854775807 entries take at least 6 bytes each; only 6 bytes follow"},
    {C "complex general\n9 9 2\n1 1 1 1\n",
     "A.mtx:2: 2 entries take at least 8 bytes each; only 8"},
    {A "real general\n4294967296 4294967296\n1\n",
     "A.mtx:2: 4294967296 x 4294967296 values are past the limit of 2^63 bytes"},
    {A "real symmetric\n9223372036854775807 9223372036854775807\n1\n",
     "A.mtx:2: 9223372036854775807 x"},
    {A "real general\n1000000 1000000\n1\n",
     "A.mtx:2: 1000000000000 entries take at least 2 bytes"},
    {C "real general\n3 3 3\n1 1 1.0\n2 2 1.0\n\n% end\n",
     "A.mtx:6: the file ends after 2 entries; line 2 says 3"},
    {C "real general\n3 3 1\n1 1 1\n%\n2 2 1\n3 3 1\n",
     "A.mtx:5: this is one entry too many; line 2 says 1, and the file has 3"},
    {A "real general\n2 1\n1\n2\n3\n", "A.mtx:5: this is one entry too many; line 2 says 2"},
    {C "real general\n%\n3 3 2\n1 1 1\n4 1 1\n",
     "A.mtx:5: row 4 is beyond the 3 rows that line 3 says"},
    {C "real general\n3 2 1\n3 3 1\n",
     "A.mtx:3: column 3 is beyond the 2 columns that line 2 says"},
    {C "real general\n3 3 1\n0 1 1\n", "A.mtx:3: row 0 is below 1; rows count from 1"},
    {C "real general\n3 3 1\n1 -2 1\n", "A.mtx:3: column -2 is below 1; columns count from 1"},
    {C "real general\n3 3 1\n1.0 1 1\n", "A.mtx:3: '1.0' is no whole number below 2^63; a row is"},
    {C "real general\n3 3 1\n1 99999999999999999999 1\n",
     "A.mtx:3: '99999999999999999999' is no whole"},
    {C "real general\n3 3 2\n1            \n1 1 1\n",
     "A.mtx:3: the line ends where a column is expected"},
    {C "real general\n3 3 2\n1 1      \n1 1 1\n",
     "A.mtx:3: the line ends where a value is expected"},
    {C "complex general\n3 3 1\n1 1 1.0     \n",
     "A.mtx:3: the line ends where a value is expected; a complex"},
    {C "real general\n3 3 1\n1 1 one\n", "A.mtx:3: 'one' is no number"},
    {C "real general\n3 3 1\n1 1 1.5x\n", "A.mtx:3: '1.5x' is no number"},
    {C "real general\n3 3 1\n1 1 1e\n", "A.mtx:3: '1e' is no number"},
    {C "real general\n3 3 1\n1 1 .\n", "A.mtx:3: '.' is no number"},
    {C "real general\n3 3 1\n1 1 0x10\n", "A.mtx:3: '0x10' is no number"},
    {C "real general\n3 3 1\n1 1 1,5\n", "A.mtx:3: '1,5' is no number"},
    {C "real general\n3 3 1\n1 1 1e309\n", "A.mtx:3: '1e309' is past the largest double"},
    {C "integer general\n3 3 1\n1 1 1.5\n",
     "A.mtx:3: '1.5' is no whole number, and line 1 says integer"},
    {C "integer general\n3 3 1\n1 1 nan\n",
     "A.mtx:3: 'nan' is no whole number, and line 1 says integer"},
    {C "real general\n3 3 1\n1 1 1 2\n",
     "A.mtx:3: '2' follows the entry; each line has one entry, here row"},
    {C "pattern general\n3 3 1\n1 1 1\n",
     "A.mtx:3: '1' follows the entry; each line has one entry, here row and column"},
    {A "real general\n2 1\n1 2\n3\n",
     "A.mtx:3: '2' follows the entry; each line has one entry, here one"},
    {C "real symmetric\n3 3 2\n1 1 1\n1 2 1\n",
     "A.mtx:4: entry (1, 2) is above the diagonal; symmetric files hold the lower triangle"},
    {C "pattern symmetric\n3 3 1\n1 2 \n", "A.mtx:3: entry (1, 2) is above the diagonal"},
    {C "complex hermitian\n3 3 1\n1 2 1 0\n",
     "A.mtx:3: entry (1, 2) is above the diagonal; hermitian"},
    {C "real skew-symmetric\n3 3 1\n2 2 1\n",
     "A.mtx:3: entry (2, 2) is not 0; skew-symmetric matrices have a diagonal of zeros"},
    {C "complex skew-symmetric\n3 3 1\n2 2 0 1\n", "A.mtx:3: entry (2, 2) is not 0; skew"},
    {C "complex hermitian\n3 3 1\n2 2 1 1\n",
     "A.mtx:3: entry (2, 2) has an imaginary part; hermitian"},
    {A "complex hermitian\n2 2\n1 0\n1 1\n1 1\n", "A.mtx:5: entry (2, 2) has an imaginary part"},
    {C "real general\r\n3 3 1\r\n7 1 1\r\n", "A.mtx:3: row 7 is beyond the 3 rows"},
    {C "real general\n3 3 4\n1 1 1\n9 1 1\n8 1 1\n7 1 1\n", "A.mtx:4: row 9 is beyond the 3 rows"},
};

void market_errors(void)
{
    static const int64_t pieces[] = {0, 1, 5, 16};
    for (size_t k = 0; k < sizeof scenes / sizeof scenes[0]; k++)
        for (size_t p = 0; p < 8; p++) {
            const gbl_market_options options = {.expand = p >= 4, .piece_bytes = pieces[p % 4]};
            gbl_market matrix = {.rows = 5};
            gbl_message message = {.text = ""};
            test_case("error %zu, pieces of %lld", k, (long long)options.piece_bytes);
            const gable_status status =
                read_bytes(scenes[k].text, strlen(scenes[k].text), &options, &matrix, &message);
            CHECK(status == GABLE_NOT_SUPPORTED, "the status is %d: %s", status, message.text);
            CHECK(strncmp(message.text, scenes[k].message, strlen(scenes[k].message)) == 0,
                  "the message is\n  %s\nand should be\n  %s", message.text, scenes[k].message);
            CHECK(matrix.rows == 0 && matrix.row == NULL && matrix.values == NULL,
                  "the matrix is not empty");
            gbl_market_free(&matrix);
        }
}

/* ---- Damaged files ---- */

static const char *const healthy[] = {
    C "real general\n% c\n4 5 4\n1 1 1.0\n2 3 -2.5e-3\n4 5 1.0D+00\n\n3 2 .5\n",
    C "integer symmetric\r\n3 3 3\r\n1 1 1\r\n2 1 -7\r\n3 2 9\r\n",
    C "complex hermitian\n3 3 3\n1 1 1 0\n2 1 1 2\n3 3 nan 0\n",
    C "pattern general\n9 9 4\n1\t2\n 3 4 \n5 6\n7 8",
    A "real skew-symmetric\n3 3\n1\n2\n-inf\n",
    A "complex general\n2 2\n1 2\n3 4\n5 6\n7.123456789012345678 8\n",
};

static size_t damage(char *text, size_t length, uint64_t *state)
{
    static const char bytes[] = "0123456789 \n\r\t%.-+eEdDnaif\0\xff,x";
    const size_t at = next_random(state) % length;
    const char other = bytes[next_random(state) % (sizeof bytes - 1)];
    switch (next_random(state) % 5) {
    case 0: /* another byte */
        text[at] = other;
        return length;
    case 1: /* one byte more */
        memmove(text + at + 1, text + at, length - at);
        text[at] = other;
        return length + 1;
    case 2: { /* a few bytes less */
        const size_t gone = next_random(state) % 4 + 1;
        const size_t count = at + gone < length ? gone : length - at - 1;
        memmove(text + at, text + at + count, length - at - count);
        return length - count;
    }
    case 3: { /* a part again */
        const size_t count = length - at < 16 ? length - at : 16;
        memmove(text + at + count, text + at, length - at);
        return length + count;
    }
    default: /* the end is missing */
        return next_random(state) % 8 == 0 ? at + 1 : length;
    }
}

static bool is_sound(const gbl_market *matrix)
{
    for (int64_t e = 0; e < matrix->entries && !matrix->array; e++)
        if (matrix->row[e] < 0 || matrix->row[e] >= matrix->rows || matrix->column[e] < 0 ||
            matrix->column[e] >= matrix->columns)
            return false;
    return true;
}

/* What a file gives, a matrix or a message, must not depend on the pieces. */
void market_mutations(void)
{
    uint64_t state = 1;
    long read = 0;
    for (int k = 0; k < 30000; k++) {
        char text[1024];
        const char *base = healthy[k % 6];
        size_t length = strlen(base);
        memcpy(text, base, length);
        for (uint64_t n = next_random(&state) % 4 + 1; n > 0; n--)
            length = damage(text, length, &state);
        const bool expand = next_random(&state) % 2 == 0;
        const gbl_market_options whole = {.expand = expand};
        const gbl_market_options cut = {.expand = expand,
                                        .piece_bytes = (int64_t)(next_random(&state) % 40 + 1)};
        gbl_market one, two;
        static gbl_message first, second;
        first.text[0] = second.text[0] = '\0';
        test_case("mutation %d", k);
        const gable_status status = read_bytes(text, length, &whole, &one, &first);
        const gable_status again = read_bytes(text, length, &cut, &two, &second);
        read += status == GABLE_OK;
        if (status != again || strcmp(first.text, second.text) != 0 || !is_sound(&one) ||
            (status != GABLE_OK &&
             (status != GABLE_NOT_SUPPORTED || strncmp(first.text, "A.mtx:", 6) != 0)) ||
            !same_matrix(&one, &two))
            CHECK(false, "statuses %d and %d, messages '%s' and '%s'", status, again, first.text,
                  second.text);
        gbl_market_free(&one);
        gbl_market_free(&two);
    }
    CHECK(read > 1000 && read < 29000, "%ld of 30000 damaged files were read", read);
}
