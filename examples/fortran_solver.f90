! fortran_solver.f90: conjugate gradients with a sparse matrix, then with an operator of the program.
! SPDX-License-Identifier: BSD-3-Clause
!
! A is the second difference on n points; b = A times ones, so that x must come out as ones. First A
! is a sparse matrix made from its entries, and a monitor prints the residual. Then A is a procedure
! that makes calls on the solver's own context: y := 2 x, minus x moved by one place up and down.
!
! In the checkout, after `make`:
!   gfortran -c build/fortran/gable.f90
!   gfortran examples/fortran_solver.f90 gable.o -Lbuild -lgable -Wl,-rpath,$PWD/build -o fortran_solver && ./fortran_solver
module rod
    use, intrinsic :: iso_c_binding, only: c_associated
    use gable
    implicit none
    integer(gable_int), parameter :: n = 100, one = 1

contains

    ! Told of iterations; a result other than 0 ends the solve. `user` is what was given with it.
    function watch(user, iteration, residual) bind(C) result(stop_now)
        type(c_ptr), value :: user
        integer(c_int64_t), value :: iteration
        real(c_double), value :: residual
        integer(c_int) :: stop_now
        integer(c_int64_t), pointer :: last
        call c_f_pointer(user, last)
        last = iteration
        if (residual < 0) error stop 'a residual below 0'
        stop_now = 0
    end function watch

    ! y := A x. Addresses of the device; what is behind x + 8 bytes is its second element.
    function second_difference(user, ctx, x, y) bind(C) result(status)
        type(c_ptr), value :: user, ctx, x, y
        integer(c_int) :: status
        type(gable_context) :: queue
        integer(c_size_t), parameter :: element = 8
        if (c_associated(user)) error stop 'nothing was given'
        queue = gable_context(ctx)
        call gable_daxpby(queue, n, 2.0_c_double, x, one, 0.0_c_double, y, one, status)
        if (status == GABLE_OK) call gable_daxpy(queue, n - 1, -1.0_c_double, gable_offset(x, element), one, y, one, status)
        if (status == GABLE_OK) call gable_daxpy(queue, n - 1, -1.0_c_double, x, one, gable_offset(y, element), one, status)
    end function second_difference

end module rod

program fortran_solver
    use rod
    implicit none
    type(gable_context) :: ctx
    type(gable_sparse) :: A
    type(gable_solver) :: solver
    type(gable_solve_info) :: info
    type(c_ptr) :: db, dx
    integer(c_int32_t) :: row(3 * n), column(3 * n)
    real(c_double) :: values(3 * n), x(n), ones(n) = 1
    integer(c_int64_t), target :: last = 0
    integer(gable_int) :: entries
    integer(c_int32_t) :: i, j

    entries = 0
    do i = 1, int(n, c_int32_t)
        do j = max(i - 1, 1), min(i + 1, int(n, c_int32_t))
            entries = entries + 1
            row(entries) = i
            column(entries) = j
            values(entries) = merge(2, -1, i == j)
        end do
    end do

    call gable_open(ctx)
    call gable_sparse_coo(ctx, n, n, entries, row, column, values, GABLE_SPARSE_ONE_BASED, A)
    call gable_alloc(ctx, n * c_sizeof(x(1)), db)
    call gable_alloc(ctx, n * c_sizeof(x(1)), dx)
    call gable_set_vector(ctx, n, ones, one, dx, one)
    call gable_sparse_mv(ctx, GABLE_NO_TRANS, 1.0_c_double, A, dx, 0.0_c_double, db)

    call gable_solver_create(ctx, A, solver)
    call gable_solver_set(solver, 'method=cg,tolerance=1e-10,guess=zero')
    call gable_solver_monitor(solver, watch, c_loc(last))
    call gable_solver_solve(solver, db, dx, info)
    call gable_get_vector(ctx, n, dx, one, x, one)
    print '(a, l1, a, l1)', trim(info%method) // ' with a matrix: x is ones: ', &
        info%outcome == GABLE_SOLVED .and. maxval(abs(x - 1)) < 1e-6, &
        ', the monitor saw all iterations: ', last == info%iterations
    call gable_solver_destroy(solver)

    call gable_solver_create_operator(ctx, 'd', n, second_difference, solver)
    call gable_solver_set(solver, 'method=cg,tolerance=1e-10,guess=zero')
    call gable_solver_solve(solver, db, dx, info)
    call gable_get_vector(ctx, n, dx, one, x, one)
    print '(a, l1)', trim(info%method) // ' with a procedure: x is ones: ', &
        info%outcome == GABLE_SOLVED .and. maxval(abs(x - 1)) < 1e-6
    call gable_solver_destroy(solver)

    call gable_sparse_destroy(ctx, A)
    call gable_free(ctx, db)
    call gable_free(ctx, dx)
    call gable_close(ctx)
end program fortran_solver
