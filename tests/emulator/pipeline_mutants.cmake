# pipeline_mutants.cmake: forms of the kernels of gemm_pipeline.cuh with small tiles, as plain C; mutants of them and of gemm_tf32.cu.
# SPDX-License-Identifier: BSD-3-Clause
# Those of test_pipeline_mutants.c and test_gemm_tf32.c. Writes the lists FORMS and TF32 of hopper_kernels.cmake, and lists of mutants.

# pipeline(FILE PREC TRANS_A TRANS_B TRIANGLE_C TRIANGULAR UNIT ROWS COLUMNS WARP_ROWS WARP_COLUMNS STAGES SPLIT_K CLUSTER STAGGER LOAD_MODE_A LOAD_MODE_B
# ALIGN_C TWO_PRODUCTS SIZES NAME=VALUE...): a kernel of gemm_pipeline.cuh.
macro(pipeline file prec trans_a trans_b part zeros unit rows columns warp_rows warp_columns stages split_k cluster stagger load_mode_a
        load_mode_b align_c two_products sizes)
    math(EXPR items "32 * (${rows} / ${warp_rows}) * (${columns} / ${warp_columns}) * ${split_k} + 128")
    pipeline_form(FORMS ${pipeline_folder}/${file} PREC=${prec} TRANS_A=${trans_a} TRANS_B=${trans_b} TRIANGLE_C=${part} TRIANGULAR=${zeros}
        UNIT=${unit} ROWS=${rows} COLUMNS=${columns} WARP_ROWS=${warp_rows} WARP_COLUMNS=${warp_columns} STAGES=${stages}
        SPLIT_K=${split_k} CLUSTER=${cluster} STAGGER=${stagger} LOAD_MODE_A=${load_mode_a} LOAD_MODE_B=${load_mode_b} ALIGN_C=${align_c} TWO_PRODUCTS=${two_products}
        SIZES=${sizes} ITEMS=${items} ${ARGN})
endmacro()
set(pipeline_folder ${CMAKE_SOURCE_DIR}/kernels/sm90)
# All transposes, by TMA tiles and by elements; the other forms once each.
pipeline(gemm_dmma.cu 1 0 0 0 0 0 64 32 32 16 3 1 1 0 0 0 16 0 0)
pipeline(gemm_dmma.cu 1 1 0 0 0 0 64 32 32 16 3 1 1 0 0 0 16 0 0)
pipeline(gemm_dmma.cu 1 0 1 0 0 0 64 32 32 16 3 1 1 0 0 0 8 0 0)
pipeline(gemm_dmma.cu 1 1 1 0 0 0 64 32 32 16 3 1 1 0 0 0 16 0 0)
pipeline(gemm_dmma.cu 1 0 0 0 0 0 64 32 32 16 3 1 1 0 1 0 8 0 0)
pipeline(gemm_dmma.cu 1 1 0 0 0 0 64 32 32 16 3 1 1 0 0 1 8 0 0)
pipeline(gemm_dmma.cu 1 1 1 0 0 0 64 32 32 16 3 1 1 0 1 1 8 0 0)
pipeline(gemm_dmma.cu 1 0 1 0 0 0 64 32 32 16 3 1 1 0 1 1 8 0 0)
pipeline(gemm_dmma.cu 1 0 0 0 0 0 128 128 64 32 4 1 1 2 0 0 16 0 0) # staggered
pipeline(gemm_dmma.cu 1 0 0 0 0 0 64 32 32 16 4 2 1 0 0 0 16 0 0)   # slices
pipeline(gemm_dmma.cu 1 1 0 0 0 0 32 32 32 16 3 1 2 0 0 0 16 0 0)   # clusters
pipeline(gemm_dmma.cu 1 0 1 0 0 0 64 32 32 16 4 2 2 0 0 0 16 0 0)
pipeline(gemm_dmma.cu 1 0 1 1 0 0 32 64 32 16 3 1 1 0 0 0 16 0 0)   # triangles of C
pipeline(gemm_dmma.cu 1 1 0 2 0 0 64 32 32 16 3 1 1 0 0 0 8 0 0)
pipeline(gemm_dmma.cu 1 0 0 0 1 0 64 32 32 16 3 1 1 0 0 0 16 0 0)   # triangular factors
pipeline(gemm_dmma.cu 1 1 0 0 2 1 64 32 32 16 3 1 1 0 0 0 16 0 0)
pipeline(gemm_dmma.cu 1 0 0 0 3 1 64 32 32 16 3 1 1 0 0 0 16 0 0)
pipeline(gemm_dmma.cu 1 0 1 0 4 0 64 32 32 16 4 2 1 0 0 1 8 0 0)
pipeline(gemm_dmma.cu 1 0 1 2 0 0 64 32 32 16 3 1 1 0 0 0 16 1 0)   # both halves of syr2k
pipeline(gemm_dmma.cu 1 1 0 0 0 0 64 32 32 16 3 1 1 0 0 0 16 0 1)   # sizes in memory
pipeline(gemm_dmma.cu 1 0 1 0 0 0 64 32 32 16 3 1 1 0 1 0 8 0 1)
pipeline(gemm_dmma.cu 1 0 0 0 0 0 64 32 32 16 3 1 1 0 3 0 16 0 0)   # panels by one box
pipeline(gemm_dmma.cu 1 0 1 0 0 0 64 32 32 16 3 1 1 0 3 3 16 0 0)
pipeline(gemm_dmma.cu 1 1 1 0 0 0 64 32 32 16 3 1 1 0 1 3 16 0 0)
pipeline(gemm_dmma.cu 1 0 1 2 0 0 64 32 32 16 3 1 1 0 3 3 16 1 0)
pipeline(gemm_dmma.cu 1 0 0 0 2 1 64 32 32 16 3 1 1 0 3 0 16 0 0)
pipeline(gemm_dmma.cu 3 0 0 0 0 0 64 32 32 16 3 1 1 0 0 0 16 0 0)   # complex
pipeline(gemm_dmma.cu 3 2 0 0 0 0 64 32 32 16 3 1 1 0 0 2 8 0 0)
pipeline(gemm_dmma.cu 3 0 2 0 0 0 64 32 32 16 3 1 1 0 3 3 16 0 0)
pipeline(gemm_dmma.cu 3 2 1 0 0 0 64 32 32 16 4 2 1 0 0 0 16 0 0)
pipeline(gemm_dmma.cu 3 1 0 0 0 0 64 32 32 16 3 1 2 0 0 0 16 0 0)
pipeline(gemm_dmma.cu 3 0 0 0 2 1 64 32 32 16 3 1 1 0 0 0 16 0 0)
pipeline(gemm_dmma.cu 3 0 1 1 0 0 64 32 32 16 3 1 1 0 0 0 16 1 0)
pipeline(gemm_dmma.cu 3 0 0 0 0 0 64 32 32 16 3 1 1 0 0 0 16 0 1)
pipeline(gemm_dmma.cu 1 0 0 0 0 0 64 64 32 32 3 1 1 0 0 0 16 0 0 STAGED_C=1) # C through local memory
pipeline(gemm_dmma.cu 1 1 0 0 0 0 64 64 32 32 3 1 1 0 0 0 16 0 0 STAGED_C=2)
pipeline(gemm_dmma.cu 1 0 1 2 0 0 64 64 32 32 3 1 1 0 0 0 16 0 0 STAGED_C=1)
pipeline(gemm_dmma.cu 1 1 1 0 0 0 64 32 32 16 3 1 1 0 0 3 16 0 0 STAGED_C=2)
pipeline(gemm_dmma.cu 1 0 1 1 0 0 64 64 32 32 3 1 1 0 3 3 16 1 0 STAGED_C=2)
pipeline(gemm_dmma.cu 3 0 2 0 0 0 64 64 32 32 3 1 1 0 0 0 16 0 0 STAGED_C=1)
pipeline(gemm_dmma.cu 1 0 0 0 0 0 64 32 32 16 3 1 1 0 0 0 16 0 0 BATCH=1) # many products at once
pipeline(gemm_dmma.cu 1 1 0 0 0 0 64 32 32 16 3 1 1 0 1 0 8 0 0 BATCH=1)
pipeline(gemm_dmma.cu 1 0 1 0 0 0 64 32 32 16 3 1 1 0 3 3 16 0 0 BATCH=1)
pipeline(gemm_dmma.cu 1 0 0 0 0 0 64 32 32 16 3 1 1 0 4 4 8 0 0 BATCH=2)
pipeline(gemm_dmma.cu 3 1 2 0 0 0 64 32 32 16 3 1 1 0 4 4 8 0 0 BATCH=2)
# The same in single precision, real and complex.
pipeline(gemm_ffma.cu 0 0 0 0 0 0 128 64 128 32 3 1 1 0 0 0 16 0 0)
pipeline(gemm_ffma.cu 0 1 0 0 0 0 128 64 128 32 3 1 1 0 0 0 16 0 0)
pipeline(gemm_ffma.cu 0 0 1 0 0 0 128 32 128 32 3 1 1 0 0 0 4 0 0)
pipeline(gemm_ffma.cu 0 1 1 0 0 0 128 64 128 32 3 1 1 0 1 1 4 0 0)
pipeline(gemm_ffma.cu 0 0 0 0 0 0 128 64 128 32 3 2 2 0 1 0 16 0 0)
pipeline(gemm_ffma.cu 0 1 0 2 0 0 128 64 128 32 3 2 1 0 0 0 16 0 0)
pipeline(gemm_ffma.cu 0 1 0 0 2 1 128 64 128 32 3 1 1 0 0 0 16 0 0)
pipeline(gemm_ffma.cu 0 0 1 1 0 0 128 64 128 32 3 1 1 0 0 0 16 1 0)
pipeline(gemm_ffma.cu 0 0 0 0 0 0 128 64 128 32 3 1 1 0 0 1 16 0 1)
pipeline(gemm_ffma.cu 0 0 1 0 0 0 128 64 128 32 3 1 1 0 3 3 16 0 0)
pipeline(gemm_ffma.cu 2 0 2 0 0 0 64 64 64 32 3 1 1 0 3 3 16 0 0)
pipeline(gemm_ffma.cu 2 0 0 0 0 0 64 64 64 32 3 1 1 0 0 0 16 0 0)
pipeline(gemm_ffma.cu 2 2 0 0 0 0 64 64 64 32 3 1 1 0 0 0 16 0 0)
pipeline(gemm_ffma.cu 2 0 2 0 0 0 64 32 64 32 3 1 1 0 1 1 8 0 0)
pipeline(gemm_ffma.cu 2 1 2 0 0 0 64 64 64 32 3 1 1 0 2 2 4 0 0) # halves of elements
pipeline(gemm_ffma.cu 2 0 0 0 4 1 64 64 64 32 3 2 1 0 0 2 8 0 0)
pipeline(gemm_ffma.cu 2 0 0 0 1 0 64 64 64 32 3 2 2 0 0 0 16 0 0)
pipeline(gemm_ffma.cu 0 0 0 0 0 0 128 64 128 32 3 1 1 0 0 0 16 0 0 STAGED_C=1) # C through local memory
pipeline(gemm_ffma.cu 0 1 0 0 0 0 128 64 128 32 3 1 1 0 0 0 16 0 0 STAGED_C=2)
pipeline(gemm_ffma.cu 0 0 1 2 0 0 128 64 128 32 3 1 1 0 0 0 16 0 0 STAGED_C=2)
pipeline(gemm_ffma.cu 2 0 0 0 0 0 64 32 64 32 3 1 1 0 0 0 16 0 0 STAGED_C=1)
pipeline(gemm_ffma.cu 2 0 2 1 0 0 64 64 64 32 3 1 1 0 3 3 16 0 0 STAGED_C=2)
# All lanes arrive: for racecheck.
pipeline(gemm_dmma.cu 1 0 0 0 0 0 64 32 32 16 3 1 1 0 1 1 8 0 0 LANES_ARRIVE=1)
pipeline(gemm_dmma.cu 1 0 0 0 0 0 64 32 32 16 4 2 1 0 0 0 16 0 0 LANES_ARRIVE=1)
pipeline(gemm_dmma.cu 1 0 0 0 0 0 64 64 32 32 3 1 1 0 0 0 16 0 0 STAGED_C=1 LANES_ARRIVE=1)
pipeline(gemm_ffma.cu 0 1 0 0 0 0 128 64 128 32 3 1 1 0 0 0 16 0 0 LANES_ARRIVE=1)
pipeline(gemm_ffma.cu 0 1 0 0 0 0 128 64 128 32 3 1 1 0 0 0 16 0 0 STAGED_C=2 LANES_ARRIVE=1)

# ---- Mutants ----

# Whether tests see what is wrong is asked in builds without sanitizers, with gcc.
set(PIPELINE_WITHOUT_MUTANTS FALSE)
if(GABLE_TESTS_SHORT OR GABLE_WARNINGS_ONLY)
    set(PIPELINE_WITHOUT_MUTANTS TRUE)
endif()

# kernel_mutant(LIST NAME CAUGHT "PIECES" FILE OLD NEW...): the next mutant of a list: PIECES, files of kernels/sm90, are written
# to mutant_folder with OLD replaced in FILE, one of them; more pairs of OLD and NEW may follow. Its number is mutant_<LIST>_count.
# CAUGHT is what must catch it: result, or race for what only the thread sanitizer sees.
function(kernel_mutant list name caught pieces file)
    math(EXPR number "0${mutant_${list}_count} + 1")
    set(mutant_folder ${hopper_folder}/mutant_${list}_${number})
    foreach(piece ${pieces})
        mutant_text(${CMAKE_SOURCE_DIR}/kernels/sm90/${piece} text)
        if(piece STREQUAL file)
            set(at 5) # arguments with semicolons are no list
            while(at LESS ARGC)
                math(EXPR after "${at} + 1")
                mutant_replace(text name "${ARGV${at}}" "${ARGV${after}}")
                math(EXPR at "${at} + 2")
            endwhile()
        endif()
        file(CONFIGURE OUTPUT ${mutant_folder}/${piece} CONTENT "${text}" @ONLY)
    endforeach()
    set(mutant_folder ${mutant_folder} PARENT_SCOPE)
    set(mutant_${list}_count ${number} PARENT_SCOPE)
    set(mutant_${list}_text "${mutant_${list}_text}    {\"${name}\", \"${caught}\"},\n" PARENT_SCOPE)
endfunction()

# mutant_keep(LIST): what hopper_keep does, and the list of mutants.
macro(mutant_keep list)
    hopper_keep(${list})
    set(mutant_${list}_count ${mutant_${list}_count} PARENT_SCOPE)
    set(mutant_${list}_text "${mutant_${list}_text}" PARENT_SCOPE)
endmacro()

# mutant_table(LIST NAME): the list as a table <NAME>_mutants of hopper_mutants.h, in <NAME>_mutants.c.
function(mutant_table list name)
    file(CONFIGURE OUTPUT ${hopper_folder}/${name}_mutants.c CONTENT
"/* Generated by pipeline_mutants.cmake. */
#include <stddef.h>
#include \"hopper_mutants.h\"

const hopper_mutant ${name}_mutants[] = {
${mutant_${list}_text}    {NULL, NULL},
};
" @ONLY)
endfunction()

# ---- Mutants of pipelines ----

# pipeline_mutant(NAME CAUGHT FILE OLD NEW ARGUMENTS_OF_PIPELINE...)
function(pipeline_mutant name caught file old new core)
    if(PIPELINE_WITHOUT_MUTANTS)
        return()
    endif()
    kernel_mutant(FORMS "${name}" ${caught} "${core};gemm_pipeline.cuh;gemm_tiles.cuh;gemm_batch.cuh;gemm_staged_c.cuh;gemm_dmma_end.cuh;gemm_ffma_end.cuh"
        ${file} "${old}" "${new}")
    set(pipeline_folder ${mutant_folder})
    pipeline(${core} ${ARGN} MUTANT=${mutant_FORMS_count})
    mutant_keep(FORMS)
endfunction()
set(plain gemm_dmma.cu 1 0 0 0 0 0 64 32 32 16 3 1 1 0 0 0 16 0 0)
set(elements gemm_dmma.cu 1 1 1 0 0 0 64 32 32 16 3 1 1 0 1 1 8 0 0)
set(split_k gemm_dmma.cu 1 0 0 0 0 0 64 32 32 16 4 2 1 0 0 0 16 0 0)
set(clusters gemm_dmma.cu 1 1 0 0 0 0 32 32 32 16 3 1 2 0 0 0 16 0 0)
set(triangle gemm_dmma.cu 1 1 0 2 0 0 64 32 32 16 3 1 1 0 0 0 8 0 0)
set(factor gemm_dmma.cu 1 0 0 0 1 0 64 32 32 16 3 1 1 0 0 0 16 0 0)
set(unit gemm_dmma.cu 1 1 0 0 2 1 64 32 32 16 3 1 1 0 0 0 16 0 0)
set(two_products gemm_dmma.cu 1 0 1 2 0 0 64 32 32 16 3 1 1 0 0 0 16 1 0)
set(sizes gemm_dmma.cu 1 1 0 0 0 0 64 32 32 16 3 1 1 0 0 0 16 0 1)
pipeline_mutant("an empty stage is not waited for" result gemm_pipeline.cuh
    "MBARRIER_WAIT(r.empty + 8 * s, (lap - 1) & 1);" "(void)0;" ${plain})
pipeline_mutant("the wrong phase of an empty stage" result gemm_pipeline.cuh "(lap - 1) & 1" "lap & 1" ${plain})
pipeline_mutant("a full stage is not waited for" result gemm_dmma.cu
    "MBARRIER_WAIT(r.full + 8 * at->s, at->parity);" "(void)0;" ${plain})
pipeline_mutant("the first stage is not waited for" result gemm_dmma.cu
    "MBARRIER_WAIT(r.full + 8 * at.s, at.parity);" "(void)0;" ${elements})
pipeline_mutant("phases do not change" result gemm_dmma.cu "at->parity ^= 1;" "" ${plain})
pipeline_mutant("lanes do not wait for each other before a stage is given back" race gemm_dmma.cu
    "    WARP_BARRIER();\n    if (ARRIVES(lane == 0))\n        MBARRIER_ARRIVE" "    if (lane == 0)\n        MBARRIER_ARRIVE" ${plain})
pipeline_mutant("a stage is given back by too few warps" result gemm_pipeline.cuh
    "MBARRIER_INIT(r.empty + 8 * s, EMPTY_COUNT);" "MBARRIER_INIT(r.empty + 8 * s, EMPTY_COUNT - 1);" ${plain})
pipeline_mutant("one term too many" result gemm_pipeline.cuh "(term < terms_left)" "(term <= terms_left)" ${elements})
pipeline_mutant("a column too many" result gemm_pipeline.cuh "j >= (i32)a.n || !gemm_wanted" "j > (i32)a.n || !gemm_wanted"
    ${elements})
pipeline_mutant("whole blocks at the last row" result gemm_dmma_end.cuh "i + BLOCK_ROWS * blocks <= a.m" "i <= a.m" ${plain})
pipeline_mutant("the last tile is lost" result gemm_tiles.cuh "(whole + size - 1) / size" "whole / size" ${plain})
pipeline_mutant("alpha = 0 reads A and B" result gemm_pipeline.cuh "if (T_is_zero(alpha))" "if (T_is_zero(alpha) && 0)" ${plain})
pipeline_mutant("a triangle without its diagonal" result gemm_pipeline.cuh "beyond <= 0 :" "beyond < 0 :" ${factor})
pipeline_mutant("a triangle read too far" result gemm_pipeline.cuh "beyond <= 0 :" "beyond <= 1 :" ${factor})
pipeline_mutant("0 x Inf stays" result gemm_dmma.cu "if (!all_finite(&sums, blocks))" "if (!all_finite(&sums, blocks) && 0)" ${factor})
pipeline_mutant("the mended sum lacks its diagonal" result gemm_pipeline.cuh "MINIMUM(on + 1, a.k)" "MINIMUM(on, a.k)" ${factor})
pipeline_mutant("ones are not stored" result gemm_pipeline.cuh "given && beyond == 0" "given && beyond == 100000" ${unit})
pipeline_mutant("ones are not waited for" race gemm_pipeline.cuh
    "#if TRIANGULAR && UNIT\n    MBARRIER_ARRIVE(full);" "#if TRIANGULAR && UNIT\n    if (lane == 0) for (i32 i = 0; i < PRODUCERS; i++) MBARRIER_ARRIVE(full);"
    ${unit})
pipeline_mutant("slices do not wait before they swap" race gemm_dmma_end.cuh
    "    BARRIER_OF(1, COMPUTERS);\n    UNROLLED\n    for (i32 m = 0; m < half; m++) {\n        UNROLLED\n        for (i32 n = 0; n < NT; n++) {\n            UNROLLED\n            for (i32 e = 0; e < 2; e++) {\n                const PLACE at"
    "    UNROLLED\n    for (i32 m = 0; m < half; m++) {\n        UNROLLED\n        for (i32 n = 0; n < NT; n++) {\n            UNROLLED\n            for (i32 e = 0; e < 2; e++) {\n                const PLACE at"
    ${split_k})
pipeline_mutant("sums of a part of the cluster" result gemm_dmma_end.cuh "count = split_k ? SPLIT_K : CLUSTER;" "count = split_k ? SPLIT_K : CLUSTER - 1;"
    ${clusters})
pipeline_mutant("groups do not wait for each other's sums" result gemm_dmma_end.cuh
    "    WARP_BARRIER();\n    CLUSTER_BARRIER();" "    WARP_BARRIER();" ${clusters})
pipeline_mutant("tiles that the diagonal cuts are stored whole" result gemm_pipeline.cuh "!gemm_wanted(i, j))" "0)" ${triangle})
pipeline_mutant("the second half has the first one's operands" result gemm_pipeline.cuh
    "rows = {B, a.ldb, (i32)a.m}, columns = {A, a.lda, (i32)a.n}" "rows = {A, a.lda, (i32)a.m}, columns = {B, a.ldb, (i32)a.n}"
    gemm_dmma.cu 1 0 1 2 0 0 64 32 32 16 3 1 1 0 1 1 16 1 0)
pipeline_mutant("the second half begins too late" result gemm_pipeline.cuh "step >= steps.half" "step > steps.half" ${two_products})
pipeline_mutant("k is the call's" result gemm_pipeline.cuh "    a.k = sizes[2];\n" "" ${sizes})
set(staged_c gemm_dmma.cu 1 0 0 0 0 0 64 64 32 32 3 1 1 0 0 0 16 0 0 STAGED_C=1)
set(twofold gemm_dmma.cu 1 0 0 0 0 0 64 64 32 32 3 1 1 0 0 0 16 0 0 STAGED_C=2)
set(cut gemm_dmma.cu 1 0 1 2 0 0 64 64 32 32 3 1 1 0 0 0 16 0 0 STAGED_C=1)
pipeline_mutant("a buffer of C is not waited for" result gemm_staged_c.cuh
    "MBARRIER_WAIT(r.c_full + staged_mbarrier(use, part), staged_parity(use));" "(void)r, (void)use, (void)part;" ${staged_c})
pipeline_mutant("a buffer of C is sent before it is written" result gemm_staged_c.cuh
    "MBARRIER_WAIT(r.c_empty + staged_mbarrier(use, part), staged_parity(use));" "(void)0;" ${staged_c})
pipeline_mutant("a buffer of C is sent when some warps have written it" result gemm_pipeline.cuh
    "MBARRIER_INIT(r.c_empty + 8 * b, WARPS * WARP_ARRIVALS);" "MBARRIER_INIT(r.c_empty + 8 * b, WARPS - 1);" ${twofold})
pipeline_mutant("another part of a buffer of C is waited for before one is sent" result gemm_staged_c.cuh
    "MBARRIER_WAIT(r.c_empty + staged_mbarrier(use, part), staged_parity(use));" "MBARRIER_WAIT(r.c_empty + staged_mbarrier(use, 0), staged_parity(use));"
    ${staged_c})
pipeline_mutant("the first part of a buffer of C is waited for, not the second" result gemm_dmma_end.cuh "staged_wait(r, use, part);"
    "staged_wait(r, use, 0);" ${staged_c})
pipeline_mutant("parts of a buffer of C share columns" result gemm_staged_c.cuh
    "MBARRIER_EXPECT(c_full, STAGED_BYTES / STAGED_PARTS);\n    ROLLED\n    for (i32 column = part * STAGED_COLUMNS;"
    "MBARRIER_EXPECT(c_full, STAGED_BYTES / STAGED_PARTS);\n    ROLLED\n    for (i32 column = 0;" ${staged_c})
pipeline_mutant("a buffer of C is filled again before it was read" result gemm_staged_c.cuh
    "TMA_STORE_READ_WAIT(0);" "" ${twofold})
pipeline_mutant("a group ends before its last buffer was read" result gemm_staged_c.cuh "TMA_STORE_WAIT(0);" "" ${staged_c})
pipeline_mutant("the wrong phase of a buffer of C" result gemm_staged_c.cuh
    "return (u32)(use / STAGED_C) & 1;" "return (u32)(use / STAGED_C + 1) & 1;" ${twofold})
pipeline_mutant("buffers of C are sent in the wrong order" result gemm_staged_c.cuh
    "epilogue_store(r, map_c, pending[0], use - STAGED_C, part);" "epilogue_store(r, map_c, pending[STAGED_C - 1], use - STAGED_C, part);" ${twofold})
pipeline_mutant("the last buffer of C is lost" result gemm_staged_c.cuh "x < STAGED_C; x++) {\n        ROLLED" "x < STAGED_C - 1; x++) {\n        ROLLED"
    ${twofold})
pipeline_mutant("tiles that the diagonal cuts go through local memory" result gemm_staged_c.cuh
    "        if (pipeline_stored(a, tile))\n            continue;\n" "" ${cut})
pipeline_mutant("TMA ends C within 16 bytes" result gemm_tiles.cuh "(a.m % each != 0)" "(a.m % each < 0)" ${staged_c})
pipeline_mutant("only computing work-items pass over the end of C" result gemm_staged_c.cuh "if (pipeline_stored(a, tile))" "if (pipeline_cut(tile))" ${staged_c})
pipeline_mutant("lanes do not wait for each other before a buffer of C is sent" race gemm_staged_c.cuh
    "    WARP_BARRIER();\n" "" ${staged_c})
set(plain gemm_ffma.cu 0 0 0 0 0 0 128 64 128 32 3 1 1 0 0 0 16 0 0)
set(split_k gemm_ffma.cu 0 1 0 0 0 0 128 64 128 32 3 2 1 0 0 0 16 0 0)
set(complex gemm_ffma.cu 2 2 0 0 0 0 64 64 64 32 3 1 1 0 0 0 16 0 0)
set(halves gemm_ffma.cu 2 1 2 0 0 0 64 64 64 32 3 1 1 0 2 2 4 0 0)
pipeline_mutant("single: the next stage is not waited for" result gemm_ffma.cu
    "MBARRIER_WAIT(r.full + 8 * at->s, at->parity);" "" ${plain})
pipeline_mutant("single: phases do not change" result gemm_ffma.cu "at->parity ^= 1;" "" ${plain})
pipeline_mutant("single: lanes do not wait for each other before a stage is given back" race gemm_ffma.cu
    "    WARP_BARRIER();\n    if (ARRIVES(ITEM_X % 32 == 0))" "    if (ITEM_X % 32 == 0)" ${plain})
pipeline_mutant("single: slices give the half that they keep" result gemm_ffma_end.cuh
    "away[x] = upper ? sums->SUM(e + x) : sums->SUM(half * TM + e + x);" "away[x] = upper ? sums->SUM(half * TM + e + x) : sums->SUM(e + x);"
    ${split_k})
pipeline_mutant("single: slices read before others wrote" race gemm_ffma_end.cuh
    "        BARRIER_OF(1, COMPUTERS);\n        UNROLLED\n        for (i32 e = 0; e < half * TM; e += CHUNK) {\n            T others"
    "        UNROLLED\n        for (i32 e = 0; e < half * TM; e += CHUNK) {\n            T others" ${split_k})
pipeline_mutant("single: lanes exchange columns in a buffer of C" result gemm_ffma_end.cuh
    "PLACE_XOR(first, COLUMN_BITS(bits))" "PLACE_XOR(first, COLUMN_BITS(bits ^ 1))"
    gemm_ffma.cu 0 0 0 0 0 0 128 64 128 32 3 1 1 0 0 0 16 0 0 STAGED_C=1)
pipeline_mutant("single: the first part of a buffer of C is waited for, not the second" result gemm_ffma_end.cuh "staged_wait(r, use, part);"
    "staged_wait(r, use, 0);" gemm_ffma.cu 0 0 0 0 0 0 128 64 128 32 3 1 1 0 0 0 16 0 0 STAGED_C=1)
pipeline_mutant("complex: A is not conjugated" result gemm_ffma.cu "T_fma(gemm_a(a[r][t])" "T_fma((a[r][t])" ${complex})
pipeline_mutant("complex: second halves are the first" result gemm_pipeline.cuh "(GLOBAL const R *)from + 1, bytes" "(GLOBAL const R *)from, bytes"
    ${halves})
pipeline_mutant("all lanes arrive, but one is counted when a stage is empty" result gemm_pipeline.cuh "STEP_SLICES * WARP_ARRIVALS)" "STEP_SLICES)"
    gemm_dmma.cu 1 0 0 0 0 0 64 32 32 16 3 1 1 0 1 1 8 0 0 LANES_ARRIVE=1)
pipeline_mutant("all lanes arrive, but one is counted when a stage is transposed" result gemm_pipeline.cuh "TRANSPOSERS * WARP_ARRIVALS" "TRANSPOSERS"
    gemm_ffma.cu 0 1 0 0 0 0 128 64 128 32 3 1 1 0 0 0 16 0 0 LANES_ARRIVE=1)
pipeline_mutant("all lanes arrive, but one is counted when a buffer of C is written" result gemm_pipeline.cuh "WARPS * WARP_ARRIVALS)" "WARPS)"
    gemm_dmma.cu 1 0 0 0 0 0 64 64 32 32 3 1 1 0 0 0 16 0 0 STAGED_C=1 LANES_ARRIVE=1)
set(strided gemm_dmma.cu 1 0 0 0 0 0 64 32 32 16 3 1 1 0 0 0 16 0 0 BATCH=1)
set(addresses gemm_dmma.cu 1 0 0 0 0 0 64 32 32 16 3 1 1 0 4 4 8 0 0 BATCH=2)
pipeline_mutant("the last batch entry is lost" result gemm_tiles.cuh "grid.tiles * (i32)a.batch" "grid.tiles * ((i32)a.batch - 1)" ${strided})
pipeline_mutant("all batch entries are stored as the first" result gemm_tiles.cuh "entry_start(C, (tile).entry," "entry_start(C, 0," ${strided})
pipeline_mutant("B has the batch entries of C" result gemm_pipeline.cuh "a.n, a.stride_b, a, tile" "a.n, a.stride_c, a, tile"
    gemm_dmma.cu 1 0 0 0 0 0 64 32 32 16 3 1 1 0 1 1 8 0 0 BATCH=1)
pipeline_mutant("TMA tiles of the next batch entry" result gemm_batch.cuh "stride > 0 ? tile.entry :" "stride > 0 ? tile.entry + 1 :" ${strided})
pipeline_mutant("B is read at the addresses of A" result gemm_pipeline.cuh "entry_factor(B," "entry_factor(((void)B, A)," ${addresses})
pipeline_mutant("16 bytes from any address" result gemm_batch.cuh "starts % 16 == 0 ? 0" "starts % 8 == 0 ? 0" ${addresses})
pipeline_mutant("16 bytes behind the last row" result gemm_batch.cuh "MINIMUM(left, each)" "each" ${addresses})
hopper_table(FORMS)
mutant_table(FORMS pipeline)

# ---- Mutants of products of TF32 numbers ----

# tf32_mutant(NAME CAUGHT "ARGUMENTS_OF_TF32_KERNEL" OLD NEW...): no NEW is empty: cmake would lose it.
function(tf32_mutant name caught form)
    if(PIPELINE_WITHOUT_MUTANTS)
        return()
    endif()
    math(EXPR last "${ARGC} - 1")
    foreach(at RANGE 3 ${last})
        string(REPLACE ";" "\\;" change "${ARGV${at}}")
        list(APPEND changes "${change}")
    endforeach()
    kernel_mutant(TF32 "${name}" ${caught} gemm_tf32.cu gemm_tf32.cu ${changes})
    set(tf32_file ${mutant_folder}/gemm_tf32.cu)
    tf32_kernel(${form} MUTANT=${mutant_TF32_count})
    mutant_keep(TF32)
endfunction()
set(plain 64 3 4 0 0 0 0 0 0 0)
set(transposed 64 3 4 0 1 0 0 0 0 0) # B lies along its columns
set(triangle 64 3 4 0 1 2 0 0 0 0)
set(two_products 64 3 4 0 1 1 0 0 1 0)
set(lower 64 3 4 0 0 0 1 0 0 0)
set(upper 64 3 4 0 1 0 4 1 0 0)
tf32_mutant("an empty stage is not waited for" result "${plain}"
    "MBARRIER_WAIT(FREE(room, (u32)ahead.slot), ahead.parity ^ 1);" "(void)0;")
tf32_mutant("the wrong phase of an empty stage" result "${plain}" "ahead.parity ^ 1" "ahead.parity")
tf32_mutant("B is split before it is there" result "${plain}" "MBARRIER_WAIT(RAW(room, (u32)now.slot), now.parity);" " ")
tf32_mutant("products do not wait for the split" result "${plain}" "MBARRIER_WAIT(READY(room, (u32)slot), walk.parity);" " ")
tf32_mutant("A of the first step is not waited for" result "${plain}"
    "give_turn(lane);\n        MBARRIER_WAIT(RAW(room, (u32)walk.slot), walk.parity);" "give_turn(lane);")
tf32_mutant("A of the next step is not waited for" result "${plain}"
    "{\n                MBARRIER_WAIT(RAW(room, (u32)walk.slot), walk.parity);" "{")
tf32_mutant("phases do not change" result "${plain}" "walk->parity ^= 1;" " ")
tf32_mutant("a stage is given back while its products run" result "${plain}"
    "            await_products(d, &other);\n            WARP_BARRIER();\n            if (ARRIVES(lane % 32 == 0))\n                MBARRIER_ARRIVE(FREE(room, (u32)slot));"
    "            if (lane % 32 == 0)\n                MBARRIER_ARRIVE(FREE(room, (u32)slot));\n            await_products(d, &other);")
tf32_mutant("a stage is split by too few warps" result "${plain}" "MBARRIER_INIT(READY(room, s), SPLITTING / 32 * WARP_ARRIVALS);"
    "MBARRIER_INIT(READY(room, s), SPLITTING / 32 - 1);")
tf32_mutant("a stage is given back by too few warps" race "${plain}" "MBARRIER_INIT(FREE(room, s), COMPUTING / 32 * WARP_ARRIVALS);"
    "MBARRIER_INIT(FREE(room, s), COMPUTING / 32 - 1);")
tf32_mutant("lanes do not wait for each other before a stage is given back" race "${plain}"
    "            WARP_BARRIER();\n            if (ARRIVES(lane % 32 == 0))\n                MBARRIER_ARRIVE(FREE"
    "            if (lane % 32 == 0)\n                MBARRIER_ARRIVE(FREE")
tf32_mutant("lanes do not wait for each other before a stage is told to be split" race "${plain}"
    "        WARP_BARRIER();\n        if (ARRIVES(lane % 32 == 0))\n            MBARRIER_ARRIVE(READY"
    "        if (lane % 32 == 0)\n            MBARRIER_ARRIVE(READY")
tf32_mutant("what was split is not made ready for the matrix units" result "${plain}" "        STORES_READY();\n" " ")
tf32_mutant("lanes turn blocks that others have not read" result "${transposed}"
    "own % 4 * 4));\n        WARP_BARRIER();" "own % 4 * 4));")
tf32_mutant("products are looked at before they are done" result "${plain}" "    PRODUCTS_WAIT();\n" " ")
tf32_mutant("low parts of A are not multiplied" result "${plain}" "    MULTIPLY(d, w->low[1], LINES_ON(high, 1), 1);\n" " ")
tf32_mutant("low parts of B are not multiplied" result "${plain}" "    MULTIPLY(d, w->high[0], low, 1);\n" " ")
tf32_mutant("sums stay in the matrix units" result "${plain}" "MULTIPLY(d, w->low[0], high, 0);" "MULTIPLY(d, w->low[0], high, 1);"
    "sums[n] += d[n];" "sums[n] = d[n];" " sums[n] = 0;" " sums[n] = d[n] = 0;")
tf32_mutant("high parts have too few bits" result "${plain}" "(AS_WORD(a) + 0x1000u) & 0xffffe000u" "AS_WORD(a) & 0xfffc0000u")
tf32_mutant("the last terms are lost" result "${plain}" "(end - walk->first + TERMS - 1) / TERMS" "(end - walk->first) / TERMS")
tf32_mutant("a column too many" result "${plain}"
    "if ((row < rows) & (column < columns) & (!cut" "if ((row < rows) & (column <= columns) & (!cut")
tf32_mutant("the last tile is lost" result "${plain}" "return rows * (i32)a.tile_columns;" "return rows * (i32)a.tile_columns - 1;")
tf32_mutant("beta = 0 reads C" result "${plain}" "beta == 0 ? alpha * sums[n] :" "0 ? alpha * sums[n] :"
    "old[n] = there && beta != 0 ?" "old[n] = there ?")
tf32_mutant("tiles that the diagonal cuts are stored whole" result "${triangle}" "cut = (TRIANGLE_C != 0) &" "cut = (TRIANGLE_C == 3) &")
tf32_mutant("the second half has the first one's factors" result "${two_products}" "exchanged ? b_map : a_map" "exchanged ? a_map : a_map")
tf32_mutant("the second half begins too late" result "${two_products}" "walk->step >= walk->steps / 2" "walk->step > walk->steps / 2")
tf32_mutant("a triangle without its diagonal" result "${lower}" "term <= diagonal :" "term < diagonal :")
tf32_mutant("a triangle ends too early" result "${lower}" "end = walk->i + ROWS < end ?" "end = walk->i + ROWS - TERMS < end ?"
    "? walk->i + ROWS : end;" "? walk->i + ROWS - TERMS : end;")
tf32_mutant("ones are not taken" result "${upper}" "if (UNIT && term == diagonal)" "if (0)")
tf32_mutant("0 x NaN stays" result "${lower}" "        recompute_nonfinite(A, B, a, terms, lane, i, j, sums);\n" " ")
hopper_table(TF32)
mutant_table(TF32 tf32)
