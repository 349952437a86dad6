/* petsc_register.c: what PETSc calls when it loads the plugin: checks, types, events.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 *     PROGRAM -dll_append libgable_petsc.so -ksp_type gablecg
 *
 * The plugin reads private structures of PETSc's, which change from version to version, and is
 * compiled for one kind of numbers and indices. So it looks first what PETSc it is loaded by, and
 * only by functions that are the same in all of them.
 */
#include <stdio.h>
#include "petsc_plugin.h"

PetscLogEvent gp_event_setup, gp_event_product, gp_event_solve, gp_event_precond;

static PetscErrorCode check_version(void)
{
    char text[256] = "";
    int major = 0, minor = 0;
    const char *number;
    PetscFunctionBegin;
    PetscCall(PetscGetVersion(text, sizeof text));
    for (number = text; *number != '\0' && (*number < '0' || *number > '9');)
        number++;
    PetscCheck(sscanf(number, "%d.%d", &major, &minor) == 2 && major == PETSC_VERSION_MAJOR &&
                   minor == PETSC_VERSION_MINOR,
               PETSC_COMM_SELF, PETSC_ERR_SUP,
               "libgable_petsc.so was built for PETSc %d.%d and cannot serve PETSc %d.%d: take the "
               "one of the package libgable-petsc%d.%d, or build it with this PETSc's headers",
               PETSC_VERSION_MAJOR, PETSC_VERSION_MINOR, major, minor, major, minor);
    PetscFunctionReturn(GP_SUCCESS);
}

/* The size of one of PETSc's types in the library that is running, and whether it is complex. */
static PetscErrorCode type_of(const char *name, PetscDataType *type, size_t *bytes)
{
    PetscBool found = PETSC_FALSE;
    PetscFunctionBegin;
    PetscCall(PetscDataTypeFromString(name, type, &found));
    PetscCheck(found, PETSC_COMM_SELF, PETSC_ERR_SUP,
               "libgable_petsc.so cannot find out what PETSc's type %s is", name);
    PetscCall(PetscDataTypeGetSize(*type, bytes));
    PetscFunctionReturn(GP_SUCCESS);
}

static PetscErrorCode check_types(void)
{
    PetscDataType type;
    size_t scalar, index;
    PetscBool is_complex;
    PetscFunctionBegin;
    PetscCall(type_of("scalar", &type, &scalar));
    is_complex = (PetscBool)(type == PETSC_COMPLEX);
    PetscCall(type_of("int", &type, &index));
    PetscCheck(scalar == sizeof(PetscScalar) && index == sizeof(PetscInt) &&
                   is_complex == (PetscBool)PetscDefined(USE_COMPLEX),
               PETSC_COMM_SELF, PETSC_ERR_SUP,
               "libgable_petsc.so was built for %s scalars of %d bytes and indices of %d, and this "
               "PETSc has %s scalars of %d bytes and indices of %d: build it with its headers",
               PetscDefined(USE_COMPLEX) ? "complex" : "real", (int)sizeof(PetscScalar),
               (int)sizeof(PetscInt), is_complex ? "complex" : "real", (int)scalar, (int)index);
    PetscFunctionReturn(GP_SUCCESS);
}

PETSC_EXTERN PetscErrorCode PetscDLLibraryRegister_gable_petsc(void)
{
    PetscClassId class;
    PetscFunctionBegin;
    PetscCall(check_version());
    PetscCall(check_types());
    PetscCall(KSPInitializePackage());
    PetscCall(PetscClassIdRegister("Gable", &class));
    PetscCall(PetscLogEventRegister("GableSetUp", class, &gp_event_setup));
    PetscCall(PetscLogEventRegister("GableMult", class, &gp_event_product));
    PetscCall(PetscLogEventRegister("GableSolve", class, &gp_event_solve));
    PetscCall(PetscLogEventRegister("GablePCApply", class, &gp_event_precond));
    PetscCall(gp_device_begin());
    PetscCall(gp_mat_register());
    PetscCall(gp_pc_register());
    PetscCall(gp_ksp_register());
    PetscFunctionReturn(GP_SUCCESS);
}
