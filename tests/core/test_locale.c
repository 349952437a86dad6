/* test_locale.c: numbers, roofs, tuning and names in programs that have set another locale.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The locales are made by localedef in a folder of the test: German with a decimal comma, Pashto
 * with a sign of two bytes, Turkish with another small I.
 */
#include <locale.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/wait.h>
#include "core/context.h"
#include "core/number_text.h"
#include "fake_device.h"
#include "harness/check.h"
#include "model/roofs.h"
#include "scratch_folder.h"
#include "tune/tune_line.h"

#define RANDOM_NUMBERS 20000

static char folder[SCRATCH_BYTES];

/* ---- The locales ---- */

/* Makes a locale that the machine need not have, and sets it. */
static bool set_locale(const char *name, const char *charmap)
{
    char path[SCRATCH_BYTES + 64];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    const pid_t child = fork();
    if (child == 0) {
        /* It warns of much that does not matter here. */
        char language[16];
        snprintf(language, sizeof language, "%.5s", name);
        if (freopen("/dev/null", "w", stderr) == NULL)
            _exit(127);
        execlp("localedef", "localedef", "--no-archive", "-c", "-i", language, "-f", charmap, path,
               (char *)NULL);
        _exit(127);
    }
    int status = 0;
    if (child > 0)
        waitpid(child, &status, 0);
    setenv("LOCPATH", folder, 1);
    if (setlocale(LC_ALL, name) != NULL)
        return true;
    test_leave_out("locale", "localedef makes no %s (Debian: locales)", name);
    return false;
}

/* ---- Numbers ---- */

static double same_bits(uint64_t bits)
{
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* What is written with 17 digits comes back bit for bit. */
static void round_trips(void)
{
    uint64_t bits = 88172645463325252u;
    for (int i = 0; i < RANDOM_NUMBERS; i++) {
        char text[GBL_NUMBER_BYTES];
        double back = NAN;
        bits ^= bits << 13;
        bits ^= bits >> 7;
        bits ^= bits << 17;
        const double value = i % 2 == 0 ? same_bits(bits) : (double)(int64_t)bits * 0x1p-40;
        if (!isfinite(value))
            continue;
        const char *end = gbl_number_read(gbl_number_write(value, 17, text), &back);
        CHECK(end != NULL && *end == '\0' && memcmp(&value, &back, sizeof value) == 0,
              "%s is read as %a, not %a", text, back, value);
        CHECK(strspn(text, "0123456789.e+-") == strlen(text), "written as %s", text);
    }
}

static void known_numbers(void)
{
    static const struct {
        const char *text;
        double value;
        int length; /* of what is read */
    } known[] = {
        {"0", 0, 1},
        {"-0.0", 0, 4},
        {"1.5", 1.5, 3},
        {"-12.25e2,", -1225, 8},
        {"4096x4096", 4096, 4},
        {"1E+3", 1000, 4},
        {"0.000125", 0.000125, 8},
        {"1.7976931348623157e308", 1.7976931348623157e308, 22},
        {"4.9406564584124654e-324", 4.9406564584124654e-324, 23},
        {"1e-99999999999999999999", 0, 23},
        {"9007199254740993", 9007199254740992.0, 16},            /* a tie goes to even */
        {"9007199254740993.0000000001", 9007199254740994.0, 27}, /* and this is none */
    };
    static const char *const wrong[] = {"",   "-",   ".5",  "1.",    "1e",     "1e+", "+1",
                                        "01", "nan", "inf", "1e309", "-1e309", "x",   " 1"};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        double value = NAN;
        const char *end = gbl_number_read(known[i].text, &value);
        CHECK(end == known[i].text + known[i].length && value == known[i].value, "%s is read as %a",
              known[i].text, value);
    }
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
        CHECK(gbl_number_read(wrong[i], NULL) == NULL, "\"%s\" is taken for a number", wrong[i]);
    double value = NAN;
    const char *end = gbl_number_read("1,5e", &value);
    CHECK(end != NULL && *end == ',' && value == 1, "a comma is taken for a point: %a", value);

    /* The last of two thousand digits decides. */
    char text[2048];
    memset(text, '0', sizeof text);
    memcpy(text, "9007199254740993.", 17);
    text[2045] = '\0';
    CHECK(gbl_number_read(text, &value) == text + 2045 && value == 9007199254740992.0,
          "a tie of 2000 digits is %a", value);
    text[2044] = '1';
    CHECK(gbl_number_read(text, &value) == text + 2045 && value == 9007199254740994.0,
          "what is just above a tie is %a", value);

    char out[GBL_NUMBER_BYTES];
    CHECK(strcmp(gbl_number_write(0.1, 17, out), "0.10000000000000001") == 0, "0.1 is %s", out);
    CHECK(strcmp(gbl_number_write(1e30, 9, out), "1e+30") == 0, "1e30 is %s", out);
    CHECK(strcmp(gbl_number_fixed(-1234.5678, 3, out), "-1234.568") == 0, "fixed: %s", out);
    CHECK(strcmp(gbl_number_fixed(12, 0, out), "12") == 0, "fixed: %s", out);
    CHECK(strcmp(gbl_number_fixed(1e300, 3, out), "1e+300") == 0, "fixed: %s", out);
    CHECK(strcmp(GBL_NUMBER(HUGE_VAL), "inf") == 0, "infinity is %s", GBL_NUMBER(HUGE_VAL));
}

/* ---- What the library reads and writes ---- */

static gbl_device h200(void)
{
    gbl_device device = {.table = &gbl_cuda_table,
                         .info = {.title = "NVIDIA H200",
                                  .arch = "sm_90a",
                                  .units = 132,
                                  .is_gpu = 1,
                                  .memory_bytes = (uint64_t)140 << 30},
                         .props = {.is_gpu = true, .units = 132}};
    return device;
}

static void built_in_roofs(void)
{
    const gbl_device device = h200();
    gbl_roofs roofs;
    gbl_roofs_forget();
    gbl_roofs_get(&device, &roofs);
    CHECK(roofs.source == GBL_ROOFS_BUILT_IN && roofs.copy == 4.2e12, "%s, copy at %s",
          gbl_roofs_source_name(roofs.source), GBL_NUMBER(roofs.copy));
    gbl_roofs_forget();
}

/* Lines written here are those of the C locale, and are read here. */
static void lines(const char *name)
{
    const gbl_device device = h200();
    char roofs_line[2][GBL_ROOFS_LINE_BYTES], tune_line[2][GBL_TUNE_LINE_BYTES];
    gbl_entry entry = {.op = "dot",
                       .usec = 12.625,
                       .spread = 0.0625,
                       .error = 0.125,
                       .runs = 3,
                       .old_usec = 15.5,
                       .size = "3000",
                       .device = "some",
                       .kernel = "0"};
    gbl_entry back;
    gbl_roofs roofs, read;
    const gbl_op *op = gbl_op_find("dot");
    const gbl_variant *variant;
    CHECK(op != NULL, "there is no dot");
    if (op == NULL)
        return;
    snprintf(entry.variant, sizeof entry.variant, "%s", op->variants[0].name);
    gbl_params_fallback(&op->variants[0], &entry.params);
    gbl_roofs_get(&device, &roofs);
    roofs.latency = 1.0 / 3;
    roofs.point_read[0] = 2.0 / 3;
    for (int c = 1; c >= 0; c--) {
        setlocale(LC_ALL, c == 1 ? "C" : name);
        CHECK(gbl_roofs_write(&roofs, "x", roofs_line[c], sizeof roofs_line[c]), "no room");
        CHECK(gbl_tune_line_write(&entry, tune_line[c]), "no line");
    }
    /* Dates may differ by a second. */
    CHECK(strcmp(strstr(roofs_line[0], "\"version\""), strstr(roofs_line[1], "\"version\"")) == 0,
          "roofs are written as %s", roofs_line[0]);
    CHECK(strcmp(tune_line[0], tune_line[1]) == 0, "a measurement is written as %s", tune_line[0]);
    CHECK(gbl_roofs_read(roofs_line[1], roofs.source, &read) && read.latency == 1.0 / 3 &&
              read.point_read[0] == 2.0 / 3,
          "roofs are refused");
    CHECK(gbl_tune_line_read(tune_line[1], &back, &op, &variant) == GBL_LINE_GOOD &&
              back.usec == 12.625 && back.spread == 0.0625 && back.error == 0.125 &&
              back.old_usec == 15.5 && strcmp(back.size, "3000") == 0,
          "a measurement is refused");
}

/* What a program in this locale measures, another one reads. */
static void calibrated(void)
{
    gable_context *ctx = NULL;
    gbl_roofs measured, read;
    CHECK_OK(ctx, gable_open(&ctx, "cpu"));
    if (ctx == NULL)
        return;
    CHECK_OK(ctx, gable_calibrate(ctx));
    gbl_roofs_get(ctx->device, &measured);
    gbl_roofs_forget();
    setlocale(LC_ALL, "C");
    gbl_roofs_get(ctx->device, &read);
    CHECK(read.source == GBL_ROOFS_MEASURED && memcmp(&read, &measured, sizeof read) == 0,
          "roofs are %s, copy at %g, not %g", gbl_roofs_source_name(read.source), read.copy,
          measured.copy);
    gable_close(ctx);
}

static void messages(void)
{
    gable_context *ctx = NULL;
    double x[1] = {0};
    CHECK_OK(ctx, gable_open(&ctx, "cpu"));
    CHECK_STATUS(ctx, gable_drandom(ctx, 1, 1, 0, 0.5, 0.25, x, 1), GABLE_BAD_ARGUMENT);
    CHECK(strstr(gable_message(ctx), "0.25") != NULL, "the message is %s", gable_message(ctx));
    gable_close(ctx);
}

/* A device by a piece of its name, in large letters. */
static void names(void)
{
    const fake_settings settings = {.fence_device = true};
    gable_context *ctx = NULL;
    fake_install(&settings);
    CHECK_OK(ctx, gable_open(&ctx, "fake:THAT FAILS"));
    gable_close(ctx);
    fake_remove();
}

int main(void)
{
    char decimals[16];
    gable_context *ctx = NULL;
    test_start("test_locale");
    if (!scratch_make(folder))
        test_skip(NULL, "no folder for scratch files");
    setenv("XDG_DATA_HOME", folder, 1);
    CHECK_OK(ctx, gable_open(&ctx, "cpu")); /* makes the ops known */
    gable_close(ctx);
    static const char *const commas[] = {"C", "de_DE.UTF-8", "ps_AF.UTF-8"};
    for (size_t i = 0; i < sizeof commas / sizeof commas[0]; i++) {
        test_case("%s", commas[i]);
        if (i > 0 && !set_locale(commas[i], "UTF-8"))
            continue;
        snprintf(decimals, sizeof decimals, "%.1f", 0.5);
        CHECK((strcmp(decimals, "0.5") == 0) == (i == 0), "the locale writes %s", decimals);
        round_trips();
        known_numbers();
        built_in_roofs();
        lines(commas[i]);
        messages();
        if (i == 1)
            calibrated();
    }
    test_case("Turkish");
    if (set_locale("tr_TR.ISO-8859-9", "ISO-8859-9"))
        names();
    setlocale(LC_ALL, "C");
    scratch_clear(folder, false);
    return test_finish();
}
