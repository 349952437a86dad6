/* link_fortran.h: integers of Fortran, which are addresses, and the order of its matrices. Included
 * by the entries of Fortran's names only.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef GBL_LINK_FORTRAN_H
#define GBL_LINK_FORTRAN_H

#include "link/link_entry.h"

#define SIZE(integer) gbl_link_integer(integer, bound->wide)
#define FORTRAN       .order = GBL_LINK_COLUMN_MAJOR

#endif
