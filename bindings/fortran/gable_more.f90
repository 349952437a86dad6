! gable_more.f90: procedures of module gable that are written by hand.
! SPDX-License-Identifier: BSD-3-Clause
!
! fortran_module.py puts them into the module; it tells of '!each' and '!end'.

    ! What a solver calls. `user` is what the program gave along with it. To see what is behind an
    ! address of `apply`: gable_view, where the device's memory is the host's.
    abstract interface
        function gable_monitor(user, iteration, residual) bind(C) result(stop_now)
            import :: c_ptr, c_int, c_int64_t, c_double
            type(c_ptr), value :: user
            integer(c_int64_t), value :: iteration
            real(c_double), value :: residual
            integer(c_int) :: stop_now
        end function gable_monitor
        function gable_apply(user, ctx, x, y) bind(C) result(status)
            import :: c_ptr, c_int
            type(c_ptr), value :: user, ctx, x, y
            integer(c_int) :: status
        end function gable_apply
    end interface

contains

    ! ---- Solvers ----

    subroutine gable_solver_create_operator(ctx, precision, n, apply, solver, user, status)
        type(gable_context), intent(in) :: ctx
        character(kind=c_char), intent(in) :: precision
        integer(c_int64_t), intent(in) :: n
        procedure(gable_apply) :: apply
        type(gable_solver), intent(out) :: solver
        type(c_ptr), intent(in), optional :: user
        integer(c_int), intent(out), optional :: status
        integer(c_int) :: code
        code = c_gable_solver_create_operator(ctx%address, int(ichar(precision), c_signed_char), n, c_funloc(apply), &
            given(user), solver%address)
        solver%context = ctx%address
        call gable_report(ctx%address, code, status)
    end subroutine gable_solver_create_operator

    ! Without `monitor` the solver has none any more.
    subroutine gable_solver_monitor(solver, monitor, user, status)
        type(gable_solver), intent(in) :: solver
        procedure(gable_monitor), optional :: monitor
        type(c_ptr), intent(in), optional :: user
        integer(c_int), intent(out), optional :: status
        type(c_funptr) :: address
        integer(c_int) :: code
        address = c_null_funptr
        if (present(monitor)) address = c_funloc(monitor)
        code = c_gable_solver_monitor(solver%address, address, given(user))
        call gable_report(solver%context, code, status)
    end subroutine gable_solver_monitor

    ! Without `apply` the solver has none of the program's any more.
    subroutine gable_solver_precondition(solver, apply, user, status)
        type(gable_solver), intent(in) :: solver
        procedure(gable_apply), optional :: apply
        type(c_ptr), intent(in), optional :: user
        integer(c_int), intent(out), optional :: status
        type(c_funptr) :: address
        integer(c_int) :: code
        address = c_null_funptr
        if (present(apply)) address = c_funloc(apply)
        code = c_gable_solver_precondition(solver%address, address, given(user))
        call gable_report(solver%context, code, status)
    end subroutine gable_solver_precondition

    function given(user) result(address)
        type(c_ptr), intent(in), optional :: user
        type(c_ptr) :: address
        address = c_null_ptr
        if (present(user)) address = user
    end function given

    !each sdcz
    subroutine solver_solve_<p>(solver, b, x, info, status)
        type(gable_solver), intent(in) :: solver
        <T>, intent(in), target :: b(*)
        <T>, intent(inout), target :: x(*)
        type(gable_solve_info), intent(out), optional :: info
        integer(c_int), intent(out), optional :: status
        call solver_solve_p(solver, c_loc(b), c_loc(x), info, status)
    end subroutine solver_solve_<p>

    subroutine sparse_solve_<p>(ctx, A, b, x, options, info, status)
        type(gable_context), intent(in) :: ctx
        type(gable_sparse), intent(in) :: A
        <T>, intent(in), target :: b(*)
        <T>, intent(inout), target :: x(*)
        character(len=*), intent(in), optional :: options
        type(gable_solve_info), intent(out), optional :: info
        integer(c_int), intent(out), optional :: status
        call sparse_solve_p(ctx, A, c_loc(b), c_loc(x), options, info, status)
    end subroutine sparse_solve_<p>

    !end
    ! ---- Sparse matrices from arrays: the kind of the indices says how many bits they have ----

    !each sdcz
    subroutine csr_<p>32(ctx, rows, columns, entries, start, column, values, flags, A, status)
        type(gable_context), intent(in) :: ctx
        integer(c_int64_t), intent(in) :: rows, columns, entries
        integer(c_int32_t), intent(in), target :: start(*), column(*)
        <T>, intent(in), target :: values(*)
        integer(c_int), intent(in) :: flags
        type(gable_sparse), intent(out) :: A
        integer(c_int), intent(out), optional :: status
        call sparse_<p>csr_p(ctx, rows, columns, entries, 32_c_int, c_loc(start), c_loc(column), c_loc(values), flags, A, status)
    end subroutine csr_<p>32

    subroutine csr_<p>64(ctx, rows, columns, entries, start, column, values, flags, A, status)
        type(gable_context), intent(in) :: ctx
        integer(c_int64_t), intent(in) :: rows, columns, entries
        integer(c_int64_t), intent(in), target :: start(*), column(*)
        <T>, intent(in), target :: values(*)
        integer(c_int), intent(in) :: flags
        type(gable_sparse), intent(out) :: A
        integer(c_int), intent(out), optional :: status
        call sparse_<p>csr_p(ctx, rows, columns, entries, 64_c_int, c_loc(start), c_loc(column), c_loc(values), flags, A, status)
    end subroutine csr_<p>64

    subroutine coo_<p>32(ctx, rows, columns, entries, row, column, values, flags, A, status)
        type(gable_context), intent(in) :: ctx
        integer(c_int64_t), intent(in) :: rows, columns, entries
        integer(c_int32_t), intent(in), target :: row(*), column(*)
        <T>, intent(in), target :: values(*)
        integer(c_int), intent(in) :: flags
        type(gable_sparse), intent(out) :: A
        integer(c_int), intent(out), optional :: status
        call sparse_<p>coo_p(ctx, rows, columns, entries, 32_c_int, c_loc(row), c_loc(column), c_loc(values), flags, A, status)
    end subroutine coo_<p>32

    subroutine coo_<p>64(ctx, rows, columns, entries, row, column, values, flags, A, status)
        type(gable_context), intent(in) :: ctx
        integer(c_int64_t), intent(in) :: rows, columns, entries
        integer(c_int64_t), intent(in), target :: row(*), column(*)
        <T>, intent(in), target :: values(*)
        integer(c_int), intent(in) :: flags
        type(gable_sparse), intent(out) :: A
        integer(c_int), intent(out), optional :: status
        call sparse_<p>coo_p(ctx, rows, columns, entries, 64_c_int, c_loc(row), c_loc(column), c_loc(values), flags, A, status)
    end subroutine coo_<p>64

    !end
    ! ---- Memory ----

    ! value is what each byte becomes, 0 to 255.
    subroutine gable_fill_bytes(ctx, address, value, bytes, status)
        type(gable_context), intent(in) :: ctx
        type(c_ptr), intent(in) :: address
        integer(c_int), intent(in) :: value
        integer(c_size_t), intent(in) :: bytes
        integer(c_int), intent(out), optional :: status
        integer(c_int) :: code, number
        number = iand(value, 255_c_int)
        if (number > 127_c_int) number = number - 256_c_int
        code = c_gable_fill_bytes(ctx%address, address, int(number, c_signed_char), bytes)
        call gable_report(ctx%address, code, status)
    end subroutine gable_fill_bytes

    !each sdczi
    ! The elements at an address of device memory, as a pointer that calls take. Only where the
    ! device's memory is the host's may the program itself look at what it points to.
    subroutine view_<p>0(address, x)
        type(c_ptr), intent(in) :: address
        <T>, pointer, intent(out) :: x
        call c_f_pointer(address, x)
    end subroutine view_<p>0

    subroutine view_<p>1(address, x, n)
        type(c_ptr), intent(in) :: address
        <T>, pointer, intent(out) :: x(:)
        integer(c_int64_t), intent(in) :: n
        call c_f_pointer(address, x, [n])
    end subroutine view_<p>1

    subroutine view_<p>2(address, A, m, n)
        type(c_ptr), intent(in) :: address
        <T>, pointer, intent(out) :: A(:, :)
        integer(c_int64_t), intent(in) :: m, n
        call c_f_pointer(address, A, [m, n])
    end subroutine view_<p>2

    subroutine alloc_<p>0(ctx, x, status)
        type(gable_context), intent(in) :: ctx
        <T>, pointer, intent(out) :: x
        integer(c_int), intent(out), optional :: status
        type(c_ptr) :: address
        integer(c_int) :: code
        nullify (x)
        code = c_gable_alloc(ctx%address, <bytes>, address)
        if (code == 0_c_int) call c_f_pointer(address, x)
        call gable_report(ctx%address, code, status)
    end subroutine alloc_<p>0

    subroutine alloc_<p>1(ctx, x, n, status)
        type(gable_context), intent(in) :: ctx
        <T>, pointer, intent(out) :: x(:)
        integer(c_int64_t), intent(in) :: n
        integer(c_int), intent(out), optional :: status
        type(c_ptr) :: address
        integer(c_int) :: code
        nullify (x)
        code = c_gable_alloc(ctx%address, bytes_of(<bytes>, n, 1_c_int64_t), address)
        if (code == 0_c_int) call c_f_pointer(address, x, [max(n, 0_c_int64_t)])
        call gable_report(ctx%address, code, status)
    end subroutine alloc_<p>1

    subroutine alloc_<p>2(ctx, A, m, n, status)
        type(gable_context), intent(in) :: ctx
        <T>, pointer, intent(out) :: A(:, :)
        integer(c_int64_t), intent(in) :: m, n
        integer(c_int), intent(out), optional :: status
        type(c_ptr) :: address
        integer(c_int) :: code
        nullify (A)
        code = c_gable_alloc(ctx%address, bytes_of(<bytes>, m, n), address)
        if (code == 0_c_int) call c_f_pointer(address, A, [max(m, 0_c_int64_t), max(n, 0_c_int64_t)])
        call gable_report(ctx%address, code, status)
    end subroutine alloc_<p>2

    subroutine free_<p>0(ctx, x, status)
        type(gable_context), intent(in) :: ctx
        <T>, pointer, intent(inout) :: x
        integer(c_int), intent(out), optional :: status
        integer(c_int) :: code
        code = 0_c_int
        if (associated(x)) code = c_gable_free(ctx%address, c_loc(x))
        if (code == 0_c_int) nullify (x)
        call gable_report(ctx%address, code, status)
    end subroutine free_<p>0

    subroutine free_<p>1(ctx, x, status)
        type(gable_context), intent(in) :: ctx
        <T>, pointer, intent(inout) :: x(:)
        integer(c_int), intent(out), optional :: status
        integer(c_int) :: code
        code = 0_c_int
        if (associated(x)) then
            if (size(x, kind=c_int64_t) > 0_c_int64_t) code = c_gable_free(ctx%address, c_loc(x(lbound(x, 1))))
        end if
        if (code == 0_c_int) nullify (x)
        call gable_report(ctx%address, code, status)
    end subroutine free_<p>1

    subroutine free_<p>2(ctx, A, status)
        type(gable_context), intent(in) :: ctx
        <T>, pointer, intent(inout) :: A(:, :)
        integer(c_int), intent(out), optional :: status
        integer(c_int) :: code
        code = 0_c_int
        if (associated(A)) then
            if (size(A, kind=c_int64_t) > 0_c_int64_t) code = c_gable_free(ctx%address, c_loc(A(lbound(A, 1), lbound(A, 2))))
        end if
        if (code == 0_c_int) nullify (A)
        call gable_report(ctx%address, code, status)
    end subroutine free_<p>2

    subroutine set_vector_<p>p(ctx, n, x, incx, dx, incdx, status)
        type(gable_context), intent(in) :: ctx
        integer(c_int64_t), intent(in) :: n, incx, incdx
        <T>, intent(in), target :: x(*)
        type(c_ptr), intent(in) :: dx
        integer(c_int), intent(out), optional :: status
        call set_vector_p(ctx, n, <bytes>, c_loc(x), incx, dx, incdx, status)
    end subroutine set_vector_<p>p

    subroutine set_vector_<p>a(ctx, n, x, incx, dx, incdx, status)
        type(gable_context), intent(in) :: ctx
        integer(c_int64_t), intent(in) :: n, incx, incdx
        <T>, intent(in), target :: x(*)
        <T>, intent(inout), target :: dx(*)
        integer(c_int), intent(out), optional :: status
        call set_vector_p(ctx, n, <bytes>, c_loc(x), incx, c_loc(dx), incdx, status)
    end subroutine set_vector_<p>a

    subroutine get_vector_<p>p(ctx, n, dx, incdx, x, incx, status)
        type(gable_context), intent(in) :: ctx
        integer(c_int64_t), intent(in) :: n, incx, incdx
        type(c_ptr), intent(in) :: dx
        <T>, intent(inout), target :: x(*)
        integer(c_int), intent(out), optional :: status
        call get_vector_p(ctx, n, <bytes>, dx, incdx, c_loc(x), incx, status)
    end subroutine get_vector_<p>p

    subroutine get_vector_<p>a(ctx, n, dx, incdx, x, incx, status)
        type(gable_context), intent(in) :: ctx
        integer(c_int64_t), intent(in) :: n, incx, incdx
        <T>, intent(in), target :: dx(*)
        <T>, intent(inout), target :: x(*)
        integer(c_int), intent(out), optional :: status
        call get_vector_p(ctx, n, <bytes>, c_loc(dx), incdx, c_loc(x), incx, status)
    end subroutine get_vector_<p>a

    subroutine set_matrix_<p>p(ctx, m, n, A, lda, dA, ldda, status)
        type(gable_context), intent(in) :: ctx
        integer(c_int64_t), intent(in) :: m, n, lda, ldda
        <T>, intent(in), target :: A(max(lda, 1_c_int64_t), *)
        type(c_ptr), intent(in) :: dA
        integer(c_int), intent(out), optional :: status
        call set_matrix_p(ctx, m, n, <bytes>, c_loc(A), lda, dA, ldda, status)
    end subroutine set_matrix_<p>p

    subroutine set_matrix_<p>a(ctx, m, n, A, lda, dA, ldda, status)
        type(gable_context), intent(in) :: ctx
        integer(c_int64_t), intent(in) :: m, n, lda, ldda
        <T>, intent(in), target :: A(max(lda, 1_c_int64_t), *)
        <T>, intent(inout), target :: dA(max(ldda, 1_c_int64_t), *)
        integer(c_int), intent(out), optional :: status
        call set_matrix_p(ctx, m, n, <bytes>, c_loc(A), lda, c_loc(dA), ldda, status)
    end subroutine set_matrix_<p>a

    subroutine get_matrix_<p>p(ctx, m, n, dA, ldda, A, lda, status)
        type(gable_context), intent(in) :: ctx
        integer(c_int64_t), intent(in) :: m, n, lda, ldda
        type(c_ptr), intent(in) :: dA
        <T>, intent(inout), target :: A(max(lda, 1_c_int64_t), *)
        integer(c_int), intent(out), optional :: status
        call get_matrix_p(ctx, m, n, <bytes>, dA, ldda, c_loc(A), lda, status)
    end subroutine get_matrix_<p>p

    subroutine get_matrix_<p>a(ctx, m, n, dA, ldda, A, lda, status)
        type(gable_context), intent(in) :: ctx
        integer(c_int64_t), intent(in) :: m, n, lda, ldda
        <T>, intent(in), target :: dA(max(ldda, 1_c_int64_t), *)
        <T>, intent(inout), target :: A(max(lda, 1_c_int64_t), *)
        integer(c_int), intent(out), optional :: status
        call get_matrix_p(ctx, m, n, <bytes>, c_loc(dA), ldda, c_loc(A), lda, status)
    end subroutine get_matrix_<p>a

    !end
    ! The bytes of m by n elements; what no memory can hold where that overflows.
    function bytes_of(element, m, n) result(bytes)
        integer(c_size_t), intent(in) :: element
        integer(c_int64_t), intent(in) :: m, n
        integer(c_size_t) :: bytes
        if (m <= 0_c_int64_t .or. n <= 0_c_int64_t) then
            bytes = 0_c_size_t
        else if (m > huge(bytes) / element / n) then
            bytes = huge(bytes)
        else
            bytes = element * m * n
        end if
    end function bytes_of
