! fortran_recording.f90: calls written down once and replayed, from Fortran.
! SPDX-License-Identifier: BSD-3-Clause
!
! A step of the power method: y := A x, the norm of y, x := y / |y|. Nothing of it visits the host,
! so that it can be recorded: the norm and its reciprocal stay in device memory. Arrays of gable_alloc
! are Fortran pointers here: calls take them, and their kind says which routine is meant.
!
! In the checkout, after `make`:
!   gfortran -c build/fortran/gable.f90
!   gfortran examples/fortran_recording.f90 gable.o -Lbuild -lgable -Wl,-rpath,$PWD/build -o fortran_recording && ./fortran_recording
program fortran_recording
    use gable
    implicit none
    integer(gable_int), parameter :: n = 100, one = 1
    type(gable_context) :: ctx
    type(gable_recording) :: step
    type(gable_timer) :: timer
    real(c_double), pointer :: A(:, :), x(:), y(:), norm, inverse(:)
    real(c_double), pointer :: norms(:)
    real(c_double) :: matrix(n, n), start(n), largest(1), seconds
    integer :: i

    ! Eigenvalues 1, 1, ..., 1, 3: a rank-one matrix added to the identity.
    start = 1
    matrix = 2.0_c_double / n
    do i = 1, int(n)
        matrix(i, i) = matrix(i, i) + 1
        start(i) = i
    end do

    call gable_open(ctx)
    call gable_alloc(ctx, A, n, n)
    call gable_alloc(ctx, x, n)
    call gable_alloc(ctx, y, n)
    call gable_alloc(ctx, norms, one)
    call gable_alloc(ctx, inverse, one)
    call gable_view(c_loc(norms(1)), norm)
    call gable_set_matrix(ctx, n, n, matrix, n, A, n)
    call gable_set_vector(ctx, n, start, one, x, one)

    call gable_timer_create(ctx, timer)
    call gable_record_begin(ctx)
    call gable_gemv(ctx, GABLE_NO_TRANS, n, n, 1.0_c_double, A, n, x, one, 0.0_c_double, y, one)
    call gable_nrm2(ctx, n, y, one, norm)
    call gable_reciprocal(ctx, one, norms, one, inverse, one)
    call gable_copy(ctx, n, y, one, x, one)
    call gable_dscal_dev(ctx, n, c_loc(inverse(1)), c_loc(x(1)), one)
    call gable_record_end(ctx, step)

    call gable_timer_start(timer)
    do i = 1, 60
        call gable_replay(ctx, step)
    end do
    call gable_timer_stop(timer)
    call gable_timer_seconds(timer, seconds)
    call gable_get_vector(ctx, one, norms, one, largest, one)
    print '(a, f8.6)', 'largest eigenvalue = ', largest(1)
    print '(a, f0.1, a)', '60 steps: ', 1e6 * seconds, ' us'

    call gable_recording_destroy(step)
    call gable_timer_destroy(timer)
    call gable_free(ctx, A)
    call gable_free(ctx, x)
    call gable_free(ctx, y)
    call gable_free(ctx, norms)
    call gable_free(ctx, inverse)
    call gable_close(ctx)
    if (abs(largest(1) - 3) > 1e-9) error stop 'wrong result'
end program fortran_recording
