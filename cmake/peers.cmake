# peers.cmake: child programs of `gable bench`: libraries in C++ or with MPI, timed beside Gable (target: peers).
# SPDX-License-Identifier: BSD-3-Clause
#
# Each is built only where its library is found, and none is a part of a plain build. C++ is asked for only where headers
# of ViennaCL or Eigen are: the project itself needs no C++ compiler.
add_custom_target(peers)

# gable_peer(NAME SOURCE): one of them, beside the command, which looks for it there.
function(gable_peer name source)
    add_executable(${name} EXCLUDE_FROM_ALL ${source})
    target_compile_options(${name} PRIVATE -O3 -Wall -Wextra $<$<BOOL:${GABLE_WERROR}>:-Werror>)
    target_compile_definitions(${name} PRIVATE NDEBUG _POSIX_C_SOURCE=200809L)
    add_dependencies(peers ${name})
endfunction()

find_path(GABLE_VIENNACL_INCLUDE viennacl/linalg/cg.hpp)
find_path(GABLE_EIGEN_INCLUDE Eigen/SparseCore PATH_SUFFIXES eigen3)
mark_as_advanced(GABLE_VIENNACL_INCLUDE GABLE_EIGEN_INCLUDE)
if(GABLE_VIENNACL_INCLUDE OR GABLE_EIGEN_INCLUDE)
    if(NOT CMAKE_CXX_COMPILER) # one that was missing may have been installed since
        unset(CMAKE_CXX_COMPILER CACHE)
    endif()
    include(CheckLanguage)
    check_language(CXX)
    if(CMAKE_CXX_COMPILER)
        enable_language(CXX)
        find_package(OpenMP QUIET COMPONENTS CXX)
        find_package(OpenCL QUIET)
    endif()
endif()

if(GABLE_EIGEN_INCLUDE AND OpenMP_CXX_FOUND)
    gable_peer(gable_peer_eigen bench/children/eigen_child.cpp)
    # Its users compile it for their own CPU.
    # The warning is about headers of gcc 12 itself.
    target_compile_options(gable_peer_eigen PRIVATE -march=native -Wno-maybe-uninitialized)
    target_include_directories(gable_peer_eigen SYSTEM PRIVATE ${GABLE_EIGEN_INCLUDE})
    target_link_libraries(gable_peer_eigen PRIVATE OpenMP::OpenMP_CXX)
    set_target_properties(gable_peer_eigen PROPERTIES CXX_STANDARD 14 CXX_STANDARD_REQUIRED ON)
endif()

if(GABLE_VIENNACL_INCLUDE AND CMAKE_CXX_COMPILER)
    if(OpenMP_CXX_FOUND)
        gable_peer(gable_peer_viennacl bench/children/viennacl_child.cpp)
        target_compile_definitions(gable_peer_viennacl PRIVATE VIENNACL_WITH_OPENMP)
        target_link_libraries(gable_peer_viennacl PRIVATE OpenMP::OpenMP_CXX)
    endif()
    if(OpenCL_FOUND)
        gable_peer(gable_peer_viennacl_opencl bench/children/viennacl_child.cpp)
        target_compile_definitions(gable_peer_viennacl_opencl PRIVATE VIENNACL_WITH_OPENCL
            CL_TARGET_OPENCL_VERSION=120)
        target_link_libraries(gable_peer_viennacl_opencl PRIVATE OpenCL::OpenCL)
    endif()
    foreach(name gable_peer_viennacl gable_peer_viennacl_opencl)
        if(TARGET ${name})
            # Its headers stay outside our warnings. Templates of many kernels: C++11 is what it was written in.
            target_include_directories(${name} SYSTEM PRIVATE ${GABLE_VIENNACL_INCLUDE})
            set_target_properties(${name} PROPERTIES CXX_STANDARD 11 CXX_STANDARD_REQUIRED ON)
        endif()
    endforeach()
endif()

if(GABLE_HAS_PETSC)
    gable_peer(gable_peer_petsc bench/children/petsc_child.c)
    target_link_libraries(gable_peer_petsc PRIVATE PkgConfig::GABLE_PETSC PkgConfig::GABLE_MPI)
endif()
