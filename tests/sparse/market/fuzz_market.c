/* fuzz_market.c: libFuzzer's way into the reader of Matrix Market files.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The first byte of an input says how the rest is cut and whether symmetry is expanded. What a file
 * gives, a matrix or a message, must not depend on the pieces.
 */
#include "sparse/market/market_text.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static gbl_message first, second;
    if (size == 0)
        return 0;
    const gbl_market_options whole = {.expand = data[0] % 2 == 1};
    const gbl_market_options cut = {.expand = whole.expand, .piece_bytes = data[0] / 2 + 1};
    const char *text = (const char *)data + 1;
    gbl_market one, two;
    first.text[0] = second.text[0] = '\0';
    const gable_status status = read_bytes(text, size - 1, &whole, &one, &first);
    const gable_status again = read_bytes(text, size - 1, &cut, &two, &second);
    if (status != again || strcmp(first.text, second.text) != 0 || !same_matrix(&one, &two) ||
        (status != GABLE_OK && status != GABLE_NOT_SUPPORTED))
        __builtin_trap();
    gbl_market_free(&one);
    gbl_market_free(&two);
    return 0;
}
