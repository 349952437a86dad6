/* choice_memo.c: a table of open addresses, at most half full.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <stdlib.h>
#include <string.h>
#include "core/choice_memo.h"

#define FIRST_ROOM 256 /* slots: 28 KiB */

struct gbl_memo_entry {
    gbl_class of; /* op NULL: nothing is kept here */
    gbl_choice choice;
};

static bool same_class(const gbl_class *a, const gbl_class *b)
{
    return a->op == b->op && a->key == b->key && a->ranking == b->ranking &&
           a->fitting == b->fitting && a->forced == b->forced && a->within == b->within;
}

static size_t hash_of(const gbl_class *of)
{
    uint64_t hash = of->key ^ (uintptr_t)of->op >> 4 ^ (uintptr_t)of->forced >> 3;
    hash = (hash * 0x9e3779b97f4a7c15u) ^ of->ranking ^ of->fitting << 42 ^ of->within;
    hash ^= hash >> 29;
    return (size_t)(hash * 0x9e3779b97f4a7c15u >> 32);
}

/* The slot of a class, or the free one where it belongs. */
static struct gbl_memo_entry *slot_of(struct gbl_memo_entry *slots, size_t room,
                                      const gbl_class *of)
{
    size_t at = hash_of(of) & (room - 1);
    while (slots[at].of.op != NULL && !same_class(&slots[at].of, of))
        at = (at + 1) & (room - 1);
    return &slots[at];
}

bool gbl_memo_find(const gbl_choice_memo *memo, const gbl_class *of, gbl_choice *choice)
{
    if (memo->room == 0)
        return false;
    const struct gbl_memo_entry *slot = slot_of(memo->slots, memo->room, of);
    if (slot->of.op == NULL)
        return false;
    *choice = slot->choice;
    return true;
}

/* Twice as many slots, with all that is kept. */
static bool grow(gbl_choice_memo *memo)
{
    const size_t room = memo->room > 0 ? 2 * memo->room : FIRST_ROOM;
    struct gbl_memo_entry *slots = calloc(room, sizeof *slots);
    if (slots == NULL)
        return false;
    for (size_t i = 0; i < memo->room; i++)
        if (memo->slots[i].of.op != NULL)
            *slot_of(slots, room, &memo->slots[i].of) = memo->slots[i];
    free(memo->slots);
    memo->slots = slots;
    memo->room = room;
    return true;
}

void gbl_memo_put(gbl_choice_memo *memo, const gbl_class *of, const gbl_choice *choice)
{
    if (2 * memo->count >= memo->room && (memo->count >= GBL_MOST_CHOICES || !grow(memo))) {
        if (memo->room == 0)
            return;
        memset(memo->slots, 0, memo->room * sizeof *memo->slots);
        memo->count = 0;
    }
    struct gbl_memo_entry *slot = slot_of(memo->slots, memo->room, of);
    memo->count += slot->of.op == NULL;
    slot->of = *of;
    slot->choice = *choice;
}

void gbl_memo_clear(gbl_choice_memo *memo)
{
    free(memo->slots);
    *memo = (gbl_choice_memo){NULL, 0, 0};
}
