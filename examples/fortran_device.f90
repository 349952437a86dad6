! fortran_device.f90: vectors in device memory, from Fortran: y := 2 x + y, and a dot product.
! SPDX-License-Identifier: BSD-3-Clause
!
! Device memory is a type(c_ptr). A call without `status` that fails ends the program with the
! message; a call with it gives the status instead.
!
! In the checkout, after `make`:
!   gfortran -c build/fortran/gable.f90
!   gfortran examples/fortran_device.f90 gable.o -Lbuild -lgable -Wl,-rpath,$PWD/build -o fortran_device && ./fortran_device
program fortran_device
    use gable
    implicit none
    integer(gable_int), parameter :: n = 4, one = 1
    type(gable_context) :: ctx
    type(c_ptr) :: dx, dy
    real(c_double) :: x(n) = [1, 2, 3, 4], y(n) = [10, 20, 30, 40], product
    integer(c_int) :: status

    call gable_open(ctx) ! $GABLE_DEVICE, else the best device
    call gable_alloc(ctx, n * c_sizeof(x(1)), dx)
    call gable_alloc(ctx, n * c_sizeof(y(1)), dy)
    call gable_set_vector(ctx, n, x, one, dx, one)
    call gable_set_vector(ctx, n, y, one, dy, one)

    call gable_axpy(ctx, n, 2.0_c_double, dx, one, dy, one) ! 2.0_c_double says that it is daxpy
    call gable_ddot(ctx, n, dx, one, dy, one, product)
    call gable_get_vector(ctx, n, dy, one, y, one)
    print '(a, 4(1x, i0), a, i0)', 'y =', nint(y), ', x . y = ', nint(product)

    call gable_axpy(ctx, -one, 2.0_c_double, dx, one, dy, one, status)
    print '(a)', gable_status_name(status) // ': ' // gable_message(ctx)

    call gable_free(ctx, dx)
    call gable_free(ctx, dy)
    call gable_close(ctx)
    if (any(nint(y) /= [12, 24, 36, 48]) .or. nint(product) /= 360) error stop 'wrong result'
end program fortran_device
