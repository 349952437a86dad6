! call_fortran.f90: the operands of test_calls.c as Fortran sees them, and the way to its calls.
! SPDX-License-Identifier: BSD-3-Clause
module call_operands
    use gable
    implicit none

    integer, parameter :: buffers = 6, elements = 256

    ! One buffer as a scalar, a vector, a matrix with 9 rows and a batch of matrices that are 90
    ! elements apart, in each precision.
    type :: operand
        real(c_float), pointer :: s0, s1(:), s2(:, :), s3(:, :, :)
        real(c_double), pointer :: d0, d1(:), d2(:, :), d3(:, :, :)
        complex(c_float_complex), pointer :: c0, c1(:), c2(:, :), c3(:, :, :)
        complex(c_double_complex), pointer :: z0, z1(:), z2(:, :), z3(:, :, :)
        integer(c_int64_t), pointer :: i0, i1(:)
    end type operand

    type(c_ptr) :: device(buffers), host(buffers), list(buffers)
    type(operand) :: viewed(buffers), hosted(buffers)

contains

    subroutine look(address, x)
        type(c_ptr), intent(in) :: address
        type(operand), intent(out) :: x
        call c_f_pointer(address, x%s0)
        call c_f_pointer(address, x%s1, [elements])
        call c_f_pointer(address, x%s2, [9, 20])
        call c_f_pointer(address, x%s3, [9, 10, 2])
        call c_f_pointer(address, x%d0)
        call c_f_pointer(address, x%d1, [elements])
        call c_f_pointer(address, x%d2, [9, 20])
        call c_f_pointer(address, x%d3, [9, 10, 2])
        call c_f_pointer(address, x%c0)
        call c_f_pointer(address, x%c1, [elements])
        call c_f_pointer(address, x%c2, [9, 20])
        call c_f_pointer(address, x%c3, [9, 10, 2])
        call c_f_pointer(address, x%z0)
        call c_f_pointer(address, x%z1, [elements])
        call c_f_pointer(address, x%z2, [9, 20])
        call c_f_pointer(address, x%z3, [9, 10, 2])
        call c_f_pointer(address, x%i0)
        call c_f_pointer(address, x%i1, [elements])
    end subroutine look

    subroutine call_fortran_begin(at_device, at_host, at_list) bind(C)
        type(c_ptr), intent(in) :: at_device(buffers), at_host(buffers), at_list(buffers)
        integer :: j
        device = at_device
        host = at_host
        list = at_list
        do j = 1, buffers
            call look(device(j), viewed(j))
            call look(host(j), hosted(j))
        end do
    end subroutine call_fortran_begin

end module call_operands

function call_in_fortran(number, form, ctx, matrix) bind(C) result(status)
    use gable
    implicit none
    integer(c_int), value :: number, form
    type(c_ptr), value :: ctx, matrix
    integer(c_int) :: status
    interface
        subroutine call_form_1(number, ctx, matrix, status)
            import :: c_int, gable_context, gable_sparse
            integer(c_int), intent(in) :: number
            type(gable_context), intent(in) :: ctx
            type(gable_sparse), intent(in) :: matrix
            integer(c_int), intent(out) :: status
        end subroutine call_form_1
        subroutine call_form_2(number, ctx, matrix, status)
            import :: c_int, gable_context, gable_sparse
            integer(c_int), intent(in) :: number
            type(gable_context), intent(in) :: ctx
            type(gable_sparse), intent(in) :: matrix
            integer(c_int), intent(out) :: status
        end subroutine call_form_2
    end interface
    if (form == 1) then
        call call_form_1(number, gable_context(ctx), gable_sparse(matrix), status)
    else
        call call_form_2(number, gable_context(ctx), gable_sparse(matrix), status)
    end if
end function call_in_fortran
