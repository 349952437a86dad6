#!/bin/sh
# sparse_mutants_test.sh: the tests of sparse matrices must catch small wrong kernels.
# SPDX-License-Identifier: BSD-3-Clause
#
#   sparse_mutants_test.sh KERNELS_FOLDER TEST_FOLDER
. "$(dirname "$0")/../kernel_mutants.sh"
true_kernels sparse_matrix sparse_convert

mutant sparse_convert sparse_pack.cl '(sparse_index)-1' '(sparse_index)0'
mutant sparse_convert sparse_pack.cl 'place >= a.places' 'place >= a.rows'
mutant sparse_convert sparse_pack.cl 'column[from + j] :' 'column[from] :'
mutant sparse_convert sparse_rest.cl 'e - start[row] - a.width' 'e - start[row]'
mutant sparse_convert sparse_rest.cl '(sparse_index)row' '(sparse_index)(row + 1)'
mutant sparse_convert sparse_lengths.cl '>= 0' '> 0'
mutant sparse_convert sparse_unpack.cl 'rest_value[from + j - near]' 'rest_value[from]'
mutant sparse_convert sparse_unpack.cl 'count < p.width ? count : p.width' 'p.width'
mutant sparse_convert sparse_starts.cl 'i <= here' 'i < here'
mutant sparse_convert sparse_place.h 'p.row = order[place]' 'p.row = place'
mutant sparse_matrix sparse_starts.cl 'before + 1' 'here'
mutant sparse_convert sparse_sort.cl 'WINDOW + WINDOW - 1 - i' 'WINDOW + i'
mutant sparse_convert sparse_sort.cl '(low & run) == 0' '1'
mutant sparse_convert sparse_counts.cl 'length[u] > most' 'length[u] < most'
mutant sparse_convert sparse_counts.cl '(REST ? (i64)other' '(0 ? (i64)other'
mutant sparse_convert sparse_scan.cl 'mine += sums[g];' '(void)sums;'
mutant sparse_convert sparse_scan.cl 'carry += all;' ''
mutant sparse_convert sparse_longer.cl 'length > a.width' 'length >= a.width'
mutant sparse_matrix sparse_check_rows.cl 'to < from ||' ''
mutant sparse_matrix sparse_check_rows.cl 'i == 0 && from != 0' '0'
mutant sparse_matrix sparse_check_rows.cl 'here[u] >= a.columns' 'here[u] > a.columns'
mutant sparse_matrix sparse_check_rows.cl 'here[u] <= before[u]' 'here[u] < before[u]'
mutant sparse_matrix sparse_find.h 'scratch[ITEM_X + apart]);' 'scratch[ITEM_X]);'
mutant sparse_matrix sparse_check_entries.cl 'r >= a.rows' 'r > a.rows'
mutant sparse_matrix sparse_check_entries.cl 'c <= column[e - 1]' 'c < column[e - 1]'
mutant sparse_matrix sparse_look.cl '&& column[at] == i' ''
mutant sparse_matrix sparse_look.cl 'turned = im == -im2' 'turned = im == im2'
mutant sparse_matrix sparse_look.cl 'off > band' 'off < band'
mutant sparse_matrix sparse_look.cl '(here, 0) > 0' '(here, 0) >= 0'
mutant sparse_matrix sparse_search.h 'at + 1) - 1' 'at)'

[ "$failures" -eq 0 ] || exit 1
echo "all mutants are caught"
