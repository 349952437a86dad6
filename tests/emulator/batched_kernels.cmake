# batched_kernels.cmake: pipelines of many products at once (kernels/sm90, BATCH) as plain C: those of test_pipeline_batched.c.
# SPDX-License-Identifier: BSD-3-Clause

# batched_kernel(PREC TRANS_A TRANS_B SHAPE LOAD_MODE_A LOAD_MODE_B ALIGN_C BATCH): one form of a shape.
function(batched_kernel prec trans_a trans_b shape load_mode_a load_mode_b align_c batch)
    set(file gemm_dmma.cu)
    if(prec EQUAL 0 OR prec EQUAL 2)
        set(file gemm_ffma.cu)
    endif()
    pipeline_form(BATCHED ${file} PREC=${prec} TRANS_A=${trans_a} TRANS_B=${trans_b} ${${shape}} LOAD_MODE_A=${load_mode_a} LOAD_MODE_B=${load_mode_b}
        ALIGN_C=${align_c} BATCH=${batch})
    hopper_keep(BATCHED)
endfunction()

set(members_0 ROWS=128 COLUMNS=32 WARP_ROWS=128 WARP_COLUMNS=32 STAGES=4 SPLIT_K=8)
set(members_1 ROWS=32 COLUMNS=32 WARP_ROWS=32 WARP_COLUMNS=16 STAGES=8 SPLIT_K=4)
set(members_2 ROWS=64 COLUMNS=32 WARP_ROWS=64 WARP_COLUMNS=32 STAGES=4 SPLIT_K=8)
set(members_3 ROWS=32 COLUMNS=32 WARP_ROWS=32 WARP_COLUMNS=16 STAGES=8 SPLIT_K=4)
foreach(prec 0 1 2 3)
    math(EXPR other "1 + ${prec} / 2") # the conjugate transpose where there is one
    math(EXPR odd "1 + ${prec} / 2")   # elements, or halves of them
    math(EXPR real "4 + 4 * (${prec} % 2)")
    foreach(trans "0;0" "${other};0" "0;1" "${other};1")
        list(GET trans 0 transposed_a)
        list(GET trans 1 transposed_b)
        math(EXPR panels_a "3 * (1 - (${transposed_a} + 1) / 2)") # sizes that no panel is cut by
        math(EXPR panels_b "3 * ${transposed_b}")
        batched_kernel(${prec} ${trans} members_${prec} 0 0 16 1)
        if(panels_a OR panels_b)
            batched_kernel(${prec} ${trans} members_${prec} ${panels_a} ${panels_b} 16 1)
        endif()
        batched_kernel(${prec} ${trans} members_${prec} ${odd} ${odd} ${real} 1)
        batched_kernel(${prec} ${trans} members_${prec} 4 4 ${real} 2)
    endforeach()
    batched_kernel(${prec} 0 0 members_${prec} 0 ${odd} 16 1) # only the batch entries of B stand so
endforeach()
# Other shapes: staggered, two slices that swap halves, two groups per unit.
set(members_large ROWS=128 COLUMNS=128 WARP_ROWS=64 WARP_COLUMNS=32 STAGES=6 STAGGER=4)
set(members_double ROWS=128 COLUMNS=64 WARP_ROWS=64 WARP_COLUMNS=32 STAGES=6 SPLIT_K=2)
set(members_pair ROWS=128 COLUMNS=128 WARP_ROWS=128 WARP_COLUMNS=32 STAGES=3 MIN_GROUPS=2 ITEMS=256)
foreach(shape large double)
    batched_kernel(1 0 0 members_${shape} 0 0 16 1)
    batched_kernel(1 0 0 members_${shape} 4 4 8 2)
endforeach()
batched_kernel(0 0 0 members_pair 0 0 16 1)
hopper_table(BATCHED)
