! fortran_host.f90: a product and a linear system on plain Fortran arrays.
! SPDX-License-Identifier: BSD-3-Clause
!
! gable_host_ routines take arrays of the program. What is large runs on the device, copies
! included, what is small on the CPU; gable_last_device tells where it was.
!
! In the checkout, after `make`:
!   gfortran -c build/fortran/gable.f90
!   gfortran examples/fortran_host.f90 gable.o -Lbuild -lgable -Wl,-rpath,$PWD/build -o fortran_host && ./fortran_host
program fortran_host
    use gable
    implicit none
    integer(gable_int), parameter :: n = 200, one = 1
    type(gable_context) :: ctx
    real(c_double), allocatable :: A(:, :), B(:, :), C(:, :), x(:)
    integer(gable_int) :: pivots(n), info
    integer :: i

    allocate (A(n, n), B(n, n), C(n, n), x(n))
    call random_number(A)
    B = 2

    call gable_open(ctx)
    call gable_host_gemm(ctx, GABLE_NO_TRANS, GABLE_NO_TRANS, n, n, n, 1.0_c_double, A, n, B, n, 0.0_c_double, C, n)
    print '(a, l1)', 'C is A B: ', maxval(abs(C - matmul(A, B))) < 1e-10

    ! A x = b with a matrix that is far from singular. The typed name takes any array, also a vector
    ! as the single column of B.
    do i = 1, int(n)
        A(i, i) = A(i, i) + 10
    end do
    x = matmul(A, [(1.0_c_double, i=1, int(n))])
    call gable_host_dgesv(ctx, n, one, A, n, pivots, x, n, info)
    print '(a, l1)', 'x is ones: ', info == 0 .and. maxval(abs(x - 1)) < 1e-10
    if (len(gable_last_device(ctx)) == 0) error stop 'nothing ran'
    call gable_close(ctx)
end program fortran_host
