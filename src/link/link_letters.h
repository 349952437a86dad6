/* link_letters.h: letters of Fortran as Gable's constants.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * In either case; only the first letter counts. 0: it is none.
 */
#ifndef GBL_LINK_LETTERS_H
#define GBL_LINK_LETTERS_H

int gbl_link_trans(const char *letter);
int gbl_link_uplo(const char *letter);
int gbl_link_side(const char *letter);
int gbl_link_diag(const char *letter);
int gbl_link_vect(const char *letter);
int gbl_link_job(const char *letter);
int gbl_link_range(const char *letter);

#endif
