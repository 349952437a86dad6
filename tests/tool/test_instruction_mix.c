/* test_instruction_mix.c: instructions counted and occupancy computed from texts written by hand.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <stdio.h>
#include <string.h>
#include "gable/inspect/instruction_mix.h"
#include "gable/inspect/occupancy.h"

static int failures;

static void expect(const char *what, int got, int wanted)
{
    if (got == wanted)
        return;
    printf("FAILED: %s is %d, must be %d\n", what, got, wanted);
    failures++;
}

static int count_of(const instruction_mix *mix, const char *name)
{
    for (int i = 0; i < mix->count; i++)
        if (strcmp(mix->classes[i].name, name) == 0)
            return mix->classes[i].instructions;
    return 0;
}

static const char ptx[] =
    ".visible .entry other(\n)\n{\n\tadd.f64 %fd1, %fd2, %fd3;\n}\n"
    ".visible .entry ddot(\n\t.param .u64 ddot_param_0\n)\n"
    ".maxntid 256, 1, 1\n"
    "{\n"
    "\t.reg .pred %p<4>;\n"
    "\t.shared .align 8 .b8 scratch[64];\n"
    "\tld.param.u64 %rd1, [ddot_param_0];\n"
    "$L__BB0_2:\n"
    "\tld.global.nc.v2.f64 {%fd1, %fd2}, [%rd1];\n"
    "\t@%p1 ld.global.v4.f32 {%f1, %f2, %f3, %f4}, [%rd1+16];\n"
    "\tld.global.u64 %rd2, [%rd1];\n"
    "\tfma.rn.f64 %fd3, %fd1, %fd2, %fd3;\n"
    "\tadd.rn.f32 %f1, %f2, %f3;\n"
    "\tst.shared.f64 [%rd3], %fd3;\n"
    "\tbar.sync \t0;\n"
    "\tshfl.sync.bfly.b32 %r1|%p2, %r2, %r3, %r4, %r5;\n"
    "\tatom.global.add.u32 %r6, [%rd4], 1;\n"
    "\tst.global.f64 [%rd5], %fd3;\n"
    "\tadd.s64 %rd1, %rd1, 16;\n"
    "\t@%p1 bra \t$L__BB0_2;\n"
    "\tcp.async.bulk.tensor.2d.shared::cluster.global [%r1], [%rd1, {%r2,%r3}], [%r4];\n"
    "\tmbarrier.try_wait.parity.shared.b64 %p2, [%r4], %r5;\n"
    "\tmma.sync.aligned.m16n8k16.row.col.f64.f64.f64.f64 {%fd1}, {%fd2};\n"
    "\twgmma.mma_async.sync.aligned.m64n256k8.f32.tf32.tf32 {%f1}, %rd1, %rd2;\n"
    "\twgmma.commit_group.sync.aligned;\n"
    "\tret;\n"
    "\n}\n";

static void test_ptx(void)
{
    instruction_mix mix;
    expect("a kernel that is not there", mix_of_ptx(ptx, "sdot", &mix), 0);
    expect("the kernel found", mix_of_ptx(ptx, "ddot", &mix), 1);
    expect("all PTX instructions", mix.total, 19);
    expect("16-byte loads", count_of(&mix, "global load, 16 bytes"), 2);
    expect("8-byte loads", count_of(&mix, "global load, 8 bytes"), 1);
    expect("8-byte stores", count_of(&mix, "global store, 8 bytes"), 1);
    expect("shared stores", count_of(&mix, "shared store, 8 bytes"), 1);
    expect("fma", count_of(&mix, "fma f64"), 1);
    expect("add", count_of(&mix, "add f32"), 1);
    expect("barriers", count_of(&mix, "barrier"), 2);
    expect("copies to shared memory", count_of(&mix, "copy to shared"), 1);
    expect("matrix units", count_of(&mix, "matrix multiply"), 2);
    expect("shuffles", count_of(&mix, "shuffle, vote"), 1);
    expect("atomics", count_of(&mix, "atomic"), 1);
    expect("branches", count_of(&mix, "branch, return"), 2);
    expect("integers", count_of(&mix, "integer, logic"), 1);
    expect("parameters", count_of(&mix, "parameters"), 1);
}

static const char sass[] = ".section\t.text.ddot,\"ax\",@progbits\n"
                           ".text.ddot:\n"
                           "        /*0000*/                   LDC R1, c[0x0][0x28] ;\n"
                           "        /*0010*/              @!P0 LDG.E.128.CONSTANT R4, [R2.64] ;\n"
                           "        /*0020*/                   LDG.E.64 R8, desc[UR4][R2.64] ;\n"
                           ".L_x_1:\n"
                           "        /*0030*/                   DFMA R4, R4, R6, R8 ;\n"
                           "        /*0040*/                   BAR.SYNC.DEFER_BLOCKING 0x0 ;\n"
                           "        /*0050*/                   EXIT ;\n"
                           ".section\t.text.other\n"
                           "        /*0000*/                   DADD R4, R4, R6 ;\n";

static void test_sass(void)
{
    instruction_mix mix;
    expect("the SASS found", mix_of_sass(sass, "ddot", &mix), 1);
    expect("all SASS instructions", mix.total, 6);
    expect("LDG.128", count_of(&mix, "global load, 16 bytes"), 1);
    expect("LDG.64", count_of(&mix, "global load, 8 bytes"), 1);
    expect("DFMA", count_of(&mix, "fma f64"), 1);
    expect("DADD of the next kernel", count_of(&mix, "add f64"), 0);
    expect("BAR", count_of(&mix, "barrier"), 1);
}

/* Values of NVIDIA's occupancy calculator. */
static void test_occupancy(void)
{
    occupancy found;
    expect("sm_90a is known", occupancy_of("sm_90a", 32, 0, 256, &found), 1);
    expect("groups of 256 with 32 registers", found.groups, 8);
    expect("percent", (int)(100 * found.fraction), 100);
    occupancy_of("sm_90", 92, 0, 512, &found);
    expect("groups of 512 with 92 registers", found.groups, 1);
    expect("limited by registers", strcmp(found.limiter, "registers"), 0);
    occupancy_of("sm_80", 32, 60 * 1024, 256, &found);
    expect("groups with 60 KiB of 164", found.groups, 2);
    expect("limited by shared memory", strcmp(found.limiter, "shared memory"), 0);
    occupancy_of("sm_80", 16, 0, 32, &found);
    expect("groups of 32", found.groups, 32);
    expect("limited by groups", strcmp(found.limiter, "groups"), 0);
    expect("sm_12 is unknown", occupancy_of("sm_12", 32, 0, 256, &found), 0);
}

int main(void)
{
    test_ptx();
    test_sass();
    test_occupancy();
    return failures > 0;
}
