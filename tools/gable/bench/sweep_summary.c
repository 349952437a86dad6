/* sweep_summary.c: what a sweep over cases drawn at random says.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "gable/json.h"
#include "gable/plural.h"
#include "gable/study/statistics.h"
#include "gable/terminal.h"
#include "ratios.h"
#include "sweep_summary.h"

#define REGRET     "regret"
#define LOW_PART   0.05
#define HIGH_PART  0.95
#define FIRST_ROOM 256
#define MOST_NAMES 256

static bool is_regret(const char *against)
{
    return strcmp(against, REGRET) == 0;
}

/* ---- Values ---- */

static bool keep(sweep_values *values, const sweep_value *value)
{
    if (values->count == values->room) {
        const int room = values->room > 0 ? 2 * values->room : FIRST_ROOM;
        sweep_value *list = realloc(values->list, (size_t)room * sizeof *list);
        if (list == NULL)
            return false;
        values->list = list;
        values->room = room;
    }
    values->list[values->count++] = *value;
    return true;
}

static sweep_value value_of(const char *against, const char *routine, const char *text,
                            double number)
{
    sweep_value value = {.value = number};
    snprintf(value.against, sizeof value.against, "%s", against);
    snprintf(value.routine, sizeof value.routine, "%s", routine);
    snprintf(value.text, sizeof value.text, "%s", text);
    return value;
}

bool sweep_add(sweep_values *values, const char *against, const char *routine, const char *text,
               double value)
{
    const sweep_value kept = value_of(against, routine, text, value);
    return !(value > 0) || !isfinite(value) || keep(values, &kept);
}

bool sweep_add_regret(sweep_values *values, const char *routine, const char *text, double regret,
                      const char *better)
{
    sweep_value kept = value_of(REGRET, routine, text, regret);
    snprintf(kept.better, sizeof kept.better, "%s", better);
    return !(regret >= 0) || !isfinite(regret) || keep(values, &kept);
}

void sweep_values_free(sweep_values *values)
{
    free(values->list);
    *values = (sweep_values){NULL, 0, 0};
}

/* ---- Figures ---- */

static bool belongs(const sweep_value *value, const char *against, const char *routine)
{
    return strcmp(value->against, against) == 0 &&
           (routine == NULL || strcmp(value->routine, routine) == 0);
}

static double mean_of(const double *numbers, int count)
{
    double sum = 0;
    for (int i = 0; i < count; i++)
        sum += numbers[i];
    return sum / count;
}

sweep_figures sweep_figure(const sweep_values *values, const char *against, const char *routine)
{
    sweep_figures figures = {.rows = 0};
    double *numbers = malloc((size_t)(values->count + 1) * sizeof *numbers);
    const bool regret = is_regret(against);
    int count = 0;
    for (int i = 0; numbers != NULL && i < values->count; i++)
        if (belongs(&values->list[i], against, routine))
            numbers[count++] = values->list[i].value;
    if (count > 0) {
        figures.rows = count;
        figures.mean = regret ? mean_of(numbers, count) : statistics_geometric_mean(numbers, count);
        figures.percentile = statistics_percentile(numbers, count, regret ? HIGH_PART : LOW_PART);
        figures.worst = statistics_percentile(numbers, count, regret ? 1 : 0);
    }
    free(numbers);
    return figures;
}

int sweep_worst(const sweep_values *values, const char *against,
                const sweep_value *worst[SWEEP_WORST])
{
    const double sign = is_regret(against) ? -1 : 1;
    int count = 0;
    for (int i = 0; i < values->count; i++) {
        const sweep_value *value = &values->list[i];
        if (!belongs(value, against, NULL))
            continue;
        int at = count;
        while (at > 0 && sign * worst[at - 1]->value > sign * value->value)
            at--;
        if (at == SWEEP_WORST)
            continue;
        count += count < SWEEP_WORST;
        memmove(&worst[at + 1], &worst[at], (size_t)(count - 1 - at) * sizeof worst[0]);
        worst[at] = value;
    }
    return count;
}

/* Names that occur, each once in the order in which they came up: whom values are against, or the
 * routines of one against. Further ones than MOST_NAMES are left out. */
typedef struct names {
    int count;
    const char *name[MOST_NAMES];
} names;

static void add_name(names *all, const char *name)
{
    for (int i = 0; i < all->count; i++)
        if (strcmp(all->name[i], name) == 0)
            return;
    if (all->count < MOST_NAMES)
        all->name[all->count++] = name;
}

static void find_against(const sweep_values *values, names *found)
{
    found->count = 0;
    for (int i = 0; i < values->count; i++)
        add_name(found, values->list[i].against);
}

static void find_routines(const sweep_values *values, const char *against, names *found)
{
    found->count = 0;
    for (int i = 0; i < values->count; i++)
        if (strcmp(values->list[i].against, against) == 0)
            add_name(found, values->list[i].routine);
}

/* ---- For people ---- */

static void put_value(double value, bool regret)
{
    char text[32];
    snprintf(text, sizeof text, regret ? "%7.1f%%" : "%8.2f", regret ? 100 * value : value);
    const bool poor = regret ? value > SWEEP_POOR_REGRET : value < RATIO_POOR;
    terminal_put(poor ? RED : !regret && value > RATIO_GOOD ? GREEN : PLAIN, text);
}

static void print_figures(const sweep_values *values, const char *against, const char *routine)
{
    const sweep_figures figures = sweep_figure(values, against, routine);
    const bool regret = is_regret(against);
    printf("  %-10s %-14s %5d", against, routine != NULL ? routine : "all", figures.rows);
    put_value(figures.mean, regret);
    put_value(figures.percentile, regret);
    put_value(figures.worst, regret);
    putchar('\n');
}

static void print_worst(const sweep_values *values, const char *against)
{
    const sweep_value *worst[SWEEP_WORST];
    const bool regret = is_regret(against), roof = strcmp(against, "roof") == 0;
    const int count = sweep_worst(values, against, worst);
    if (regret)
        printf("\nwhere the choice lost most, and what was faster\n");
    else
        printf("\nthe %d worst %s%s, as gable bench takes them\n", count,
               roof ? "beside the " : "against ", against);
    for (int i = 0; i < count; i++) {
        if (regret && !(worst[i]->value > 0))
            break;
        put_value(worst[i]->value, regret);
        printf("  %s", worst[i]->text);
        if (regret)
            printf("  (%s)", worst[i]->better);
        putchar('\n');
    }
}

void sweep_print(const sweep_values *values)
{
    static names against, routines;
    if (values->count == 0)
        return;
    find_against(values, &against);
    printf("  %-10s %-14s %5s%8s%8s%8s\n", "against", "routine", "rows", "mean", "5 %", "worst");
    for (int i = 0; i < against.count; i++) {
        find_routines(values, against.name[i], &routines);
        for (int j = 0; j < routines.count; j++)
            print_figures(values, against.name[i], routines.name[j]);
        if (routines.count > 1)
            print_figures(values, against.name[i], NULL);
    }
    printf("  geometric means; of the regret, how much longer the choice took than the best of "
           "those timed\n  beside it, the mean, 95 %% and the worst\n");
    for (int i = 0; i < against.count; i++)
        print_worst(values, against.name[i]);
}

/* ---- For programs ---- */

static void write_figures(const sweep_values *values, const char *against, const char *routine)
{
    const sweep_figures figures = sweep_figure(values, against, routine);
    json_open(NULL);
    json_text("against", against);
    json_text("routine", routine != NULL ? routine : "all");
    json_integer("rows", figures.rows);
    json_number("mean", figures.mean);
    json_number(is_regret(against) ? "p95" : "p5", figures.percentile);
    json_number("worst", figures.worst);
    json_close();
}

static void write_worst(const sweep_values *values, const char *against)
{
    const sweep_value *worst[SWEEP_WORST];
    const int count = sweep_worst(values, against, worst);
    for (int i = 0; i < count; i++) {
        json_open(NULL);
        json_text("against", against);
        json_number("value", worst[i]->value);
        json_text("arguments", worst[i]->text);
        if (worst[i]->better[0] != '\0')
            json_text("better", worst[i]->better);
        json_close();
    }
}

void sweep_write(const sweep_values *values)
{
    static names against, routines;
    find_against(values, &against);
    json_open_list("figures");
    for (int i = 0; i < against.count; i++) {
        find_routines(values, against.name[i], &routines);
        for (int j = 0; j < routines.count; j++)
            write_figures(values, against.name[i], routines.name[j]);
        write_figures(values, against.name[i], NULL);
    }
    json_close();
    json_open_list("worst");
    for (int i = 0; i < against.count; i++)
        write_worst(values, against.name[i]);
    json_close();
}
