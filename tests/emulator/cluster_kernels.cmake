# cluster_kernels.cmake: leaves of factorizations by one cluster as plain C, and mutants of them.
# SPDX-License-Identifier: BSD-3-Clause
# Those of test_geqrf_cluster.c. Writes the list CLUSTER of hopper_kernels.cmake.

set(cluster_file ${CMAKE_SOURCE_DIR}/kernels/sm90/geqrf_cluster.cu)
hopper_kernel(CLUSTER ${cluster_file} 4 PREC=1 ITEMS=64 NB=8 ROWS=1)
hopper_kernel(CLUSTER ${cluster_file} 4 PREC=1 ITEMS=64 NB=32 ROWS=4)
hopper_kernel(CLUSTER ${cluster_file} 4 PREC=0 ITEMS=64 NB=16 ROWS=2)
hopper_kernel(CLUSTER ${cluster_file} 4 PREC=2 ITEMS=64 NB=16 ROWS=2)
hopper_kernel(CLUSTER ${cluster_file} 4 PREC=3 ITEMS=64 NB=8 ROWS=1)
hopper_kernel(CLUSTER ${cluster_file} 4 PREC=1 ITEMS=96 NB=16 ROWS=2)

# cluster_mutant(NAME CAUGHT OLD NEW)
function(cluster_mutant name caught old new)
    if(PIPELINE_WITHOUT_MUTANTS)
        return()
    endif()
    kernel_mutant(CLUSTER "${name}" ${caught} geqrf_cluster.cu geqrf_cluster.cu "${old}" "${new}")
    hopper_kernel(CLUSTER ${mutant_folder}/geqrf_cluster.cu 4 PREC=1 ITEMS=64 NB=8 ROWS=1 MUTANT=${mutant_CLUSTER_count})
    mutant_keep(CLUSTER)
endfunction()
cluster_mutant("sums of other groups are not waited for" result
    "    MBARRIER_WAIT(PLACE_OF(room->mbarriers) + 8 * place, (u32)(passed / 2 % 2));" "")
cluster_mutant("the phase before is waited for" result "(u32)(passed / 2 % 2)" "(u32)(passed / 2 % 2) ^ 1")
cluster_mutant("sums have one place" result "(PLACE)(passed % 2 * PLACE_BYTES);" "(PLACE)(passed % 2 * 0);")
cluster_mutant("fewer bytes are expected than come" result "((i32)GROUPS_X + 1) * NB * (i32)sizeof(T));" "(i32)GROUPS_X * NB * (i32)sizeof(T));")
cluster_mutant("the last group's sums are left out" result "if (g < (i32)GROUPS_X)\n            sums" "if (g < (i32)GROUPS_X - 1)\n            sums")
cluster_mutant("groups send before others have made their mbarriers" result "    CLUSTER_WAIT();\n    ROLLED" "    ROLLED")
cluster_mutant("the first warp does not wait for the group's shares" race "            top_leave(room->top, row, j);\n        BARRIER();"
    "            top_leave(room->top, row, j);")
cluster_mutant("warps do not wait for the factors" race "        passed++;\n        BARRIER();\n        if (!room->safe)"
    "        passed++;\n        if (!room->safe)")
cluster_mutant("columns that are not safe have no more exchanges" result "if (!room->safe) {" "if (!room->safe && 0) {")
cluster_mutant("rows above the diagonal change" result "(!at_top || row_of(0, r) >= j);" "(at_top || 1);")
cluster_mutant("T's products have one place" race "now = room->products + (1 - j % 2) * NB" "now = room->products + j % 2 * NB")
hopper_table(CLUSTER)
mutant_table(CLUSTER cluster)
