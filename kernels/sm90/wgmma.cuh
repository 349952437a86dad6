/* wgmma.cuh: words for the matrix units that a warpgroup of sm_90a has: four warps multiply
 * together.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * D := A B, or D := A B + D, of numbers in TF32: single precision of which the last 13 bits are not
 * looked at. A is 64 x 8 and comes from registers, B is 8 x N and is read from shared memory.
 * Work-item i of the 128 has, with w = i / 32, g = i % 32 / 4 and t = i % 4: a[j] = A(16 w + g + 8
 * (j % 2), t + 4 (j / 2)), and d[4 j + e] = D(16 w + g + 8 (e / 2), 8 j + 2 t + e % 2). Sums are
 * truncated, not rounded.
 *
 * B is stored in lines of 128 bytes. A line holds 32 terms of one column. Chunk c (16 bytes) of
 * line r is at chunk c ^ (r & 7), and the first line starts at a multiple of 1024 bytes. LINES_AT
 * makes the descriptor of B; LINES_ON moves it on by 8 terms.
 *
 * Products run asynchronously. A work-item says PRODUCTS_BEGIN before the first, PRODUCTS_END after
 * the last, and PRODUCTS_WAIT before it reads D, or writes to D or A again. KEEP tells the compiler
 * that registers are in use until there.
 */
#ifndef GABLE_WGMMA_WORDS
#define GABLE_WGMMA_WORDS
#include "hopper.cuh"
/* The word of lines that start so many bytes behind the beginning of shared memory: from the bottom
 * its sixteenth, 1, a sixteenth of 1024 bytes from 8 lines to the next, and on top the swizzle of
 * 128 bytes. */
DEVICE u64 lines_word(u32 bytes)
{
    return (u64)(bytes >> 4 & 0x3fff) | (u64)1 << 16 | (u64)(1024 >> 4) << 32 | (u64)1 << 62;
}
#define LINES_ON(lines, eights) ((lines) + (u64)(2 * (eights)))

#ifndef GABLE_DIALECT

#define LINES_AT(at) lines_word(at)
/* The first place from here on at a multiple of 1024 bytes. */
#define WHOLE_PLACE(at) (((at) + 1023u) & ~1023u)

/* The bits of a number, and back. */
#define AS_WORD(x)  __float_as_uint(x)
#define AS_FLOAT(w) __uint_as_float(w)

/* One and two numbers of shared memory. */
DEVICE void LOAD_1S(float *v, PLACE at)
{
    asm volatile("ld.shared.f32 %0, [%1];" : "=f"(*v) : "r"(at));
}
DEVICE void LOAD_2S(float *v, PLACE at)
{
    asm volatile("ld.shared.v2.f32 {%0, %1}, [%2];" : "=f"(v[0]), "=f"(v[1]) : "r"(at));
}

DEVICE void PRODUCTS_BEGIN(void)
{
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
}
DEVICE void PRODUCTS_END(void)
{
    asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
}
DEVICE void PRODUCTS_WAIT(void)
{
    asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
}
DEVICE void KEEP_SUM(float *d)
{
    asm volatile("" : "+f"(*d)::"memory");
}
DEVICE void KEEP_WORD(u32 *a)
{
    asm volatile("" : "+r"(*a)::"memory");
}

DEVICE void MULTIPLY_64X64X8(float *d, const u32 *a, u64 lines, i32 add)
{
    asm volatile("{\n\t.reg .pred more;\n\t"
                 "setp.ne.b32 more, %37, 0;\n\t"
                 "wgmma.mma_async.sync.aligned.m64n64k8.f32.tf32.tf32 "
                 "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, "
                 "%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, "
                 "%30, %31}, "
                 "{%32, %33, %34, %35}, %36, more, 1, 1;\n\t}"
                 : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]), "+f"(d[4]), "+f"(d[5]),
                   "+f"(d[6]), "+f"(d[7]), "+f"(d[8]), "+f"(d[9]), "+f"(d[10]), "+f"(d[11]),
                   "+f"(d[12]), "+f"(d[13]), "+f"(d[14]), "+f"(d[15]), "+f"(d[16]), "+f"(d[17]),
                   "+f"(d[18]), "+f"(d[19]), "+f"(d[20]), "+f"(d[21]), "+f"(d[22]), "+f"(d[23]),
                   "+f"(d[24]), "+f"(d[25]), "+f"(d[26]), "+f"(d[27]), "+f"(d[28]), "+f"(d[29]),
                   "+f"(d[30]), "+f"(d[31])
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(lines), "r"(add));
}
DEVICE void MULTIPLY_64X128X8(float *d, const u32 *a, u64 lines, i32 add)
{
    asm volatile("{\n\t.reg .pred more;\n\t"
                 "setp.ne.b32 more, %69, 0;\n\t"
                 "wgmma.mma_async.sync.aligned.m64n128k8.f32.tf32.tf32 "
                 "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, "
                 "%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, "
                 "%30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, "
                 "%44, %45, %46, %47, %48, %49, %50, %51, %52, %53, %54, %55, %56, %57, "
                 "%58, %59, %60, %61, %62, %63}, "
                 "{%64, %65, %66, %67}, %68, more, 1, 1;\n\t}"
                 : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]), "+f"(d[4]), "+f"(d[5]),
                   "+f"(d[6]), "+f"(d[7]), "+f"(d[8]), "+f"(d[9]), "+f"(d[10]), "+f"(d[11]),
                   "+f"(d[12]), "+f"(d[13]), "+f"(d[14]), "+f"(d[15]), "+f"(d[16]), "+f"(d[17]),
                   "+f"(d[18]), "+f"(d[19]), "+f"(d[20]), "+f"(d[21]), "+f"(d[22]), "+f"(d[23]),
                   "+f"(d[24]), "+f"(d[25]), "+f"(d[26]), "+f"(d[27]), "+f"(d[28]), "+f"(d[29]),
                   "+f"(d[30]), "+f"(d[31]), "+f"(d[32]), "+f"(d[33]), "+f"(d[34]), "+f"(d[35]),
                   "+f"(d[36]), "+f"(d[37]), "+f"(d[38]), "+f"(d[39]), "+f"(d[40]), "+f"(d[41]),
                   "+f"(d[42]), "+f"(d[43]), "+f"(d[44]), "+f"(d[45]), "+f"(d[46]), "+f"(d[47]),
                   "+f"(d[48]), "+f"(d[49]), "+f"(d[50]), "+f"(d[51]), "+f"(d[52]), "+f"(d[53]),
                   "+f"(d[54]), "+f"(d[55]), "+f"(d[56]), "+f"(d[57]), "+f"(d[58]), "+f"(d[59]),
                   "+f"(d[60]), "+f"(d[61]), "+f"(d[62]), "+f"(d[63])
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(lines), "r"(add));
}
DEVICE void MULTIPLY_64X192X8(float *d, const u32 *a, u64 lines, i32 add)
{
    asm volatile(
        "{\n\t.reg .pred more;\n\t"
        "setp.ne.b32 more, %101, 0;\n\t"
        "wgmma.mma_async.sync.aligned.m64n192k8.f32.tf32.tf32 "
        "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, "
        "%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, "
        "%30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, "
        "%44, %45, %46, %47, %48, %49, %50, %51, %52, %53, %54, %55, %56, %57, "
        "%58, %59, %60, %61, %62, %63, %64, %65, %66, %67, %68, %69, %70, %71, "
        "%72, %73, %74, %75, %76, %77, %78, %79, %80, %81, %82, %83, %84, %85, "
        "%86, %87, %88, %89, %90, %91, %92, %93, %94, %95}, "
        "{%96, %97, %98, %99}, %100, more, 1, 1;\n\t}"
        : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]), "+f"(d[4]), "+f"(d[5]), "+f"(d[6]),
          "+f"(d[7]), "+f"(d[8]), "+f"(d[9]), "+f"(d[10]), "+f"(d[11]), "+f"(d[12]), "+f"(d[13]),
          "+f"(d[14]), "+f"(d[15]), "+f"(d[16]), "+f"(d[17]), "+f"(d[18]), "+f"(d[19]), "+f"(d[20]),
          "+f"(d[21]), "+f"(d[22]), "+f"(d[23]), "+f"(d[24]), "+f"(d[25]), "+f"(d[26]), "+f"(d[27]),
          "+f"(d[28]), "+f"(d[29]), "+f"(d[30]), "+f"(d[31]), "+f"(d[32]), "+f"(d[33]), "+f"(d[34]),
          "+f"(d[35]), "+f"(d[36]), "+f"(d[37]), "+f"(d[38]), "+f"(d[39]), "+f"(d[40]), "+f"(d[41]),
          "+f"(d[42]), "+f"(d[43]), "+f"(d[44]), "+f"(d[45]), "+f"(d[46]), "+f"(d[47]), "+f"(d[48]),
          "+f"(d[49]), "+f"(d[50]), "+f"(d[51]), "+f"(d[52]), "+f"(d[53]), "+f"(d[54]), "+f"(d[55]),
          "+f"(d[56]), "+f"(d[57]), "+f"(d[58]), "+f"(d[59]), "+f"(d[60]), "+f"(d[61]), "+f"(d[62]),
          "+f"(d[63]), "+f"(d[64]), "+f"(d[65]), "+f"(d[66]), "+f"(d[67]), "+f"(d[68]), "+f"(d[69]),
          "+f"(d[70]), "+f"(d[71]), "+f"(d[72]), "+f"(d[73]), "+f"(d[74]), "+f"(d[75]), "+f"(d[76]),
          "+f"(d[77]), "+f"(d[78]), "+f"(d[79]), "+f"(d[80]), "+f"(d[81]), "+f"(d[82]), "+f"(d[83]),
          "+f"(d[84]), "+f"(d[85]), "+f"(d[86]), "+f"(d[87]), "+f"(d[88]), "+f"(d[89]), "+f"(d[90]),
          "+f"(d[91]), "+f"(d[92]), "+f"(d[93]), "+f"(d[94]), "+f"(d[95])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(lines), "r"(add));
}

#endif
#endif
