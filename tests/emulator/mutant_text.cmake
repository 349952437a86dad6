# mutant_text.cmake: texts of kernels with a piece replaced, for mutants.
# SPDX-License-Identifier: BSD-3-Clause

# kernel_path(NAME OUT): where a file of kernels/ stands, in whatever room.
function(kernel_path name out)
    file(GLOB paths ${CMAKE_SOURCE_DIR}/kernels/${name} ${CMAKE_SOURCE_DIR}/kernels/*/${name})
    list(LENGTH paths count)
    if(NOT count EQUAL 1)
        message(FATAL_ERROR "kernels/ has ${count} files ${name}: ${paths}")
    endif()
    set(${out} ${paths} PARENT_SCOPE)
endfunction()

# mutant_text(PATH OUT): reads a file; the mutants are made again when it changes.
function(mutant_text path out)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${path})
    file(READ ${path} mutant_read)
    set(${out} "${mutant_read}" PARENT_SCOPE)
endfunction()

# mutant_replace(IN NAME_IN OLD NEW): replaces OLD in the text that the variable IN has. An OLD that is not there exactly once
# makes no mutant: then the kernel has changed, and nothing catches what is left; the name in NAME_IN says so.
function(mutant_replace in name_in old new)
    string(FIND "${${in}}" "${old}" mutant_first)
    string(FIND "${${in}}" "${old}" mutant_last REVERSE)
    if(mutant_first EQUAL -1 OR NOT mutant_first EQUAL mutant_last)
        set(${name_in} "${${name_in}} (its text is not in the kernel exactly once)" PARENT_SCOPE)
    else()
        string(REPLACE "${old}" "${new}" mutant_replaced "${${in}}")
        set(${in} "${mutant_replaced}" PARENT_SCOPE)
    endif()
endfunction()
