/* ratios.c: geometric means of times over Gable's, and the worst row of each.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include "ratios.h"
#include "gable/terminal.h"

static ratio_entry *find(ratios *all, const char *name, const char *mode)
{
    for (int i = 0; i < all->count; i++)
        if (strcmp(all->entries[i].name, name) == 0 && strcmp(all->entries[i].mode, mode) == 0)
            return &all->entries[i];
    if (all->count == RATIOS_MAX)
        return NULL;
    ratio_entry *fresh = &all->entries[all->count++];
    snprintf(fresh->name, sizeof fresh->name, "%s", name);
    fresh->mode = mode;
    return fresh;
}

void ratios_add(ratios *all, const char *name, const char *mode, double ratio, const char *row)
{
    if (!(ratio > 0))
        return;
    ratio_entry *entry = find(all, name, mode);
    if (entry == NULL)
        return;
    entry->log_sum += log(ratio);
    if (entry->count++ > 0 && ratio >= entry->worst)
        return;
    entry->worst = ratio;
    snprintf(entry->worst_row, sizeof entry->worst_row, "%s", row);
}

/* A name's modes stand together, in the order in which names came up. */
void ratios_print(const ratios *all)
{
    int width = 8;
    for (int i = 0; i < all->count; i++)
        if ((int)strlen(all->entries[i].name) > width)
            width = (int)strlen(all->entries[i].name);
    for (int i = 0; i < all->count; i++) {
        bool first = true;
        for (int j = 0; j < i; j++)
            first = first && strcmp(all->entries[i].name, all->entries[j].name) != 0;
        for (int j = i; first && j < all->count; j++) {
            const ratio_entry *entry = &all->entries[j];
            if (strcmp(entry->name, all->entries[i].name) != 0)
                continue;
            const double mean = exp(entry->log_sum / entry->count);
            char text[32];
            snprintf(text, sizeof text, "%.2f", mean);
            printf("%-*s  %s  geometric mean ", width, entry->name, entry->mode);
            terminal_put(mean < RATIO_POOR ? RED : mean > RATIO_GOOD ? GREEN : PLAIN, text);
            printf(" over %d row%s, worst ", entry->count, entry->count == 1 ? "" : "s");
            snprintf(text, sizeof text, "%.2f", entry->worst);
            terminal_put(entry->worst < RATIO_POOR ? RED : PLAIN, text);
            printf(" (%s)\n", entry->worst_row);
        }
    }
}
