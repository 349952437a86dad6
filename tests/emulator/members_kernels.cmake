# members_kernels.cmake: rings of many products at once (kernels/sm90, BATCH) as plain C: those of test_ring_members.c.
# SPDX-License-Identifier: BSD-3-Clause

# members_kernel(PREC TRANS_A TRANS_B SHAPE HOW_A HOW_B ALIGN_C BATCH): one form of a shape.
function(members_kernel prec trans_a trans_b shape how_a how_b align_c batch)
    set(file gemm_dmma.cu)
    if(prec EQUAL 0 OR prec EQUAL 2)
        set(file gemm_ffma.cu)
    endif()
    ring_form(MEMBERS ${file} PREC=${prec} TRANS_A=${trans_a} TRANS_B=${trans_b} ${${shape}} HOW_A=${how_a} HOW_B=${how_b}
        ALIGN_C=${align_c} BATCH=${batch})
    hopper_keep(MEMBERS)
endfunction()

set(members_0 ROWS=128 COLUMNS=32 WARP_ROWS=128 WARP_COLUMNS=32 STAGES=4 LAYERS=8)
set(members_1 ROWS=32 COLUMNS=32 WARP_ROWS=32 WARP_COLUMNS=16 STAGES=8 LAYERS=4)
set(members_2 ROWS=64 COLUMNS=32 WARP_ROWS=64 WARP_COLUMNS=32 STAGES=4 LAYERS=8)
set(members_3 ROWS=32 COLUMNS=32 WARP_ROWS=32 WARP_COLUMNS=16 STAGES=8 LAYERS=4)
foreach(prec 0 1 2 3)
    math(EXPR other "1 + ${prec} / 2") # the conjugate transpose where there is one
    math(EXPR odd "1 + ${prec} / 2")   # elements, or halves of them
    math(EXPR real "4 + 4 * (${prec} % 2)")
    foreach(trans "0;0" "${other};0" "0;1" "${other};1")
        list(GET trans 0 turned_a)
        list(GET trans 1 turned_b)
        math(EXPR panels_a "3 * (1 - (${turned_a} + 1) / 2)") # sizes that no panel is cut by
        math(EXPR panels_b "3 * ${turned_b}")
        members_kernel(${prec} ${trans} members_${prec} 0 0 16 1)
        if(panels_a OR panels_b)
            members_kernel(${prec} ${trans} members_${prec} ${panels_a} ${panels_b} 16 1)
        endif()
        members_kernel(${prec} ${trans} members_${prec} ${odd} ${odd} ${real} 1)
        members_kernel(${prec} ${trans} members_${prec} 4 4 ${real} 2)
    endforeach()
    members_kernel(${prec} 0 0 members_${prec} 0 ${odd} 16 1) # only the members of B stand so
endforeach()
# Other shapes: skewed, two layers that swap halves, two groups per unit.
set(members_large ROWS=128 COLUMNS=128 WARP_ROWS=64 WARP_COLUMNS=32 STAGES=6 SKEW=4)
set(members_double ROWS=128 COLUMNS=64 WARP_ROWS=64 WARP_COLUMNS=32 STAGES=6 LAYERS=2)
set(members_pair ROWS=128 COLUMNS=128 WARP_ROWS=128 WARP_COLUMNS=32 STAGES=3 MIN_GROUPS=2 ITEMS=256)
foreach(shape large double)
    members_kernel(1 0 0 members_${shape} 0 0 16 1)
    members_kernel(1 0 0 members_${shape} 4 4 8 2)
endforeach()
members_kernel(0 0 0 members_pair 0 0 16 1)
hopper_table(MEMBERS)
