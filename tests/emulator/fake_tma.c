/* fake_tma.c: mbarriers, TMA and the matrix units of the fake device's clusters (fake_cluster.c).
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * An order waits in a list until it is done, in any order. Each is done by one of several fibers,
 * so that the thread sanitizer orders it only with those who wait for its mbarrier. The engine
 * knows what the work-item knew that asked, but not what that wrote itself since it last waited,
 * unless it said STORES_READY. TMA tiles that go out of local memory are done in two parts: they
 * are read at one time and written at another.
 */
#include <stdlib.h>
#include <string.h>
#include "fake_cluster.h"

#define ENGINES     8
#define MOST_ORDERS 16384
#define MAGIC       0x5160a15160a15160u

typedef struct waiting {
    hopper_order *all;
    void *given;
    fake_mbarrier *mbarrier;
    i32 bytes;
    void *engine;      /* a fiber */
    fake_item *sender; /* of what goes out of local memory: who sent it, in which of its groups */
    int group;
    hopper_order *then; /* the second part */
} waiting;

static waiting orders[MOST_ORDERS];
static int order_count;
static void *engines[ENGINES];

/* ---- Mbarriers ---- */

fake_mbarrier *fake_mbarrier_at(PLACE s)
{
    u64 word = 0;
    const char *place = hopper_at(s, 8, 8);
    for (int i = 0; i < fake_now.mbarrier_count; i++) {
        fake_mbarrier *mbarrier = &fake_now.mbarriers[i];
        if (mbarrier->place != place)
            continue;
        memcpy(&word, place, sizeof word);
        if (word != MAGIC)
            hopper_fault("uses an mbarrier that somebody wrote over");
        return mbarrier;
    }
    hopper_fault("uses an mbarrier that was not made");
}

/* After each change: whether the phase is complete. */
static void look(fake_mbarrier *mbarrier)
{
    if (mbarrier->pending != 0 || mbarrier->bytes != 0)
        return;
    mbarrier->phase++;
    mbarrier->pending = mbarrier->count;
    fake_wake_mbarrier(mbarrier);
}

/* False: it had all its arrivals. */
static bool arrive(fake_mbarrier *mbarrier, int64_t bytes)
{
    if (mbarrier->pending == 0)
        return false;
    fake_tsan_release(&mbarrier->order[mbarrier->phase % ORDERS]);
    mbarrier->bytes += bytes;
    mbarrier->pending--;
    look(mbarrier);
    return true;
}

static void arrive_here(PLACE s, int64_t bytes)
{
    fake_mbarrier *mbarrier = fake_mbarrier_at(s);
    if (!arrive(mbarrier, bytes))
        hopper_fault("arrives at an mbarrier of %d that had them all", mbarrier->count);
}

void MBARRIER_INIT(PLACE s, i32 count)
{
    const u64 word = MAGIC;
    char *place = hopper_at(s, 8, 8);
    if (count < 1)
        hopper_fault("makes an mbarrier of %d", count);
    for (int i = 0; i < fake_now.mbarrier_count; i++)
        if (fake_now.mbarriers[i].place == place)
            hopper_fault("makes an mbarrier a second time");
    if (fake_now.mbarrier_count == MOST_MBARRIERS)
        hopper_fault("makes more than %d mbarriers", MOST_MBARRIERS);
    memcpy(place, &word, sizeof word);
    fake_now.mbarriers[fake_now.mbarrier_count++] =
        (fake_mbarrier){.place = place, .count = count, .pending = count};
}

void MBARRIERS_READY(void)
{
}

void MBARRIER_EXPECT(PLACE s, i32 bytes)
{
    arrive_here(s, bytes);
}

void MBARRIER_ARRIVE(PLACE s)
{
    arrive_here(s, 0);
}

void MBARRIER_WAIT(PLACE s, u32 parity)
{
    fake_mbarrier *mbarrier = fake_mbarrier_at(s);
    if (parity > 1)
        hopper_fault("waits for parity %u", parity);
    if ((mbarrier->phase & 1) == parity) {
        fake_item *self = fake_self();
        self->mbarrier = mbarrier;
        self->parity = parity;
        fake_stop("an mbarrier");
    }
    if (mbarrier->phase > 0) /* the phase before the one under way */
        fake_know(&mbarrier->order[(mbarrier->phase - 1) % ORDERS]);
}

/* ---- The engine ----------------------------------------------------------------------------- */

static void *grown(void *block, size_t bytes)
{
    void *fresh = realloc(block, bytes);
    if (fresh == NULL)
        hopper_fault("gets no host memory for an order");
    return fresh;
}

/* Takes an order of this work-item. */
static waiting *take(hopper_order *all, const void *given, size_t given_bytes)
{
    if (order_count == MOST_ORDERS)
        hopper_fault("gives TMA more than %d orders", MOST_ORDERS);
    waiting *fresh = &orders[order_count++];
    *fresh = (waiting){.all = all};
    fresh->given = grown(NULL, given_bytes + 1);
    memcpy(fresh->given, given, given_bytes);
    fake_item *self = fake_self();
    const int number = (int)fake_draw(ENGINES);
    if (engines[number] == NULL)
        engines[number] = fake_tsan_fiber();
    fresh->engine = engines[number];
    void *before = fake_tsan_current();
    fake_tsan_release(fresh->given); /* of what is given itself, when it is freed */
    fake_tsan_switch(fresh->engine);
    fake_tsan_acquire(&self->known);
    fake_tsan_switch(before);
    return fresh;
}

void hopper_tma(hopper_order *all, const void *given, size_t given_bytes, PLACE mbarrier, i32 bytes)
{
    fake_mbarrier *told = fake_mbarrier_at(mbarrier);
    waiting *fresh = take(all, given, given_bytes);
    fresh->mbarrier = told;
    fresh->bytes = bytes;
}

void STORES_READY(void)
{
    fake_tsan_release(&fake_self()->known);
    fake_self()->fences++;
}

static fake_store *store_at(const void *at)
{
    const fake_group *group = fake_self()->group;
    const size_t offset = (size_t)((const char *)at - group->room);
    return offset < fake_now.room_bytes ? &group->stores[offset / 16] : NULL; /* else a peer's */
}

void hopper_stored(const void *at)
{
    fake_store *store = store_at(at);
    if (store != NULL)
        *store = (fake_store){fake_self(), fake_self()->fences};
}

bool fake_fenced(const void *at)
{
    const fake_store *store = store_at(at);
    return store == NULL || store->by == NULL || store->by->fences > store->fences;
}

void hopper_wrote(void *at, size_t bytes)
{
    fake_tsan_range(at, bytes, true);
}

int fake_orders_waiting(void)
{
    return order_count;
}

/* Whether orders of a work-item that it waits for are under way. */
static bool out_under_way(const fake_item *item)
{
    for (int i = 0; i < order_count; i++)
        if (orders[i].sender == item && orders[i].group < item->out_until &&
            (item->out_written || orders[i].then != NULL))
            return true;
    return false;
}

/* One part of what goes out of local memory. */
static void do_out(int number)
{
    waiting *now = &orders[number];
    void *before = fake_tsan_current();
    fake_item *sender = now->sender;
    fake_tsan_switch(now->engine);
    now->all(now->given);
    fake_tsan_release(&sender->out_order[now->group % ORDERS]);
    fake_tsan_switch(before);
    if (now->then != NULL) {
        now->all = now->then;
        now->then = NULL;
    } else {
        fake_tsan_acquire(now->given);
        free(now->given);
        *now = orders[--order_count];
    }
    if (sender->out_until > 0 && !out_under_way(sender)) {
        sender->out_until = 0;
        fake_wake_item(sender);
    }
}

void fake_do_order(void)
{
    const int number = (int)fake_draw((unsigned)order_count);
    if (orders[number].sender != NULL) {
        do_out(number);
        return;
    }
    const waiting now = orders[number];
    void *before = fake_tsan_current();
    orders[number] = orders[--order_count];
    fake_tsan_switch(now.engine);
    now.all(now.given);
    if (now.bytes == 0) {
        if (!arrive(now.mbarrier, 0)) {
            fake_fault("%s: copies arrive at an mbarrier of %d that had them all",
                       fake_now.spec->name, now.mbarrier->count);
            fake_now.failed = true;
        }
    } else {
        fake_tsan_release(&now.mbarrier->order[now.mbarrier->phase % ORDERS]);
        now.mbarrier->bytes -= now.bytes;
        look(now.mbarrier);
    }
    fake_tsan_switch(before);
    fake_tsan_acquire(now.given);
    free(now.given);
}

static void free_out(const void *given);

void fake_forget_orders(void)
{
    while (order_count > 0) {
        const waiting *last = &orders[--order_count];
        if (last->sender != NULL)
            free_out(last->given);
        free(last->given);
    }
}

void fake_need(const void *from, size_t bytes, const char *what)
{
    const int before = fake_faults();
    fake_need_memory(from, bytes, what);
    if (fake_faults() > before)
        hopper_fault("reads %s outside of the device's memory", what);
}

/* ---- TMA tiles ---- */

typedef struct box_order {
    gbl_tensor_map_spec box;
    char *to, *room; /* the room's begin is on 1024 bytes, as local memory's is */
    int64_t at[GBL_MAX_RANK];
} box_order;

/* Elements of a TMA tile along an axis; 1 along those that its map does not have. */
static int along(const gbl_tensor_map_spec *box, int axis)
{
    return axis < box->rank ? box->box[axis] : 1;
}

/* Where a line begins: at[1] and those behind it say which. */
static const char *line_at(const gbl_tensor_map_spec *box, const int64_t *at)
{
    const char *from = box->address;
    for (int i = 1; i < box->rank; i++)
        from += at[i] * box->strides[i - 1];
    return from;
}

static void fetch_line(const box_order *order, size_t line, const int64_t *at)
{
    const gbl_tensor_map_spec *box = &order->box;
    const size_t element = gbl_dtype_bytes(box->dtype), pitch = (size_t)box->box[0] * element;
    bool inside = true;
    for (int i = 1; i < box->rank; i++)
        inside = inside && at[i] >= 0 && at[i] < box->dims[i];
    const char *from = line_at(box, at);
    for (int i = 0; i < box->box[0]; i++) {
        const int64_t x = order->at[0] + i;
        size_t offset = (size_t)(order->to - order->room) + line * pitch + (size_t)i * element;
        if (box->swizzled)
            offset ^= (offset >> 7 & 7) << 4;
        char *to = order->room + offset;
        if (inside && x >= 0 && x < box->dims[0])
            memcpy(to, from + x * (int64_t)element, element);
        else
            memset(to, 0, element);
    }
}

static void fetch(const void *given)
{
    const box_order *order = given;
    const gbl_tensor_map_spec *box = &order->box;
    const size_t pitch = (size_t)box->box[0] * gbl_dtype_bytes(box->dtype);
    size_t line = 0;
    for (int w = 0; w < along(box, 3); w++)
        for (int z = 0; z < along(box, 2); z++)
            for (int y = 0; y < box->box[1]; y++) {
                const int64_t at[] = {order->at[0], order->at[1] + y, order->at[2] + z,
                                      order->at[3] + w};
                fetch_line(order, line++, at);
            }
    hopper_wrote(order->to, pitch * line);
}

/* The part of the matrix that a TMA tile meets must be the device's. */
static void need_box(const box_order *order)
{
    const gbl_tensor_map_spec *box = &order->box;
    const int64_t element = (int64_t)gbl_dtype_bytes(box->dtype);
    int64_t first[GBL_MAX_RANK] = {0}, last[GBL_MAX_RANK] = {0};
    for (int i = 0; i < box->rank; i++) {
        const int64_t end = order->at[i] + box->box[i];
        first[i] = order->at[i] > 0 ? order->at[i] : 0;
        last[i] = (end < box->dims[i] ? end : box->dims[i]) - 1;
        if (last[i] < first[i])
            return;
    }
    for (int64_t w = first[3]; w <= last[3]; w++)
        for (int64_t z = first[2]; z <= last[2]; z++)
            for (int64_t y = first[1]; y <= last[1]; y++) {
                const int64_t at[] = {first[0], y, z, w};
                fake_need(line_at(box, at) + first[0] * element,
                          (size_t)((last[0] - first[0] + 1) * element), "a box");
            }
}

static void copy_box(PLACE to, const tensor_map *map, int rank, i32 x, i32 y, i32 z, i32 w,
                     PLACE mbarrier)
{
    box_order order = {.room = fake_self()->group->room, .at = {x, y, z, w}};
    memcpy(&order.box, map, sizeof order.box);
    const gbl_tensor_map_spec *box = &order.box;
    if (box->rank != rank)
        hopper_fault("copies a box of rank %d by a map of rank %d", rank, box->rank);
    const size_t bytes = (size_t)box->box[0] * gbl_dtype_bytes(box->dtype) * (size_t)box->box[1] *
                         (size_t)along(box, 2) * (size_t)along(box, 3);
    order.to = hopper_at(to, bytes, box->swizzled ? 1024 : 128);
    if (order.to < order.room || order.to >= order.room + fake_now.room_bytes)
        hopper_fault("copies a box into the local memory of another group");
    need_box(&order);
    hopper_tma(fetch, &order, sizeof order, mbarrier, (i32)bytes);
}

void TMA_LOAD_2(PLACE to, const tensor_map *map, i32 x, i32 y, PLACE mbarrier)
{
    copy_box(to, map, 2, x, y, 0, 0, mbarrier);
}

void TMA_LOAD_3(PLACE to, const tensor_map *map, i32 x, i32 y, i32 z, PLACE mbarrier)
{
    copy_box(to, map, 3, x, y, z, 0, mbarrier);
}

void TMA_LOAD_4(PLACE to, const tensor_map *map, i32 x, i32 y, i32 z, i32 w, PLACE mbarrier)
{
    copy_box(to, map, 4, x, y, z, w, mbarrier);
}

/* What goes out: read from local memory first, then written. */
typedef struct out_order {
    box_order box;
    char *bytes; /* as they are in local memory, from box.to on; the engine's own */
} out_order;

static void free_out(const void *given)
{
    free(((const out_order *)given)->bytes);
}

static size_t box_bytes(const gbl_tensor_map_spec *box)
{
    return (size_t)box->box[0] * gbl_dtype_bytes(box->dtype) * (size_t)box->box[1];
}

static void read_out(const void *given)
{
    out_order *order = (out_order *)(uintptr_t)given;
    const size_t bytes = box_bytes(&order->box.box);
    order->bytes = grown(NULL, bytes);
    fake_tsan_range(order->box.to, bytes, false);
    memcpy(order->bytes, order->box.to, bytes);
}

static void write_out(const void *given)
{
    const out_order *order = given;
    const gbl_tensor_map_spec *box = &order->box.box;
    const size_t element = gbl_dtype_bytes(box->dtype), pitch = (size_t)box->box[0] * element;
    for (int line = 0; line < box->box[1]; line++)
        for (int i = 0; i < box->box[0]; i++) {
            const int64_t x = order->box.at[0] + i, y = order->box.at[1] + line;
            size_t from = (size_t)line * pitch + (size_t)i * element;
            if (x < 0 || x >= box->dims[0] || y < 0 || y >= box->dims[1])
                continue;
            if (box->swizzled) /* the TMA tile begins on 1024 bytes */
                from ^= (from >> 7 & 7) << 4;
            char *to = (char *)(uintptr_t)box->address + y * box->strides[0] + x * (int64_t)element;
            memcpy(to, order->bytes + from, element);
            hopper_wrote(to, element);
        }
    free_out(given);
}

void TMA_STORE_2(const tensor_map *map, i32 x, i32 y, PLACE from)
{
    box_order box = {.room = fake_self()->group->room, .at = {x, y, 0}};
    memcpy(&box.box, map, sizeof box.box);
    if (box.box.rank != 2)
        hopper_fault("sends a box of rank 2 by a map of rank %d", box.box.rank);
    const size_t bytes = box_bytes(&box.box);
    box.to = hopper_at(from, bytes, box.box.swizzled ? 1024 : 128);
    if (box.to < box.room || box.to >= box.room + fake_now.room_bytes)
        hopper_fault("sends a box from the local memory of another group");
    /* Whole 16 bytes are written, also those that the edge of the matrix cuts. */
    const int64_t each = 16 / (int64_t)gbl_dtype_bytes(box.box.dtype);
    if (each > 1)
        box.box.dims[0] = (box.box.dims[0] + each - 1) / each * each;
    need_box(&box);
    const out_order order = {.box = box};
    waiting *fresh = take(read_out, &order, sizeof order);
    fresh->then = write_out;
    fresh->sender = fake_self();
    fresh->group = fake_self()->out_commits;
}

void TMA_STORE_COMMIT(void)
{
    fake_self()->out_commits++;
}

static void await_out(i32 newest, bool written)
{
    fake_item *self = fake_self();
    const int until = self->out_commits - newest;
    self->out_until = until;
    self->out_written = written;
    if (until > 0 && out_under_way(self))
        fake_stop("TMA tiles that it sent");
    self->out_until = 0;
    for (int group = until > ORDERS ? until - ORDERS : 0; group < until; group++)
        fake_know(&self->out_order[group % ORDERS]);
}

void TMA_STORE_READ_WAIT(i32 newest)
{
    await_out(newest, false);
}

void TMA_STORE_WAIT(i32 newest)
{
    await_out(newest, true);
}

/* ---- Elements ------------------------------------------------------------------------------- */

typedef struct element_order {
    int count;
    fake_element elements[];
} element_order;

void COPY_ELEMENT(PLACE to, const void *from, const i32 bytes, i32 given)
{
    fake_item *self = fake_self();
    if (bytes != 4 && bytes != 8 && bytes != 16)
        hopper_fault("copies an element of %d bytes", bytes);
    if (given < 0 || given > bytes || (uintptr_t)from % (uintptr_t)bytes != 0)
        hopper_fault("copies %d of %d bytes from %d bytes behind a multiple", given, bytes,
                     (int)((uintptr_t)from % (uintptr_t)bytes));
    char *place = hopper_at(to, (size_t)bytes, (size_t)bytes);
    if (given > 0)
        fake_need(from, (size_t)given, "an element");
    if (self->element_count == self->element_room) {
        self->element_room = 2 * self->element_room + 16;
        self->elements = grown(self->elements, (size_t)self->element_room * sizeof *self->elements);
    }
    self->elements[self->element_count++] = (fake_element){place, from, bytes, given};
}

static void copy_elements(const void *given)
{
    const element_order *order = given;
    for (int i = 0; i < order->count; i++) {
        const fake_element *e = &order->elements[i];
        memset(e->to, 0, (size_t)e->bytes);
        memcpy(e->to, e->from, (size_t)e->given);
        hopper_wrote(e->to, (size_t)e->bytes);
    }
}

void COPIES_ARRIVE(PLACE mbarrier)
{
    fake_item *self = fake_self();
    const size_t bytes = (size_t)self->element_count * sizeof(fake_element);
    element_order *order = grown(NULL, sizeof *order + bytes);
    order->count = self->element_count;
    if (bytes > 0)
        memcpy(order->elements, self->elements, bytes);
    self->element_count = 0;
    hopper_tma(copy_elements, order, sizeof *order + bytes, mbarrier, 0);
    free(order);
}

void FETCH_AHEAD(const void *from, i32 bytes)
{
    if (bytes < 16 || bytes % 16 != 0 || (uintptr_t)from % 16 != 0)
        hopper_fault("fetches %d bytes ahead, from %d behind a multiple of 16", bytes,
                     (int)((uintptr_t)from % 16));
    fake_need(from, (size_t)bytes, "what is fetched ahead");
}

/* ---- Matrix units --------------------------------------------------------------------------- */

typedef struct multiplied {
    f64 *c;
    const f64 *a, *b;
} multiplied;

static void multiply(void *const *given, int depth)
{
    for (int row = 0; row < 16; row++)
        for (int column = 0; column < 8; column++) {
            const multiplied *owner = given[row % 8 * 4 + column / 2];
            f64 *c = &owner->c[row / 8 * 2 + column % 2], sum = *c;
            for (int k = 0; k < depth; k++) {
                const multiplied *a = given[row % 8 * 4 + k % 4], *b = given[column * 4 + k % 4];
                sum = fma(a->a[row / 8 + k / 4 * 2], b->b[k / 4], sum);
            }
            *c = sum;
        }
}

static void multiply_16(void *const *given)
{
    multiply(given, 16);
}

static void multiply_8(void *const *given)
{
    multiply(given, 8);
}

void MULTIPLY_16X8X16(f64 *c, const f64 *a, const f64 *b)
{
    multiplied mine = {c, a, b};
    hopper_meet(WARP, multiply_16, &mine);
}

void MULTIPLY_16X8X8(f64 *c, const f64 *a, const f64 *b)
{
    multiplied mine = {c, a, b};
    hopper_meet(WARP, multiply_8, &mine);
}
