# geqrf_kernels.cmake: leaves of QR factorizations by one cluster as plain C, and mutants of them.
# SPDX-License-Identifier: BSD-3-Clause
# Those of test_geqrf_cluster.c. Writes the list QR of hopper_kernels.cmake.

hopper_kernel(QR geqrf_cluster.cu 4 PREC=1 ITEMS=64 NB=8 ROWS=1)
hopper_kernel(QR geqrf_cluster.cu 4 PREC=1 ITEMS=64 NB=32 ROWS=4)
hopper_kernel(QR geqrf_cluster.cu 4 PREC=0 ITEMS=64 NB=16 ROWS=2)
hopper_kernel(QR geqrf_cluster.cu 4 PREC=2 ITEMS=64 NB=16 ROWS=2)
hopper_kernel(QR geqrf_cluster.cu 4 PREC=3 ITEMS=64 NB=8 ROWS=1)
hopper_kernel(QR geqrf_cluster.cu 4 PREC=1 ITEMS=96 NB=16 ROWS=2)

# qr_mutant(NAME CAUGHT OLD NEW)
function(qr_mutant name caught old new)
    if(PIPELINE_WITHOUT_MUTANTS)
        return()
    endif()
    kernel_mutant(QR "${name}" ${caught} geqrf_cluster.cu geqrf_cluster.cu "${old}" "${new}")
    hopper_kernel(QR ${mutant_folder}/geqrf_cluster.cu 4 PREC=1 ITEMS=64 NB=8 ROWS=1 MUTANT=${mutant_QR_count})
    mutant_keep(QR)
endfunction()
qr_mutant("sums of other groups are not waited for" result
    "    MBARRIER_WAIT(PLACE_OF(room->mbarriers) + 8 * place, (u32)(passed / 2 % 2));" "")
qr_mutant("the phase before is waited for" result "(u32)(passed / 2 % 2)" "(u32)(passed / 2 % 2) ^ 1")
qr_mutant("sums have one place" result "(PLACE)(passed % 2 * PLACE_BYTES);" "(PLACE)(passed % 2 * 0);")
qr_mutant("fewer bytes are expected than come" result "((i32)GROUPS_X + 1) * NB * (i32)sizeof(T));" "(i32)GROUPS_X * NB * (i32)sizeof(T));")
qr_mutant("the last group's sums are left out" result "if (g < (i32)GROUPS_X)\n            sums" "if (g < (i32)GROUPS_X - 1)\n            sums")
qr_mutant("groups send before others have made their mbarriers" result "    CLUSTER_WAIT();\n    ROLLED" "    ROLLED")
qr_mutant("the first warp does not wait for the group's shares" race "            top_leave(room->top, row, j);\n        BARRIER();"
    "            top_leave(room->top, row, j);")
qr_mutant("warps do not wait for the factors" race "        passed++;\n        BARRIER();\n        if (!room->safe)"
    "        passed++;\n        if (!room->safe)")
qr_mutant("columns that are not safe have no more exchanges" result "if (!room->safe) {" "if (!room->safe && 0) {")
qr_mutant("rows above the diagonal change" result "(!at_top || row_of(0, r) >= j);" "(at_top || 1);")
qr_mutant("T's products have one place" race "now = room->products + (1 - j % 2) * NB" "now = room->products + j % 2 * NB")
hopper_table(QR)
mutant_table(QR qr)
