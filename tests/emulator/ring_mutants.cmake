# ring_mutants.cmake: forms of the kernels of gemm_ring.cuh with small tiles, as plain C; mutants of them and of gemm_tf32.cu.
# SPDX-License-Identifier: BSD-3-Clause
# Those of test_ring_mutants.c and test_gemm_tf32.c. Writes the lists FORMS and TF32 of hopper_kernels.cmake, and lists of mutants.

# ring(FILE PREC TRANS_A TRANS_B PART ZEROS UNIT ROWS COLUMNS WARP_ROWS WARP_COLUMNS STAGES LAYERS CLUSTER SKEW HOW_A HOW_B
# ALIGN_C TWICE SIZES NAME=VALUE...): a kernel of gemm_ring.cuh.
macro(ring file prec trans_a trans_b part zeros unit rows columns warp_rows warp_columns stages layers cluster skew how_a
        how_b align_c twice sizes)
    math(EXPR items "32 * (${rows} / ${warp_rows}) * (${columns} / ${warp_columns}) * ${layers} + 128")
    ring_form(FORMS ${ring_folder}/${file} PREC=${prec} TRANS_A=${trans_a} TRANS_B=${trans_b} PART=${part} ZEROS=${zeros}
        UNIT=${unit} ROWS=${rows} COLUMNS=${columns} WARP_ROWS=${warp_rows} WARP_COLUMNS=${warp_columns} STAGES=${stages}
        LAYERS=${layers} CLUSTER=${cluster} SKEW=${skew} HOW_A=${how_a} HOW_B=${how_b} ALIGN_C=${align_c} TWICE=${twice}
        SIZES=${sizes} ITEMS=${items} ${ARGN})
endmacro()
set(ring_folder ${CMAKE_SOURCE_DIR}/kernels/sm90)
# All transposes, by boxes and by elements; the other forms once each.
ring(gemm_dmma.cu 1 0 0 0 0 0 64 32 32 16 3 1 1 0 0 0 16 0 0)
ring(gemm_dmma.cu 1 1 0 0 0 0 64 32 32 16 3 1 1 0 0 0 16 0 0)
ring(gemm_dmma.cu 1 0 1 0 0 0 64 32 32 16 3 1 1 0 0 0 8 0 0)
ring(gemm_dmma.cu 1 1 1 0 0 0 64 32 32 16 3 1 1 0 0 0 16 0 0)
ring(gemm_dmma.cu 1 0 0 0 0 0 64 32 32 16 3 1 1 0 1 0 8 0 0)
ring(gemm_dmma.cu 1 1 0 0 0 0 64 32 32 16 3 1 1 0 0 1 8 0 0)
ring(gemm_dmma.cu 1 1 1 0 0 0 64 32 32 16 3 1 1 0 1 1 8 0 0)
ring(gemm_dmma.cu 1 0 1 0 0 0 64 32 32 16 3 1 1 0 1 1 8 0 0)
ring(gemm_dmma.cu 1 0 0 0 0 0 128 128 64 32 4 1 1 2 0 0 16 0 0) # skewed
ring(gemm_dmma.cu 1 0 0 0 0 0 64 32 32 16 4 2 1 0 0 0 16 0 0)   # layers
ring(gemm_dmma.cu 1 1 0 0 0 0 32 32 32 16 3 1 2 0 0 0 16 0 0)   # clusters
ring(gemm_dmma.cu 1 0 1 0 0 0 64 32 32 16 4 2 2 0 0 0 16 0 0)
ring(gemm_dmma.cu 1 0 1 1 0 0 32 64 32 16 3 1 1 0 0 0 16 0 0)   # triangles of C
ring(gemm_dmma.cu 1 1 0 2 0 0 64 32 32 16 3 1 1 0 0 0 8 0 0)
ring(gemm_dmma.cu 1 0 0 0 1 0 64 32 32 16 3 1 1 0 0 0 16 0 0)   # triangular factors
ring(gemm_dmma.cu 1 1 0 0 2 1 64 32 32 16 3 1 1 0 0 0 16 0 0)
ring(gemm_dmma.cu 1 0 0 0 3 1 64 32 32 16 3 1 1 0 0 0 16 0 0)
ring(gemm_dmma.cu 1 0 1 0 4 0 64 32 32 16 4 2 1 0 0 1 8 0 0)
ring(gemm_dmma.cu 1 0 1 2 0 0 64 32 32 16 3 1 1 0 0 0 16 1 0)   # both halves of syr2k
ring(gemm_dmma.cu 1 1 0 0 0 0 64 32 32 16 3 1 1 0 0 0 16 0 1)   # sizes in memory
ring(gemm_dmma.cu 1 0 1 0 0 0 64 32 32 16 3 1 1 0 1 0 8 0 1)
ring(gemm_dmma.cu 1 0 0 0 0 0 64 32 32 16 3 1 1 0 3 0 16 0 0)   # panels by one box
ring(gemm_dmma.cu 1 0 1 0 0 0 64 32 32 16 3 1 1 0 3 3 16 0 0)
ring(gemm_dmma.cu 1 1 1 0 0 0 64 32 32 16 3 1 1 0 1 3 16 0 0)
ring(gemm_dmma.cu 1 0 1 2 0 0 64 32 32 16 3 1 1 0 3 3 16 1 0)
ring(gemm_dmma.cu 1 0 0 0 2 1 64 32 32 16 3 1 1 0 3 0 16 0 0)
ring(gemm_dmma.cu 3 0 0 0 0 0 64 32 32 16 3 1 1 0 0 0 16 0 0)   # complex
ring(gemm_dmma.cu 3 2 0 0 0 0 64 32 32 16 3 1 1 0 0 2 8 0 0)
ring(gemm_dmma.cu 3 0 2 0 0 0 64 32 32 16 3 1 1 0 3 3 16 0 0)
ring(gemm_dmma.cu 3 2 1 0 0 0 64 32 32 16 4 2 1 0 0 0 16 0 0)
ring(gemm_dmma.cu 3 1 0 0 0 0 64 32 32 16 3 1 2 0 0 0 16 0 0)
ring(gemm_dmma.cu 3 0 0 0 2 1 64 32 32 16 3 1 1 0 0 0 16 0 0)
ring(gemm_dmma.cu 3 0 1 1 0 0 64 32 32 16 3 1 1 0 0 0 16 1 0)
ring(gemm_dmma.cu 3 0 0 0 0 0 64 32 32 16 3 1 1 0 0 0 16 0 1)
ring(gemm_dmma.cu 1 0 0 0 0 0 64 64 32 32 3 1 1 0 0 0 16 0 0 THROUGH=1) # C through local memory
ring(gemm_dmma.cu 1 1 0 0 0 0 64 64 32 32 3 1 1 0 0 0 16 0 0 THROUGH=2)
ring(gemm_dmma.cu 1 0 1 2 0 0 64 64 32 32 3 1 1 0 0 0 16 0 0 THROUGH=1)
ring(gemm_dmma.cu 1 1 1 0 0 0 64 32 32 16 3 1 1 0 0 3 16 0 0 THROUGH=2)
ring(gemm_dmma.cu 1 0 1 1 0 0 64 64 32 32 3 1 1 0 3 3 16 1 0 THROUGH=2)
ring(gemm_dmma.cu 3 0 2 0 0 0 64 64 32 32 3 1 1 0 0 0 16 0 0 THROUGH=1)
ring(gemm_dmma.cu 1 0 0 0 0 0 64 32 32 16 3 1 1 0 0 0 16 0 0 BATCH=1) # many products at once
ring(gemm_dmma.cu 1 1 0 0 0 0 64 32 32 16 3 1 1 0 1 0 8 0 0 BATCH=1)
ring(gemm_dmma.cu 1 0 1 0 0 0 64 32 32 16 3 1 1 0 3 3 16 0 0 BATCH=1)
ring(gemm_dmma.cu 1 0 0 0 0 0 64 32 32 16 3 1 1 0 4 4 8 0 0 BATCH=2)
ring(gemm_dmma.cu 3 1 2 0 0 0 64 32 32 16 3 1 1 0 4 4 8 0 0 BATCH=2)
# The same in single precision, real and complex.
ring(gemm_ffma.cu 0 0 0 0 0 0 128 64 128 32 3 1 1 0 0 0 16 0 0)
ring(gemm_ffma.cu 0 1 0 0 0 0 128 64 128 32 3 1 1 0 0 0 16 0 0)
ring(gemm_ffma.cu 0 0 1 0 0 0 128 32 128 32 3 1 1 0 0 0 4 0 0)
ring(gemm_ffma.cu 0 1 1 0 0 0 128 64 128 32 3 1 1 0 1 1 4 0 0)
ring(gemm_ffma.cu 0 0 0 0 0 0 128 64 128 32 3 2 2 0 1 0 16 0 0)
ring(gemm_ffma.cu 0 1 0 2 0 0 128 64 128 32 3 2 1 0 0 0 16 0 0)
ring(gemm_ffma.cu 0 1 0 0 2 1 128 64 128 32 3 1 1 0 0 0 16 0 0)
ring(gemm_ffma.cu 0 0 1 1 0 0 128 64 128 32 3 1 1 0 0 0 16 1 0)
ring(gemm_ffma.cu 0 0 0 0 0 0 128 64 128 32 3 1 1 0 0 1 16 0 1)
ring(gemm_ffma.cu 0 0 1 0 0 0 128 64 128 32 3 1 1 0 3 3 16 0 0)
ring(gemm_ffma.cu 2 0 2 0 0 0 64 64 64 32 3 1 1 0 3 3 16 0 0)
ring(gemm_ffma.cu 2 0 0 0 0 0 64 64 64 32 3 1 1 0 0 0 16 0 0)
ring(gemm_ffma.cu 2 2 0 0 0 0 64 64 64 32 3 1 1 0 0 0 16 0 0)
ring(gemm_ffma.cu 2 0 2 0 0 0 64 32 64 32 3 1 1 0 1 1 8 0 0)
ring(gemm_ffma.cu 2 1 2 0 0 0 64 64 64 32 3 1 1 0 2 2 4 0 0) # halves of elements
ring(gemm_ffma.cu 2 0 0 0 4 1 64 64 64 32 3 2 1 0 0 2 8 0 0)
ring(gemm_ffma.cu 2 0 0 0 1 0 64 64 64 32 3 2 2 0 0 0 16 0 0)
ring(gemm_ffma.cu 0 0 0 0 0 0 128 64 128 32 3 1 1 0 0 0 16 0 0 THROUGH=1) # C through local memory
ring(gemm_ffma.cu 0 1 0 0 0 0 128 64 128 32 3 1 1 0 0 0 16 0 0 THROUGH=2)
ring(gemm_ffma.cu 0 0 1 2 0 0 128 64 128 32 3 1 1 0 0 0 16 0 0 THROUGH=2)
ring(gemm_ffma.cu 2 0 0 0 0 0 64 32 64 32 3 1 1 0 0 0 16 0 0 THROUGH=1)
ring(gemm_ffma.cu 2 0 2 1 0 0 64 64 64 32 3 1 1 0 3 3 16 0 0 THROUGH=2)
# All lanes arrive: for racecheck.
ring(gemm_dmma.cu 1 0 0 0 0 0 64 32 32 16 3 1 1 0 1 1 8 0 0 LANES_ARRIVE=1)
ring(gemm_dmma.cu 1 0 0 0 0 0 64 32 32 16 4 2 1 0 0 0 16 0 0 LANES_ARRIVE=1)
ring(gemm_dmma.cu 1 0 0 0 0 0 64 64 32 32 3 1 1 0 0 0 16 0 0 THROUGH=1 LANES_ARRIVE=1)
ring(gemm_ffma.cu 0 1 0 0 0 0 128 64 128 32 3 1 1 0 0 0 16 0 0 LANES_ARRIVE=1)
ring(gemm_ffma.cu 0 1 0 0 0 0 128 64 128 32 3 1 1 0 0 0 16 0 0 THROUGH=2 LANES_ARRIVE=1)

# ---- Mutants ----

# Whether tests see what is wrong is asked in builds without sanitizers, with gcc.
set(RING_WITHOUT_MUTANTS FALSE)
if(GABLE_TESTS_SHORT OR GABLE_WARNINGS_ONLY)
    set(RING_WITHOUT_MUTANTS TRUE)
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
"/* Generated by ring_mutants.cmake. */
#include <stddef.h>
#include \"hopper_mutants.h\"

const hopper_mutant ${name}_mutants[] = {
${mutant_${list}_text}    {NULL, NULL},
};
" @ONLY)
endfunction()

# ---- Mutants of rings ----

# ring_mutant(NAME CAUGHT FILE OLD NEW ARGUMENTS_OF_RING...)
function(ring_mutant name caught file old new core)
    if(RING_WITHOUT_MUTANTS)
        return()
    endif()
    kernel_mutant(FORMS "${name}" ${caught} "${core};gemm_ring.cuh;gemm_tiles.cuh;gemm_members.cuh;gemm_through.cuh;gemm_dmma_end.cuh;gemm_ffma_end.cuh"
        ${file} "${old}" "${new}")
    set(ring_folder ${mutant_folder})
    ring(${core} ${ARGN} MUTANT=${mutant_FORMS_count})
    mutant_keep(FORMS)
endfunction()
set(plain gemm_dmma.cu 1 0 0 0 0 0 64 32 32 16 3 1 1 0 0 0 16 0 0)
set(elements gemm_dmma.cu 1 1 1 0 0 0 64 32 32 16 3 1 1 0 1 1 8 0 0)
set(layers gemm_dmma.cu 1 0 0 0 0 0 64 32 32 16 4 2 1 0 0 0 16 0 0)
set(clusters gemm_dmma.cu 1 1 0 0 0 0 32 32 32 16 3 1 2 0 0 0 16 0 0)
set(triangle gemm_dmma.cu 1 1 0 2 0 0 64 32 32 16 3 1 1 0 0 0 8 0 0)
set(factor gemm_dmma.cu 1 0 0 0 1 0 64 32 32 16 3 1 1 0 0 0 16 0 0)
set(unit gemm_dmma.cu 1 1 0 0 2 1 64 32 32 16 3 1 1 0 0 0 16 0 0)
set(twice gemm_dmma.cu 1 0 1 2 0 0 64 32 32 16 3 1 1 0 0 0 16 1 0)
set(sizes gemm_dmma.cu 1 1 0 0 0 0 64 32 32 16 3 1 1 0 0 0 16 0 1)
ring_mutant("an empty stage is not waited for" result gemm_ring.cuh
    "SIGNAL_AWAIT(r.empty + 8 * s, (lap - 1) & 1);" "(void)0;" ${plain})
ring_mutant("the wrong phase of an empty stage" result gemm_ring.cuh "(lap - 1) & 1" "lap & 1" ${plain})
ring_mutant("a full stage is not waited for" result gemm_dmma.cu
    "SIGNAL_AWAIT(r.full + 8 * at->s, at->parity);" "(void)0;" ${plain})
ring_mutant("the first stage is not waited for" result gemm_dmma.cu
    "SIGNAL_AWAIT(r.full + 8 * at.s, at.parity);" "(void)0;" ${elements})
ring_mutant("phases do not change" result gemm_dmma.cu "at->parity ^= 1;" "" ${plain})
ring_mutant("lanes do not wait for each other before a stage is given back" race gemm_dmma.cu
    "    BUNDLE_BARRIER();\n    if (ARRIVES(lane == 0))\n        SIGNAL_ARRIVE" "    if (lane == 0)\n        SIGNAL_ARRIVE" ${plain})
ring_mutant("a stage is given back by too few warps" result gemm_ring.cuh
    "SIGNAL_INIT(r.empty + 8 * s, EMPTY_COUNT);" "SIGNAL_INIT(r.empty + 8 * s, EMPTY_COUNT - 1);" ${plain})
ring_mutant("one term too many" result gemm_ring.cuh "(term < terms_left)" "(term <= terms_left)" ${elements})
ring_mutant("a column too many" result gemm_ring.cuh "j >= (i32)a.n || !gemm_wanted" "j > (i32)a.n || !gemm_wanted"
    ${elements})
ring_mutant("whole blocks at the last row" result gemm_dmma_end.cuh "i + BLOCK_ROWS * blocks <= a.m" "i <= a.m" ${plain})
ring_mutant("the last tile is lost" result gemm_tiles.cuh "(whole + size - 1) / size" "whole / size" ${plain})
ring_mutant("alpha = 0 reads A and B" result gemm_ring.cuh "if (T_is_zero(alpha))" "if (T_is_zero(alpha) && 0)" ${plain})
ring_mutant("a triangle without its diagonal" result gemm_ring.cuh "beyond <= 0 :" "beyond < 0 :" ${factor})
ring_mutant("a triangle read too far" result gemm_ring.cuh "beyond <= 0 :" "beyond <= 1 :" ${factor})
ring_mutant("0 x Inf stays" result gemm_dmma.cu "if (!all_finite(&sums, blocks))" "if (!all_finite(&sums, blocks) && 0)" ${factor})
ring_mutant("the mended sum lacks its diagonal" result gemm_ring.cuh "MINIMUM(on + 1, a.k)" "MINIMUM(on, a.k)" ${factor})
ring_mutant("ones are not stored" result gemm_ring.cuh "given && beyond == 0" "given && beyond == 100000" ${unit})
ring_mutant("ones are not waited for" race gemm_ring.cuh
    "#if ZEROS && UNIT\n    SIGNAL_ARRIVE(full);" "#if ZEROS && UNIT\n    if (lane == 0) for (i32 i = 0; i < PRODUCERS; i++) SIGNAL_ARRIVE(full);"
    ${unit})
ring_mutant("layers do not wait before they swap" race gemm_dmma_end.cuh
    "    BARRIER_OF(1, COMPUTERS);\n    UNROLLED\n    for (i32 m = 0; m < half; m++) {\n        UNROLLED\n        for (i32 n = 0; n < NT; n++) {\n            UNROLLED\n            for (i32 e = 0; e < 2; e++) {\n                const PLACE at"
    "    UNROLLED\n    for (i32 m = 0; m < half; m++) {\n        UNROLLED\n        for (i32 n = 0; n < NT; n++) {\n            UNROLLED\n            for (i32 e = 0; e < 2; e++) {\n                const PLACE at"
    ${layers})
ring_mutant("sums of a part of the cluster" result gemm_dmma_end.cuh "count = layers ? LAYERS : CLUSTER;" "count = layers ? LAYERS : CLUSTER - 1;"
    ${clusters})
ring_mutant("groups do not wait for each other's sums" result gemm_dmma_end.cuh
    "    BUNDLE_BARRIER();\n    CLUSTER_BARRIER();" "    BUNDLE_BARRIER();" ${clusters})
ring_mutant("tiles that the diagonal cuts are stored whole" result gemm_ring.cuh "!gemm_wanted(i, j))" "0)" ${triangle})
ring_mutant("the second half has the first one's operands" result gemm_ring.cuh
    "rows = {B, a.ldb, (i32)a.m}, columns = {A, a.lda, (i32)a.n}" "rows = {A, a.lda, (i32)a.m}, columns = {B, a.ldb, (i32)a.n}"
    gemm_dmma.cu 1 0 1 2 0 0 64 32 32 16 3 1 1 0 1 1 16 1 0)
ring_mutant("the second half begins too late" result gemm_ring.cuh "step >= steps.half" "step > steps.half" ${twice})
ring_mutant("k is the call's" result gemm_ring.cuh "    a.k = sizes[2];\n" "" ${sizes})
set(through gemm_dmma.cu 1 0 0 0 0 0 64 64 32 32 3 1 1 0 0 0 16 0 0 THROUGH=1)
set(twofold gemm_dmma.cu 1 0 0 0 0 0 64 64 32 32 3 1 1 0 0 0 16 0 0 THROUGH=2)
set(cut gemm_dmma.cu 1 0 1 2 0 0 64 64 32 32 3 1 1 0 0 0 16 0 0 THROUGH=1)
ring_mutant("a buffer of C is not waited for" result gemm_through.cuh
    "SIGNAL_AWAIT(r.given + kept_signal(use, part), kept_parity(use));" "(void)r, (void)use, (void)part;" ${through})
ring_mutant("a buffer of C is sent before it is written" result gemm_through.cuh
    "SIGNAL_AWAIT(r.taken + kept_signal(use, part), kept_parity(use));" "(void)0;" ${through})
ring_mutant("a buffer of C is sent when some warps have written it" result gemm_ring.cuh
    "SIGNAL_INIT(r.taken + 8 * b, WARPS * BUNDLE_ARRIVALS);" "SIGNAL_INIT(r.taken + 8 * b, WARPS - 1);" ${twofold})
ring_mutant("another part of a buffer of C is waited for before one is sent" result gemm_through.cuh
    "SIGNAL_AWAIT(r.taken + kept_signal(use, part), kept_parity(use));" "SIGNAL_AWAIT(r.taken + kept_signal(use, 0), kept_parity(use));"
    ${through})
ring_mutant("the first part of a buffer of C is waited for, not the second" result gemm_dmma_end.cuh "kept_await(r, use, part);"
    "kept_await(r, use, 0);" ${through})
ring_mutant("parts of a buffer of C share columns" result gemm_through.cuh
    "SIGNAL_EXPECT(given, KEPT_BYTES / KEPT_PARTS);\n    ROLLED\n    for (i32 column = part * KEPT_COLUMNS;"
    "SIGNAL_EXPECT(given, KEPT_BYTES / KEPT_PARTS);\n    ROLLED\n    for (i32 column = 0;" ${through})
ring_mutant("a buffer of C is filled again before it was read" result gemm_through.cuh
    "OUT_READ_AWAIT(0);" "" ${twofold})
ring_mutant("a group ends before its last buffer was read" result gemm_through.cuh "OUT_AWAIT(0);" "" ${through})
ring_mutant("the wrong phase of a buffer of C" result gemm_through.cuh
    "return (u32)(use / THROUGH) & 1;" "return (u32)(use / THROUGH + 1) & 1;" ${twofold})
ring_mutant("buffers of C are sent in the wrong order" result gemm_through.cuh
    "keep_send(r, map_c, kept[0], use - THROUGH, part);" "keep_send(r, map_c, kept[THROUGH - 1], use - THROUGH, part);" ${twofold})
ring_mutant("the last buffer of C is lost" result gemm_through.cuh "x < THROUGH; x++) {\n        ROLLED" "x < THROUGH - 1; x++) {\n        ROLLED"
    ${twofold})
ring_mutant("tiles that the diagonal cuts go through local memory" result gemm_through.cuh
    "        if (ring_stored(a, tile))\n            continue;\n" "" ${cut})
ring_mutant("the copy engine ends C within 16 bytes" result gemm_tiles.cuh "(a.m % each != 0)" "(a.m % each < 0)" ${through})
ring_mutant("only computing work-items pass over the end of C" result gemm_through.cuh "if (ring_stored(a, tile))" "if (ring_cut(tile))" ${through})
ring_mutant("lanes do not wait for each other before a buffer of C is sent" race gemm_through.cuh
    "    BUNDLE_BARRIER();\n" "" ${through})
set(plain gemm_ffma.cu 0 0 0 0 0 0 128 64 128 32 3 1 1 0 0 0 16 0 0)
set(layers gemm_ffma.cu 0 1 0 0 0 0 128 64 128 32 3 2 1 0 0 0 16 0 0)
set(complex gemm_ffma.cu 2 2 0 0 0 0 64 64 64 32 3 1 1 0 0 0 16 0 0)
set(halves gemm_ffma.cu 2 1 2 0 0 0 64 64 64 32 3 1 1 0 2 2 4 0 0)
ring_mutant("single: the next stage is not waited for" result gemm_ffma.cu
    "SIGNAL_AWAIT(r.full + 8 * at->s, at->parity);" "" ${plain})
ring_mutant("single: phases do not change" result gemm_ffma.cu "at->parity ^= 1;" "" ${plain})
ring_mutant("single: lanes do not wait for each other before a stage is given back" race gemm_ffma.cu
    "    BUNDLE_BARRIER();\n    if (ARRIVES(LANE_X % 32 == 0))" "    if (LANE_X % 32 == 0)" ${plain})
ring_mutant("single: layers give the half that they keep" result gemm_ffma_end.cuh
    "away[x] = upper ? sums->SUM(e + x) : sums->SUM(half * TM + e + x);" "away[x] = upper ? sums->SUM(half * TM + e + x) : sums->SUM(e + x);"
    ${layers})
ring_mutant("single: layers read before others wrote" race gemm_ffma_end.cuh
    "        BARRIER_OF(1, COMPUTERS);\n        UNROLLED\n        for (i32 e = 0; e < half * TM; e += CHUNK) {\n            T others"
    "        UNROLLED\n        for (i32 e = 0; e < half * TM; e += CHUNK) {\n            T others" ${layers})
ring_mutant("single: lanes exchange columns in a buffer of C" result gemm_ffma_end.cuh
    "PLACE_XOR(first, COLUMN_BITS(bits))" "PLACE_XOR(first, COLUMN_BITS(bits ^ 1))"
    gemm_ffma.cu 0 0 0 0 0 0 128 64 128 32 3 1 1 0 0 0 16 0 0 THROUGH=1)
ring_mutant("single: the first part of a buffer of C is waited for, not the second" result gemm_ffma_end.cuh "kept_await(r, use, part);"
    "kept_await(r, use, 0);" gemm_ffma.cu 0 0 0 0 0 0 128 64 128 32 3 1 1 0 0 0 16 0 0 THROUGH=1)
ring_mutant("complex: A is not conjugated" result gemm_ffma.cu "T_fma(gemm_a(a[r][t])" "T_fma((a[r][t])" ${complex})
ring_mutant("complex: second halves are the first" result gemm_ring.cuh "(GLOBAL const R *)from + 1, bytes" "(GLOBAL const R *)from, bytes"
    ${halves})
ring_mutant("all lanes arrive, but one is counted when a stage is empty" result gemm_ring.cuh "STEP_LAYERS * BUNDLE_ARRIVALS)" "STEP_LAYERS)"
    gemm_dmma.cu 1 0 0 0 0 0 64 32 32 16 3 1 1 0 1 1 8 0 0 LANES_ARRIVE=1)
ring_mutant("all lanes arrive, but one is counted when a stage is turned" result gemm_ring.cuh "TURNERS * BUNDLE_ARRIVALS" "TURNERS"
    gemm_ffma.cu 0 1 0 0 0 0 128 64 128 32 3 1 1 0 0 0 16 0 0 LANES_ARRIVE=1)
ring_mutant("all lanes arrive, but one is counted when a buffer of C is written" result gemm_ring.cuh "WARPS * BUNDLE_ARRIVALS)" "WARPS)"
    gemm_dmma.cu 1 0 0 0 0 0 64 64 32 32 3 1 1 0 0 0 16 0 0 THROUGH=1 LANES_ARRIVE=1)
set(strided gemm_dmma.cu 1 0 0 0 0 0 64 32 32 16 3 1 1 0 0 0 16 0 0 BATCH=1)
set(addresses gemm_dmma.cu 1 0 0 0 0 0 64 32 32 16 3 1 1 0 4 4 8 0 0 BATCH=2)
ring_mutant("the last member is lost" result gemm_tiles.cuh "grid.tiles * (i32)a.batch" "grid.tiles * ((i32)a.batch - 1)" ${strided})
ring_mutant("all members are stored as the first" result gemm_tiles.cuh "member_start(C, (tile).member," "member_start(C, 0," ${strided})
ring_mutant("B has the members of C" result gemm_ring.cuh "a.n, a.stride_b, a, tile" "a.n, a.stride_c, a, tile"
    gemm_dmma.cu 1 0 0 0 0 0 64 32 32 16 3 1 1 0 1 1 8 0 0 BATCH=1)
ring_mutant("boxes of the next member" result gemm_members.cuh "stride > 0 ? tile.member :" "stride > 0 ? tile.member + 1 :" ${strided})
ring_mutant("B is read at the addresses of A" result gemm_ring.cuh "member_factor(B," "member_factor(((void)B, A)," ${addresses})
ring_mutant("16 bytes from any address" result gemm_members.cuh "starts % 16 == 0 ? 0" "starts % 8 == 0 ? 0" ${addresses})
ring_mutant("16 bytes behind the last row" result gemm_members.cuh "MINIMUM(left, each)" "each" ${addresses})
hopper_table(FORMS)
mutant_table(FORMS ring)

# ---- Mutants of products of TF32 numbers ----

# tf32_mutant(NAME CAUGHT "ARGUMENTS_OF_TF32_KERNEL" OLD NEW...): no NEW is empty: cmake would lose it.
function(tf32_mutant name caught form)
    if(RING_WITHOUT_MUTANTS)
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
set(turned 64 3 4 0 1 0 0 0 0 0) # B lies along its columns
set(triangle 64 3 4 0 1 2 0 0 0 0)
set(twice 64 3 4 0 1 1 0 0 1 0)
set(lower 64 3 4 0 0 0 1 0 0 0)
set(upper 64 3 4 0 1 0 4 1 0 0)
tf32_mutant("an empty stage is not waited for" result "${plain}"
    "SIGNAL_AWAIT(FREE(room, (u32)ahead.slot), ahead.parity ^ 1);" "(void)0;")
tf32_mutant("the wrong phase of an empty stage" result "${plain}" "ahead.parity ^ 1" "ahead.parity")
tf32_mutant("B is split before it is there" result "${plain}" "SIGNAL_AWAIT(RAW(room, (u32)now.slot), now.parity);" " ")
tf32_mutant("products do not wait for the split" result "${plain}" "SIGNAL_AWAIT(READY(room, (u32)slot), walk.parity);" " ")
tf32_mutant("A of the first step is not waited for" result "${plain}"
    "give_turn(lane);\n        SIGNAL_AWAIT(RAW(room, (u32)walk.slot), walk.parity);" "give_turn(lane);")
tf32_mutant("A of the next step is not waited for" result "${plain}"
    "{\n                SIGNAL_AWAIT(RAW(room, (u32)walk.slot), walk.parity);" "{")
tf32_mutant("phases do not change" result "${plain}" "walk->parity ^= 1;" " ")
tf32_mutant("a stage is given back while its products run" result "${plain}"
    "            await_products(d, &other);\n            BUNDLE_BARRIER();\n            if (ARRIVES(lane % 32 == 0))\n                SIGNAL_ARRIVE(FREE(room, (u32)slot));"
    "            if (lane % 32 == 0)\n                SIGNAL_ARRIVE(FREE(room, (u32)slot));\n            await_products(d, &other);")
tf32_mutant("a stage is split by too few warps" result "${plain}" "SIGNAL_INIT(READY(room, s), SPLITTING / 32 * BUNDLE_ARRIVALS);"
    "SIGNAL_INIT(READY(room, s), SPLITTING / 32 - 1);")
tf32_mutant("a stage is given back by too few warps" race "${plain}" "SIGNAL_INIT(FREE(room, s), COMPUTING / 32 * BUNDLE_ARRIVALS);"
    "SIGNAL_INIT(FREE(room, s), COMPUTING / 32 - 1);")
tf32_mutant("lanes do not wait for each other before a stage is given back" race "${plain}"
    "            BUNDLE_BARRIER();\n            if (ARRIVES(lane % 32 == 0))\n                SIGNAL_ARRIVE(FREE"
    "            if (lane % 32 == 0)\n                SIGNAL_ARRIVE(FREE")
tf32_mutant("lanes do not wait for each other before a stage is told to be split" race "${plain}"
    "        BUNDLE_BARRIER();\n        if (ARRIVES(lane % 32 == 0))\n            SIGNAL_ARRIVE(READY"
    "        if (lane % 32 == 0)\n            SIGNAL_ARRIVE(READY")
tf32_mutant("what was split is not made ready for the matrix units" result "${plain}" "        STORES_READY();\n" " ")
tf32_mutant("lanes turn blocks that others have not read" result "${turned}"
    "own % 4 * 4));\n        BUNDLE_BARRIER();" "own % 4 * 4));")
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
tf32_mutant("tiles that the diagonal cuts are stored whole" result "${triangle}" "cut = (PART != 0) &" "cut = (PART == 3) &")
tf32_mutant("the second half has the first one's factors" result "${twice}" "exchanged ? b_map : a_map" "exchanged ? a_map : a_map")
tf32_mutant("the second half begins too late" result "${twice}" "walk->step >= walk->steps / 2" "walk->step > walk->steps / 2")
tf32_mutant("a triangle without its diagonal" result "${lower}" "term <= diagonal :" "term < diagonal :")
tf32_mutant("a triangle ends too early" result "${lower}" "end = walk->i + ROWS < end ?" "end = walk->i + ROWS - TERMS < end ?"
    "? walk->i + ROWS : end;" "? walk->i + ROWS - TERMS : end;")
tf32_mutant("ones are not taken" result "${upper}" "if (UNIT && term == diagonal)" "if (0)")
tf32_mutant("0 x NaN stays" result "${lower}" "        mend_sums(A, B, a, terms, lane, i, j, sums);\n" " ")
hopper_table(TF32)
mutant_table(TF32 tf32)
