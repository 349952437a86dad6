! gable_base.f90: what the Fortran module rests on: objects, kinds, texts and statuses.
! SPDX-License-Identifier: BSD-3-Clause
!
! The first part of gable.f90, written by hand. fortran_module.py puts behind it what it makes from
! the headers. Line lengths keep to 132 columns, and every integer names its kind: the module must
! compile with -std=f2018 and mean the same with -fdefault-integer-8.

module gable_base
    use, intrinsic :: iso_c_binding
    implicit none
    public

    ! The kind of sizes, strides and leading dimensions: 100_gable_int.
    integer, parameter :: gable_int = c_int64_t

    ! The objects of the interface. A context that is no longer open, or an object that was
    ! destroyed, has a null address.
    type :: gable_context
        type(c_ptr) :: address = c_null_ptr
    end type gable_context
    type :: gable_recording
        type(c_ptr) :: address = c_null_ptr
    end type gable_recording
    type :: gable_sparse
        type(c_ptr) :: address = c_null_ptr
    end type gable_sparse
    ! Calls on these have no context among their arguments: its message belongs to them, too.
    type :: gable_timer
        type(c_ptr) :: address = c_null_ptr
        type(c_ptr) :: context = c_null_ptr
    end type gable_timer
    type :: gable_solver
        type(c_ptr) :: address = c_null_ptr
        type(c_ptr) :: context = c_null_ptr
    end type gable_solver

    interface
        pure function gable_c_length(text) bind(C, name="strlen") result(length)
            import :: c_ptr, c_size_t
            type(c_ptr), value, intent(in) :: text
            integer(c_size_t) :: length
        end function gable_c_length
        function gable_c_status_text(status) bind(C, name="gable_status_text") result(text)
            import :: c_ptr, c_int
            integer(c_int), value :: status
            type(c_ptr) :: text
        end function gable_c_status_text
        function gable_c_last_message(ctx) bind(C, name="gable_message") result(text)
            import :: c_ptr
            type(c_ptr), value :: ctx
            type(c_ptr) :: text
        end function gable_c_last_message
    end interface

contains

    ! The text behind the address of a C string, of its own length.
    function gable_to_text(address) result(text)
        type(c_ptr), intent(in) :: address
        character(len=:), allocatable :: text
        character(kind=c_char), pointer :: letters(:)
        integer(c_size_t) :: i, length
        if (.not. c_associated(address)) then
            text = ''
            return
        end if
        length = gable_c_length(address)
        call c_f_pointer(address, letters, [length])
        allocate (character(len=length) :: text)
        do i = 1, length
            text(i:i) = letters(i)
        end do
    end function gable_to_text

    ! The text of an array of letters that ends with a zero, padded with blanks to the length of
    ! the result.
    subroutine gable_from_letters(letters, text)
        character(kind=c_char), intent(in) :: letters(:)
        character(len=*), intent(out) :: text
        integer(c_size_t) :: i
        text = ''
        do i = 1, min(size(letters, kind=c_size_t), len(text, kind=c_size_t))
            if (letters(i) == c_null_char) exit
            text(i:i) = letters(i)
        end do
    end subroutine gable_from_letters

    ! What becomes of a status: it goes to the caller where he asks for it; else a failure ends the
    ! program with the message, as that of an ALLOCATE without STAT does.
    subroutine gable_report(ctx, code, status)
        type(c_ptr), intent(in) :: ctx
        integer(c_int), intent(in) :: code
        integer(c_int), intent(out), optional :: status
        character(len=:), allocatable :: message
        if (present(status)) then
            status = code
        else if (code /= 0_c_int) then
            message = ''
            if (c_associated(ctx)) message = gable_to_text(gable_c_last_message(ctx))
            if (len(message) == 0) message = gable_to_text(gable_c_status_text(code))
            error stop message
        end if
    end subroutine gable_report

    ! The address some bytes behind another one, also in device memory.
    function gable_offset(address, bytes) result(moved)
        type(c_ptr), intent(in) :: address
        integer(c_size_t), intent(in) :: bytes
        type(c_ptr) :: moved
        integer(c_intptr_t) :: number
        number = transfer(address, number) + int(bytes, c_intptr_t)
        moved = transfer(number, moved)
    end function gable_offset

end module gable_base
