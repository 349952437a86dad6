/* former_names.h: names of variants and tunables that have changed, for one version.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Lines of the tuning database, GABLE_VARIANT, gable_set_variant and the command's --variant may
 * still say the former name. It counts where an op has no variant, or a variant no tunable, of that
 * very name.
 */
#ifndef GBL_FORMER_NAMES_H
#define GBL_FORMER_NAMES_H

/* Today's name of what had this one before, or NULL. */
const char *gbl_former_variant(const char *name);
const char *gbl_former_tunable(const char *name);

#endif
