# petsc.cmake: the PETSc plugin, libgable_petsc.so, built where PETSc's headers are found.
# SPDX-License-Identifier: BSD-3-Clause
#
# It is linked to libgable and the C library alone: PETSc's and MPI's functions are those of the program that loads it.
# Its private headers must be there too; pkg-config finds another PETSc by PKG_CONFIG_PATH. Programs of PETSc's are not
# compiled with sanitizers, so neither is it.
set(GABLE_PETSC_PLUGIN OFF)
option(GABLE_WITH_PETSC "Build the PETSc plugin where PETSc's headers are found" ON)
if(GABLE_WITH_PETSC AND GABLE_HAS_PETSC AND NOT GABLE_SANITIZE AND NOT GABLE_WARNINGS_ONLY)
    find_path(GABLE_PETSC_PRIVATE petsc/private/kspimpl.h HINTS ${GABLE_PETSC_INCLUDE_DIRS})
    mark_as_advanced(GABLE_PETSC_PRIVATE)
    if(GABLE_PETSC_PRIVATE AND NOT GABLE_PETSC_VERSION VERSION_LESS 3.18)
        set(GABLE_PETSC_PLUGIN ON)
    endif()
endif()

if(GABLE_PETSC_PLUGIN)
    file(GLOB GABLE_PETSC_SOURCES CONFIGURE_DEPENDS bindings/petsc/*.c)
    add_library(gable_petsc MODULE ${GABLE_PETSC_SOURCES})
    target_include_directories(gable_petsc SYSTEM PRIVATE ${GABLE_PETSC_INCLUDE_DIRS} ${GABLE_MPI_INCLUDE_DIRS})
    target_compile_options(gable_petsc PRIVATE -fvisibility=hidden)
    target_link_libraries(gable_petsc PRIVATE gable_flags gable_shared OpenMP::OpenMP_C)
    # PetscFinalize unloads what it loaded; the tables of libgable and the threads of OpenMP are for the whole process.
    target_link_options(gable_petsc PRIVATE -Wl,--as-needed -Wl,-z,noexecstack -Wl,-z,nodelete)
    # It is installed into lib/gable, below libgable.so.
    set_target_properties(gable_petsc PROPERTIES INSTALL_RPATH "$ORIGIN/..")
endif()
