! test_gable.f90: the Fortran module: what its procedures do beside calling C.
! SPDX-License-Identifier: BSD-3-Clause
!
! fortran_test.sh runs it with the name of a folder, and with the word `fail`: then it must end with
! a message. Sums are of small integers, so that results are exact. That every routine passes its
! arguments on rightly is the matter of calls_test.sh.
module checks
    use, intrinsic :: iso_c_binding
    use gable
    implicit none
    integer :: failures = 0, done = 0
    integer(gable_int), parameter :: one = 1

    ! What a monitor or an operator is given along.
    type, bind(C) :: told
        integer(c_int64_t) :: calls = 0, last = -1, stop_at = -1
        integer(c_int) :: answer = 0
        integer(c_int64_t) :: n = 0
    end type told

contains

    subroutine expect(truth, text)
        logical, intent(in) :: truth
        character(len=*), intent(in) :: text
        done = done + 1
        if (truth) return
        failures = failures + 1
        print '(a)', 'FAILED: ' // text
    end subroutine expect

    subroutine expect_status(status, want, text)
        integer(c_int), intent(in) :: status, want
        character(len=*), intent(in) :: text
        call expect(status == want, text // ': ' // gable_status_name(status) // ', not ' // gable_status_name(want))
    end subroutine expect_status

    function monitor(user, iteration, residual) bind(C) result(stop_now)
        type(c_ptr), value :: user
        integer(c_int64_t), value :: iteration
        real(c_double), value :: residual
        integer(c_int) :: stop_now
        type(told), pointer :: seen
        call c_f_pointer(user, seen)
        call expect(residual >= 0 .and. iteration > seen%last, 'a monitor is told of iterations in order')
        seen%calls = seen%calls + 1
        seen%last = iteration
        stop_now = 0
        if (iteration == seen%stop_at) stop_now = 1
    end function monitor

    ! y := x / 2, and 2 x where told so.
    function halve(user, ctx, x, y) bind(C) result(status)
        type(c_ptr), value :: user, ctx, x, y
        integer(c_int) :: status
        type(told), pointer :: seen
        call c_f_pointer(user, seen)
        seen%calls = seen%calls + 1
        status = seen%answer
        if (status == GABLE_OK) call gable_daxpby(gable_context(ctx), seen%n, 0.5_c_double, x, one, 0.0_c_double, y, one, status)
    end function halve

    function twice(user, ctx, x, y) bind(C) result(status)
        type(c_ptr), value :: user, ctx, x, y
        integer(c_int) :: status
        type(told), pointer :: seen
        call c_f_pointer(user, seen)
        seen%calls = seen%calls + 1
        status = seen%answer
        if (status == GABLE_OK) call gable_daxpby(gable_context(ctx), seen%n, 2.0_c_double, x, one, 0.0_c_double, y, one, status)
    end function twice

    function contains_text(text, piece) result(found)
        character(len=*), intent(in) :: text, piece
        logical :: found
        found = index(text, piece) > 0
    end function contains_text

    subroutine texts_and_objects()
        type(gable_context) :: ctx, other
        type(gable_device_info) :: device, same
        type(gable_workspace_info) :: workspace
        type(c_ptr) :: stream
        integer(c_int) :: status, math, i
        integer(gable_int), parameter :: n = 500
        real(c_double) :: seconds, host_seconds
        call expect(gable_version() == '0.1.0' .and. len(gable_version()) == 5, 'version ' // gable_version())
        call expect(gable_status_name(GABLE_BAD_ARGUMENT) == 'GABLE_BAD_ARGUMENT', 'name of a status')
        call expect(gable_status_text(GABLE_OK) == 'no error', 'text of a status')
        call expect(gable_device_count() >= 1, 'devices')
        call gable_device_describe(-1_c_int, device, status)
        call expect_status(status, GABLE_BAD_ARGUMENT, 'device -1')
        do i = 0_c_int, gable_device_count() - 1_c_int
            call gable_device_describe(i, device)
            call expect(len_trim(device%name) > 0 .and. index(device%name, char(0)) == 0, 'name of a device')
            call expect(device%usable == 1 .or. len_trim(device%reason) > 0, 'why a device is not usable')
        end do

        call gable_open(ctx, 'nowhere', status)
        call expect_status(status, GABLE_NO_DEVICE, 'a device that is not there')
        call expect(contains_text(gable_message(ctx), 'there is no device "nowhere"'), 'its message: ' // gable_message(ctx))
        call gable_close(ctx)
        call expect(.not. c_associated(ctx%address), 'a closed context is null')
        call gable_close(ctx)
        call gable_open(ctx, 'cpu   ')
        call gable_close(ctx)

        call gable_open(ctx)
        call gable_open(other, status=status)
        call expect_status(status, GABLE_OK, 'a second context')
        call gable_context_describe(ctx, device)
        call gable_context_describe(other, same)
        call expect(device%name == same%name .and. device%units == same%units .and. device%units > 0, 'the device of $GABLE_DEVICE')
        call gable_wait(ctx, other)
        call gable_sync(ctx)
        call gable_get_stream(ctx, stream)
        if (device%name(1:4) /= 'cuda') then
            call expect(.not. c_associated(stream), 'no stream here')
            call gable_set_stream(ctx, GABLE_STREAM_LEGACY, status)
            call expect_status(status, GABLE_NOT_SUPPORTED, 'the legacy stream: ' // gable_message(ctx))
        end if
        call gable_set_math(ctx, GABLE_MATH_TF32X3)
        call gable_get_math(ctx, math)
        call expect(math == GABLE_MATH_TF32X3, 'the mode that was set')
        call gable_set_math(ctx, 77_c_int, status)
        call expect_status(status, GABLE_BAD_ARGUMENT, 'mode 77')
        call gable_set_variant(ctx, 'nonsense=1', status)
        call expect_status(status, GABLE_BAD_ARGUMENT, 'an unknown variant')
        call gable_set_variant(ctx)
        call gable_reserve(ctx, 1000_c_size_t)
        call gable_workspace(ctx, workspace)
        call expect(workspace%held >= 1000 .and. workspace%allocated == 0, 'what a context holds')
        call gable_predict(ctx, 'dgemm', GABLE_LEFT, n, n, n, 0_c_int, seconds, host_seconds)
        call expect(seconds > 0 .and. host_seconds > 0, 'predicted seconds')
        seconds = host_seconds
        call gable_predict(ctx, 'dgemm', GABLE_LEFT, n, n, n, 0_c_int, host_seconds=host_seconds)
        call expect(host_seconds > 0, 'predicted seconds of one kind')
        call expect(gable_host_recall(ctx) == 0, 'nothing to take back')
        call gable_prepare_begin(ctx)
        call gable_axpy(ctx, 10_gable_int, 2.0_c_double, c_null_ptr, one, c_null_ptr, one, status)
        call gable_prepare_end(ctx)
        call gable_close(other)
        call gable_close(ctx)
    end subroutine texts_and_objects

    subroutine memory()
        type(gable_context) :: ctx
        type(c_ptr) :: address, again
        real(c_float), pointer :: fs(:)
        real(c_double), pointer :: fd(:), A(:, :), number
        complex(c_float_complex), pointer :: fc(:)
        complex(c_double_complex), pointer :: fz(:), Z(:, :)
        integer(c_int64_t), pointer :: fi(:)
        real(c_float) :: hs(5)
        real(c_double) :: hd(5), block(4, 3), back(5, 3), value(1)
        complex(c_float_complex) :: hc(5)
        complex(c_double_complex) :: hz(5), zs(2, 2), zback(2, 2)
        integer(c_int64_t) :: hi(5)
        real(c_double), target :: own = 0
        integer(c_int) :: status, i
        call gable_open(ctx)
        call gable_alloc(ctx, fs, 5_gable_int)
        call gable_alloc(ctx, fd, 5_gable_int)
        call gable_alloc(ctx, fc, 5_gable_int)
        call gable_alloc(ctx, fz, 5_gable_int)
        call gable_alloc(ctx, fi, 5_gable_int)
        call expect(size(fs) == 5 .and. size(fi) == 5, 'sizes of what was allocated')
        call gable_set_vector(ctx, 5_gable_int, real([1, 2, 3, 4, 5], c_float), one, fs, one)
        call gable_set_vector(ctx, 5_gable_int, real([1, 2, 3, 4, 5], c_double), one, fd, one)
        hc = [(cmplx(i, -i, c_float_complex), i=1, 5)]
        hz = [(cmplx(i, -i, c_double_complex), i=1, 5)]
        call gable_set_vector(ctx, 5_gable_int, hc, one, fc, one)
        call gable_set_vector(ctx, 5_gable_int, hz, one, c_loc(fz(1)), one)
        hc = 0
        hz = 0
        call gable_set_vector(ctx, 5_gable_int, int([1, 2, 3, 4, 5], c_int64_t), one, fi, one)
        hd = 0
        call gable_get_vector(ctx, 5_gable_int, fs, one, hs, one)
        call gable_get_vector(ctx, 2_gable_int, fd, 2_gable_int, hd, 3_gable_int)
        call gable_get_vector(ctx, 5_gable_int, c_loc(fc(1)), one, hc, one)
        call gable_get_vector(ctx, 5_gable_int, fz, one, hz, one)
        call gable_get_vector(ctx, 5_gable_int, fi, one, hi, one)
        call expect(all(nint(hs) == [1, 2, 3, 4, 5]) .and. all(hi == [1, 2, 3, 4, 5]), 'vectors there and back')
        call expect(all(nint(hd) == [1, 0, 0, 3, 0]), 'strides of both sides')
        call expect(all(nint(aimag(hc)) == [-1, -2, -3, -4, -5]) .and. all(nint(real(hz)) == [1, 2, 3, 4, 5]), 'complex vectors')

        ! The address of an element, by elements and by bytes.
        again = gable_offset(c_loc(fd(1)), 16_c_size_t)
        call expect(c_associated(again, c_loc(fd(3))), 'an address moved by bytes')
        call gable_get_vector(ctx, one, again, one, value, one)
        call expect(nint(value(1)) == 3, 'what is there')
        call gable_view(again, number)
        call expect(c_associated(c_loc(number), again), 'one element as a pointer')
        call gable_fill_bytes(ctx, c_loc(fi(1)), 255_c_int, 16_c_size_t)
        call gable_fill_bytes(ctx, c_loc(fi(3)), 1_c_int, 8_c_size_t)
        call gable_copy_bytes(ctx, c_loc(fi(5)), c_loc(fi(4)), 8_c_size_t)
        call gable_get_vector(ctx, 5_gable_int, fi, one, hi, one)
        call expect(all(hi == [-1_c_int64_t, -1_c_int64_t, 72340172838076673_c_int64_t, 4_c_int64_t, 4_c_int64_t]), 'bytes')

        call gable_alloc(ctx, A, 4_gable_int, 3_gable_int)
        call gable_alloc(ctx, Z, 2_gable_int, 2_gable_int)
        block = reshape(real([(i, i=1, 12)], c_double), [4, 3])
        call gable_set_matrix(ctx, 4_gable_int, 3_gable_int, block, 4_gable_int, A, 4_gable_int)
        back = -1
        call gable_get_matrix(ctx, 2_gable_int, 3_gable_int, A, 4_gable_int, back, 5_gable_int)
        call expect(all(nint(back(1:2, :)) == nint(block(1:2, :))) .and. all(nint(back(3:, :)) == -1), 'a block of a matrix')
        zs = reshape([(cmplx(i, 2 * i, c_double_complex), i=1, 4)], [2, 2])
        call gable_set_matrix(ctx, 2_gable_int, 2_gable_int, zs, 2_gable_int, c_loc(Z(1, 1)), 2_gable_int)
        call gable_get_matrix(ctx, 2_gable_int, 2_gable_int, c_loc(Z(1, 1)), 2_gable_int, zback, 2_gable_int)
        call expect(all(abs(zs - zback) <= 0), 'a complex matrix')
        call gable_free(ctx, fz)
        call gable_view(c_loc(Z(1, 1)), fz, 3_gable_int)
        call expect(c_associated(c_loc(fz(3)), c_loc(Z(1, 2))), 'a matrix seen as a vector')

        ! Sizes that no memory holds, of which the product overflows; none; illegal ones are refused by C.
        call gable_alloc(ctx, A, huge(one), huge(one), status)
        call expect_status(status, GABLE_OUT_OF_MEMORY, 'more than any memory')
        call expect(.not. associated(A), 'then the pointer is null')
        call gable_alloc(ctx, fd, 0_gable_int)
        call gable_free(ctx, fd)
        call gable_alloc(ctx, 24_c_size_t, address)
        call expect(c_associated(address), 'memory by its bytes')
        call gable_free(ctx, address)
        call expect(.not. c_associated(address), 'what was freed is null')
        call gable_free(ctx, address, status)
        call expect_status(status, GABLE_OK, 'null may be freed')
        call gable_free(ctx, fs)
        call expect(.not. associated(fs), 'a pointer that was freed is null')
        call gable_free(ctx, fs)
        address = c_loc(own)
        call gable_free(ctx, address, status)
        call expect_status(status, GABLE_BAD_ARGUMENT, 'memory of the program')
        call expect(c_associated(address, c_loc(own)), 'what was not freed stays')
        call gable_free(ctx, Z)
        call gable_free(ctx, fc)
        call gable_free(ctx, fi)
        call gable_close(ctx)
    end subroutine memory
    ! Forms of a routine, and which one a generic name takes.
    subroutine forms()
        integer(gable_int), parameter :: n = 3
        type(gable_context) :: ctx
        real(c_float), pointer :: s(:)
        real(c_double), pointer :: x(:), y(:), A(:, :), B(:, :), C(:, :), result(:), y9(:), out9(:)
        real(c_double), pointer :: stack(:, :, :), product(:, :, :)
        complex(c_float_complex), pointer :: u(:)
        complex(c_double_complex), pointer :: v(:), w(:), P(:, :), Q(:, :), R(:, :)
        integer(c_int64_t), pointer :: at(:)
        real(c_double) :: dot, norm, hx(n), hA(n, n), hB(n, n), hC(n, n), coefficients(2)
        real(c_float) :: short, fx(n)
        complex(c_double_complex) :: zdot, hz(n), hP(n, n), hQ(n, n), hR(n, n), alpha, beta
        complex(c_float_complex) :: hu(n)
        real(c_double) :: p1, p2, p3, param(5)
        complex(c_double_complex) :: za, zb, zs
        integer(c_int64_t) :: position, positions(1), info
        integer(c_int) :: status, i
        call gable_open(ctx)
        call gable_alloc(ctx, s, n)
        call gable_alloc(ctx, x, n)
        call gable_alloc(ctx, y, n)
        call gable_alloc(ctx, u, n)
        call gable_alloc(ctx, v, n)
        call gable_alloc(ctx, w, n)
        call gable_alloc(ctx, result, one)
        call gable_alloc(ctx, at, one)
        call gable_alloc(ctx, A, n, n)
        call gable_alloc(ctx, B, n, n)
        call gable_alloc(ctx, C, n, n)
        call gable_alloc(ctx, P, n, n)
        call gable_alloc(ctx, Q, n, n)
        call gable_alloc(ctx, R, n, n)

        ! A scalar's kind is the precision; the operands of _a are arrays, of _p addresses.
        call gable_fill(ctx, n, 1.0_c_float, s, one)
        call gable_fill(ctx, n, 2.0_c_double, c_loc(x(1)), one)
        call gable_fill(ctx, n, (3.0_c_float, 4.0_c_float), u, one)
        call gable_zfill(ctx, n, (5.0_c_double, 6.0_c_double), c_loc(v(1)), one)
        call gable_axpy(ctx, n, 2.0_c_float, s, one, s, one)
        call gable_get_vector(ctx, n, s, one, fx, one)
        call expect(all(nint(fx) == 3), 'saxpy by arrays')
        call gable_copy(ctx, n, x, one, y, one)
        call gable_axpy(ctx, n, 2.0_c_double, c_loc(x(1)), one, c_loc(y(1)), one)
        call gable_get_vector(ctx, n, y, one, hx, one)
        call expect(all(nint(hx) == 6), 'daxpy by addresses')
        call gable_scal(ctx, n, 2.0_c_float, u, one) ! csscal: a real scalar, complex elements
        call gable_get_vector(ctx, n, u, one, hu, one)
        call expect(all(nint(real(hu)) == 6) .and. all(nint(aimag(hu)) == 8), 'csscal by its arguments')
        call gable_scal(ctx, n, (0.0_c_float, 1.0_c_float), u, one)
        call gable_get_vector(ctx, n, u, one, hu, one)
        call expect(all(nint(real(hu)) == -8) .and. all(nint(aimag(hu)) == 6), 'cscal: a complex scalar by value')
        call gable_zscal(ctx, n, (0.0_c_double, 1.0_c_double), c_loc(v(1)), one)
        call gable_zdscal(ctx, n, 3.0_c_double, c_loc(v(1)), one)
        call gable_get_vector(ctx, n, v, one, hz, one)
        call expect(all(nint(real(hz)) == -18) .and. all(nint(aimag(hz)) == 15), 'zscal and zdscal by addresses')

        ! Results: in a variable or in device memory, of arrays and of addresses.
        call gable_dot(ctx, n, x, one, y, one, dot)
        call expect(nint(dot) == 36, 'ddot of arrays')
        dot = 0
        call gable_dot(ctx, n, c_loc(x(1)), one, c_loc(y(1)), one, dot)
        call expect(nint(dot) == 36, 'ddot of addresses, by the kind of its result')
        call gable_ddot(ctx, n, c_loc(x(1)), one, c_loc(y(1)), one, c_loc(result(1)))
        call gable_axpy_dev(ctx, n, result(1), x, one, y, one)
        call gable_get_vector(ctx, n, y, one, hx, one)
        call expect(all(nint(hx) == 78), 'a result that stays on the device')
        call gable_dotc(ctx, n, v, one, v, one, zdot)
        call expect(nint(real(zdot)) == 1647 .and. nint(aimag(zdot)) == 0, 'zdotc')
        call gable_nrm2(ctx, n, v, one, norm)
        call expect(abs(norm * norm - 1647) < 1e-9, 'dznrm2')
        call gable_nrm2(ctx, n, s, one, short)
        call expect(abs(short * short - 27) < 1e-4, 'snrm2')
        call gable_iamax(ctx, n, v, one, position)
        call expect(position == 1, 'izamax')
        call gable_set_vector(ctx, n, real([1, 5, 2], c_double), one, x, one)
        call gable_idamax(ctx, n, c_loc(x(1)), one, c_loc(at(1)))
        call gable_get_vector(ctx, one, at, one, positions, one)
        call gable_idamax(ctx, n, c_loc(x(1)), one, position)
        call expect(positions(1) == 2 .and. position == 2, 'idamax to the device and to a variable')

        ! Numbers in host memory that are read, and written.
        coefficients = [1, 2]
        call gable_set_matrix(ctx, n, 2_gable_int, reshape(real([1, 2, 3, 10, 20, 30], c_double), [3, 2]), n, A, n)
        call gable_fill(ctx, n, 0.0_c_double, y, one)
        call gable_maxpy(ctx, n, 2_gable_int, 1.0_c_double, coefficients, A, n, y, one)
        call gable_dmaxpy(ctx, n, 2_gable_int, 1.0_c_double, coefficients, c_loc(A(1, 1)), n, c_loc(y(1)), one)
        call gable_get_vector(ctx, n, y, one, hx, one)
        call expect(all(nint(hx) == [42, 84, 126]), 'coefficients of the program')
        call gable_mdot(ctx, n, 2_gable_int, A, n, x, one, coefficients)
        call expect(all(nint(coefficients) == [17, 170]), 'two results')
        p1 = 3
        p2 = 4
        call gable_rotg(ctx, p1, p2, p3, param(1))
        call expect(abs(abs(p1) - 5) < 1e-14 .and. abs(p3 * param(1) - 0.48_c_double) < 1e-14, 'drotg')
        za = (3.0_c_double, 0.0_c_double)
        zb = (0.0_c_double, 4.0_c_double)
        call gable_rotg(ctx, za, zb, p3, zs)
        call expect(abs(abs(za) - 5) < 1e-14 .and. abs(p3 - 0.6_c_double) < 1e-14, 'zrotg')
        param = [-1, 2, 0, 0, 3]
        call gable_set_vector(ctx, n, real([1, 1, 1], c_double), one, x, one)
        call gable_rotm(ctx, n, x, one, y, one, param)
        call gable_get_vector(ctx, n, x, one, hx, one)
        call expect(all(nint(hx) == 2), 'drotm')

        ! Matrices, with complex scalars by value: small integers, so that sums are exact.
        hA = reshape(real([(i, i=1, 9)], c_double), [3, 3])
        hB = transpose(hA) + 1
        hP = cmplx(hA, hB, c_double_complex)
        hQ = cmplx(hB, -hA, c_double_complex)
        hR = cmplx(1, 2, c_double_complex)
        alpha = (2.0_c_double, -1.0_c_double)
        beta = (0.0_c_double, 3.0_c_double)
        call gable_set_matrix(ctx, n, n, hA, n, A, n)
        call gable_set_matrix(ctx, n, n, hB, n, B, n)
        call gable_set_matrix(ctx, n, n, hP, n, P, n)
        call gable_set_matrix(ctx, n, n, hQ, n, Q, n)
        call gable_set_matrix(ctx, n, n, hR, n, R, n)
        call gable_gemm(ctx, GABLE_NO_TRANS, GABLE_TRANS, n, n, n, 1.0_c_double, A, n, B, n, 0.0_c_double, C, n)
        call gable_gemm(ctx, GABLE_NO_TRANS, GABLE_CONJ_TRANS, n, n, n, alpha, c_loc(P(1, 1)), n, c_loc(Q(1, 1)), n, beta, &
            c_loc(R(1, 1)), n)
        call gable_get_matrix(ctx, n, n, C, n, hC, n)
        call expect(all(nint(hC) == nint(matmul(hA, transpose(hB)))), 'dgemm')
        hR = alpha * matmul(hP, conjg(transpose(hQ))) + beta * hR
        call gable_get_matrix(ctx, n, n, R, n, hQ, n)
        call expect(all(abs(hR - hQ) <= 0), 'zgemm')
        ! A block of a matrix: by its first element's address.
        call gable_dgemm(ctx, GABLE_NO_TRANS, GABLE_NO_TRANS, 2_gable_int, 2_gable_int, 2_gable_int, 1.0_c_double, &
            c_loc(A(2, 2)), n, c_loc(B(1, 2)), n, 0.0_c_double, c_loc(C(2, 1)), n)
        call gable_get_matrix(ctx, n, n, C, n, hC, n)
        call expect(all(nint(hC(2:3, 1:2)) == nint(matmul(hA(2:3, 2:3), hB(1:2, 2:3)))), 'dgemm of blocks')

        ! Batches of rank 3: the second entry is the first, doubled.
        call gable_alloc(ctx, y9, 2 * n * n)
        stack(1:n, 1:n, 1:2) => y9
        call gable_set_matrix(ctx, n, n, hA, n, A, n)
        call gable_copy(ctx, n * n, y9, one, y9, one)
        call gable_dtranspose(ctx, GABLE_NO_TRANS, n, n, c_loc(A(1, 1)), n, c_loc(stack(1, 1, 1)), n)
        call gable_daxpby(ctx, n * n, 2.0_c_double, c_loc(A(1, 1)), one, 0.0_c_double, c_loc(stack(1, 1, 2)), one)
        call gable_alloc(ctx, out9, 2 * n * n)
        product(1:n, 1:n, 1:2) => out9
        call gable_gemm_strided(ctx, GABLE_NO_TRANS, GABLE_NO_TRANS, n, n, n, 1.0_c_double, stack, n, n * n, stack, n, n * n, &
            0.0_c_double, product, n, n * n, 2_gable_int)
        call gable_get_vector(ctx, n * n, out9(n * n + 1:), one, hC(:, 1), one)
        call expect(all(nint(hC) == nint(4 * matmul(hA, hA))), 'a batch')

        ! LAPACK, info in a variable and on the device.
        hA = reshape(real([4, 2, 0, 2, 5, 0, 0, 0, 9], c_double), [3, 3])
        call gable_set_matrix(ctx, n, n, hA, n, A, n)
        info = -1
        call gable_potrf(ctx, GABLE_LOWER, n, A, n, info)
        call gable_get_matrix(ctx, n, n, A, n, hC, n)
        call expect(info == 0 .and. all(nint([hC(1, 1), hC(2, 1), hC(2, 2), hC(3, 3)]) == [2, 1, 2, 3]), 'dpotrf')
        hA(3, 3) = -1
        call gable_set_matrix(ctx, n, n, hA, n, A, n)
        call gable_dpotrf(ctx, GABLE_LOWER, n, c_loc(A(1, 1)), n, c_loc(at(1)))
        call gable_get_vector(ctx, one, at, one, positions, one)
        call expect(positions(1) == 3, 'info on the device')
        call gable_dpotrf(ctx, GABLE_LOWER, -n, A, n, info, status)
        call expect_status(status, GABLE_BAD_ARGUMENT, 'order -3')
        call expect(contains_text(gable_message(ctx), 'gable_dpotrf: argument 3 (n) is -3'), gable_message(ctx))

        ! Numbers that a seed makes, of 64 bits.
        call gable_random(ctx, n, 9223372036854775807_c_int64_t, 0_c_int64_t, 0.0_c_double, 1.0_c_double, x, one)
        call gable_get_vector(ctx, n, x, one, hx, one)
        call expect(all(hx >= 0 .and. hx < 1) .and. abs(hx(1) - hx(2)) > 0, 'random numbers')
        call gable_free(ctx, s)
        call gable_close(ctx) ! frees the rest
    end subroutine forms

    ! Arrays of the program: blocks by their first elements, vectors as columns.
    subroutine host_arrays()
        integer(gable_int), parameter :: n = 6, m = 4
        type(gable_context) :: ctx
        type(gable_device_info) :: device
        real(c_double), target :: A(n, n), B(n, n), C(n, n), x(n)
        complex(c_float_complex) :: P(2, 2), Q(2, 2), R(2, 2)
        integer(c_int64_t) :: pivots(n), info
        integer(c_int) :: status, i
        call gable_open(ctx)
        A = reshape(real([(mod(7 * i, 5), i=1, 36)], c_double), [6, 6])
        B = transpose(A)
        C = -1
        call gable_host_gemm(ctx, GABLE_NO_TRANS, GABLE_NO_TRANS, n, n, n, 1.0_c_double, A, n, B, n, 0.0_c_double, C, n)
        call expect(all(nint(C) == nint(matmul(A, B))), 'a product of arrays')
        C = -1
        call gable_host_dgemm(ctx, GABLE_NO_TRANS, GABLE_NO_TRANS, m, m, m, 1.0_c_double, A(2, 3), n, B(1, 2), n, 0.0_c_double, &
            C(3, 1), n)
        call expect(all(nint(C(3:6, 1:4)) == nint(matmul(A(2:5, 3:6), B(1:4, 2:5)))), 'blocks, by their first elements')
        call expect(all(nint(C(1:2, :)) == -1) .and. all(nint(C(:, 5:6)) == -1), 'what lies around stays')
        C = -1
        call gable_host_gemm(ctx, GABLE_NO_TRANS, GABLE_NO_TRANS, m, m, m, 1.0_c_double, c_loc(A(2, 3)), n, c_loc(B(1, 2)), n, &
            0.0_c_double, c_loc(C(3, 1)), n)
        call expect(all(nint(C(3:6, 1:4)) == nint(matmul(A(2:5, 3:6), B(1:4, 2:5)))), 'blocks, by addresses')
        P = reshape([(cmplx(i, 1, c_float_complex), i=1, 4)], [2, 2])
        Q = transpose(P)
        call gable_host_gemm(ctx, GABLE_NO_TRANS, GABLE_NO_TRANS, 2_gable_int, 2_gable_int, 2_gable_int, (0.0, 1.0), P, &
            2_gable_int, Q, 2_gable_int, (0.0, 0.0), R, 2_gable_int)
        call expect(all(abs(R - (0, 1) * matmul(P, Q)) <= 0), 'cgemm with complex scalars by value')

        do i = 1, int(n, c_int)
            A(i, i) = A(i, i) + 32
        end do
        x = matmul(A, real([(i, i=1, 6)], c_double))
        B = A
        call gable_host_dgesv(ctx, n, one, B, n, pivots, x, n, info)
        call expect(info == 0 .and. maxval(abs(x - [(i, i=1, 6)])) < 1e-12, 'dgesv with a vector')
        B(:, 2) = 0
        call gable_host_getrf(ctx, n, n, B, n, pivots, info)
        call expect(info == 2 .and. all(pivots >= 1 .and. pivots <= 6), 'a singular matrix')
        call gable_host_gemm(ctx, GABLE_NO_TRANS, GABLE_NO_TRANS, n, n, n, 1.0_c_double, A, one, B, n, 0.0_c_double, C, n, status)
        call expect_status(status, GABLE_BAD_ARGUMENT, 'lda 1')
        call expect(contains_text(gable_message(ctx), 'argument 9 (lda) is 1'), gable_message(ctx))
        call gable_context_describe(ctx, device)
        call expect(gable_last_device(ctx) == trim(device%name), 'what ran: ' // gable_last_device(ctx))
        call gable_host_pin(ctx, c_loc(A), c_sizeof(A))
        call gable_host_unpin(ctx, c_loc(A))
        call gable_host_release(ctx)
        call gable_close(ctx)
    end subroutine host_arrays

    subroutine sparse(folder)
        character(len=*), intent(in) :: folder
        integer(gable_int), parameter :: n = 3
        type(gable_context) :: ctx
        type(gable_sparse) :: A, B
        type(gable_sparse_info) :: info
        integer(c_int) :: status, format
        character(len=12) :: short
        character(len=200) :: why
        real(c_double), pointer :: x(:), y(:)
        real(c_double) :: hy(n), values(4)
        complex(c_double_complex), pointer :: X2(:, :), Y2(:, :)
        complex(c_double_complex) :: hY2(n, 2)
        complex(c_float_complex) :: small(4)
        integer(c_int64_t) :: start(4), column(4)
        call gable_open(ctx)
        call gable_alloc(ctx, x, n)
        call gable_alloc(ctx, y, n)
        call gable_set_vector(ctx, n, real([1, 2, 3], c_double), one, x, one)

        ! 2 0 1 / 0 3 0 / 4 0 0, by rows from 1, with indices of 32 bits; by entries with 64 bits.
        call gable_sparse_csr(ctx, n, n, 4_gable_int, [1_c_int32_t, 3_c_int32_t, 4_c_int32_t, 5_c_int32_t], &
            [3_c_int32_t, 1_c_int32_t, 2_c_int32_t, 1_c_int32_t], real([1, 2, 3, 4], c_double), GABLE_SPARSE_ONE_BASED, A)
        call gable_sparse_mv(ctx, GABLE_NO_TRANS, 2.0_c_double, A, x, 0.0_c_double, y)
        call gable_get_vector(ctx, n, y, one, hy, one)
        call expect(all(nint(hy) == [10, 12, 8]), 'a sparse product')
        call gable_sparse_describe(ctx, A, info)
        call expect(info%precision == 'd' .and. info%index_bits == 32 .and. info%format == GABLE_CSR .and. &
            info%rows == 3 .and. info%entries == 4 .and. info%longest == 2 .and. info%symmetric == 0 .and. &
            abs(info%mean - 4 / 3.0_c_double) < 1e-12 .and. info%bandwidth == 2 .and. info%empty_diagonal == 1, 'its description')
        call gable_sparse_get(ctx, A, start, column, values)
        call expect(all(start == [0, 2, 3, 4]) .and. all(column == [0, 2, 1, 0]) .and. all(nint(values) == [2, 1, 3, 4]), &
            'its entries')
        call gable_sparse_dget(ctx, A, c_null_ptr, c_null_ptr, c_null_ptr)
        call gable_sparse_get(ctx, A, start, column, small, status)
        call expect_status(status, GABLE_BAD_ARGUMENT, 'entries in another precision')
        call gable_sparse_convert(ctx, A, GABLE_ELL, 0_gable_int, 0_gable_int, B)
        call gable_sparse_describe(ctx, B, info)
        call expect(info%format == GABLE_ELL .and. info%stored >= 6, 'another format')
        call gable_sparse_destroy(ctx, B)
        call expect(.not. c_associated(B%address), 'what was destroyed is null')
        call gable_sparse_destroy(ctx, B)
        call gable_sparse_choose(ctx, A, format, why)
        call gable_sparse_choose(ctx, A, format, short)
        call expect(format >= GABLE_CSR .and. len_trim(why) > 12 .and. short == why(1:12) .and. index(why, char(0)) == 0, why)
        call gable_sparse_choose(ctx, A, format)
        call gable_sparse_write(ctx, A, folder // '/fortran.mtx')
        call gable_sparse_destroy(ctx, A)
        call gable_sparse_read(ctx, folder // '/fortran.mtx', 'z', A)
        call gable_sparse_describe(ctx, A, info)
        call expect(info%precision == 'z' .and. info%entries == 4, 'a file, read in another precision')
        call gable_alloc(ctx, X2, n, 2_gable_int)
        call gable_alloc(ctx, Y2, n, 2_gable_int)
        call gable_set_matrix(ctx, n, 2_gable_int, &
            reshape([(1, 0), (2, 0), (3, 0), (0, 1), (0, 2), (0, 3)] * (1.0_c_double, 0.0_c_double), [3, 2]), n, X2, n)
        call gable_sparse_mm(ctx, GABLE_TRANS, 2_gable_int, (0.0_c_double, 1.0_c_double), A, X2, n, (0.0_c_double, 0.0_c_double), &
            Y2, n)
        call gable_get_matrix(ctx, n, 2_gable_int, Y2, n, hY2, n)
        call expect(all(nint(aimag(hY2(:, 1))) == [14, 6, 1]) .and. all(nint(real(hY2(:, 2))) == -[14, 6, 1]), 'two columns')
        call gable_sparse_destroy(ctx, A)
        call gable_sparse_read(ctx, folder // '/nothing.mtx', char(0), A, status)
        call expect(status /= GABLE_OK .and. .not. c_associated(A%address), 'a file that is not there')

        ! 2 entries of one place.
        call gable_sparse_coo(ctx, n, n, 4_gable_int, [0_c_int64_t, 1_c_int64_t, 2_c_int64_t, 2_c_int64_t], &
            [0_c_int64_t, 1_c_int64_t, 2_c_int64_t, 2_c_int64_t], [1.0_c_float, 1.0_c_float, 1.0_c_float, 1.0_c_float], &
            0_c_int, A, status)
        call expect_status(status, GABLE_BAD_ARGUMENT, 'a place that comes twice')
        call gable_sparse_coo(ctx, n, n, 4_gable_int, [0_c_int64_t, 1_c_int64_t, 2_c_int64_t, 2_c_int64_t], &
            [0_c_int64_t, 1_c_int64_t, 2_c_int64_t, 2_c_int64_t], [1.0_c_float, 1.0_c_float, 1.0_c_float, 1.0_c_float], &
            GABLE_SPARSE_SUM, A)
        call gable_sparse_describe(ctx, A, info)
        call expect(info%precision == 's' .and. info%entries == 3 .and. info%index_bits == 64, 'its entries, added')
        call gable_sparse_destroy(ctx, A)
        call gable_close(ctx)
    end subroutine sparse

    subroutine solvers()
        integer(gable_int), parameter :: n = 30
        type(gable_context) :: ctx
        type(gable_sparse) :: A
        type(gable_solver) :: solver
        type(gable_solve_info) :: info
        type(told), target :: watched, preconditioned, applied
        real(c_double), pointer :: b(:), x(:)
        real(c_double) :: values(3 * n), hx(n)
        integer(c_int64_t) :: row(3 * n), column(3 * n), entries, i, j
        integer(c_int) :: status
        entries = 0
        do i = 1, n
            do j = max(i - 1, one), min(i + 1, n)
                entries = entries + 1
                row(entries) = i
                column(entries) = j
                values(entries) = merge(2, -1, i == j)
            end do
        end do
        call gable_open(ctx)
        call gable_alloc(ctx, b, n)
        call gable_alloc(ctx, x, n)
        call gable_sparse_coo(ctx, n, n, entries, row, column, values, GABLE_SPARSE_ONE_BASED, A)
        call gable_fill(ctx, n, 1.0_c_double, x, one)
        call gable_sparse_mv(ctx, GABLE_NO_TRANS, 1.0_c_double, A, x, 0.0_c_double, b)

        call gable_sparse_solve(ctx, A, b, x) ! x is right already
        call gable_sparse_solve(ctx, A, b, x, info=info)
        call expect(info%outcome == GABLE_SOLVED .and. info%iterations == 0, 'a guess that is the solution')
        call gable_sparse_solve(ctx, A, c_loc(b(1)), c_loc(x(1)), 'method=nothing', info, status)
        call expect_status(status, GABLE_BAD_ARGUMENT, 'an unknown method')
        call gable_sparse_solve(ctx, A, c_loc(b(1)), c_loc(x(1)), 'guess=zero,method=cg,precond=none,tolerance=1e-12', info)
        call gable_get_vector(ctx, n, x, one, hx, one)
        call expect(info%outcome == GABLE_SOLVED .and. maxval(abs(hx - 1)) < 1e-9, trim(info%text))
        call expect(info%method == 'cg' .and. info%precond == 'none' .and. info%residual <= 1e-12 .and. info%iterations > 5 .and. &
            len_trim(info%text) > 0 .and. info%norm_b > 1, 'what a solve tells')

        call gable_solver_create(ctx, A, solver)
        call gable_solver_set(solver, 'method=cg,guess=zero,nonsense=1', status)
        call expect_status(status, GABLE_BAD_ARGUMENT, 'an unknown option')
        call gable_solver_set(solver, 'method=cg,guess=zero,tolerance=1e-12,precond=none')
        watched%stop_at = 4
        call gable_solver_monitor(solver, monitor, c_loc(watched))
        call gable_solver_solve(solver, b, x, info)
        call expect(info%outcome == GABLE_STOPPED .and. watched%last == 4, 'a monitor that stops')
        call gable_solver_monitor(solver)
        watched%calls = 0
        call gable_solver_solve(solver, c_loc(b(1)), c_loc(x(1)), info)
        call expect(info%outcome == GABLE_SOLVED .and. watched%calls == 0, 'a monitor that was taken away')
        preconditioned%n = n
        call gable_solver_precondition(solver, halve, c_loc(preconditioned))
        call gable_solver_solve(solver, b, x, info)
        call expect(info%outcome == GABLE_SOLVED .and. preconditioned%calls > 5 .and. info%precond == 'user', 'a preconditioner')
        preconditioned%answer = GABLE_NOT_SUPPORTED
        call gable_solver_solve(solver, b, x, info, status)
        call expect_status(status, GABLE_NOT_SUPPORTED, 'a preconditioner that fails')
        call expect(contains_text(gable_message(ctx), 'GABLE_NOT_SUPPORTED'), gable_message(ctx))
        call gable_solver_precondition(solver)
        call gable_solver_solve(solver, b, x)
        call gable_sparse_destroy(ctx, A, status)
        call expect_status(status, GABLE_BAD_ARGUMENT, 'a matrix that a solver uses')
        call expect(c_associated(A%address), 'it is not null then')
        call gable_solver_destroy(solver)
        call expect(.not. c_associated(solver%address), 'a solver that was destroyed')
        call gable_solver_destroy(solver)
        call gable_sparse_destroy(ctx, A)

        applied%n = n
        call gable_solver_create_operator(ctx, 'q', n, twice, solver, c_loc(applied), status)
        call expect_status(status, GABLE_BAD_ARGUMENT, "precision 'q'")
        call gable_solver_create_operator(ctx, 'd', n, twice, solver, c_loc(applied))
        call gable_solver_set(solver, 'method=gmres,guess=zero')
        call gable_solver_solve(solver, b, x, info)
        call gable_sync(ctx)
        call expect(info%outcome == GABLE_SOLVED .and. applied%calls > 0 .and. info%method == 'gmres', 'an operator')
        call gable_solver_destroy(solver)
        call gable_close(ctx)
    end subroutine solvers

    subroutine recordings(folder)
        character(len=*), intent(in) :: folder
        integer(gable_int), parameter :: n = 10
        type(gable_context) :: ctx
        type(gable_recording) :: recording
        type(gable_timer) :: timer
        real(c_double), pointer :: x(:), y(:)
        real(c_double) :: hy(n), seconds
        integer(c_int) :: status, i
        integer :: unit, reached
        call gable_open(ctx)
        call gable_profile_start(ctx, 'nonsense', status)
        call expect_status(status, GABLE_BAD_ARGUMENT, 'an unknown word')
        call gable_profile_start(ctx, folder // '/fortran.json')
        call gable_alloc(ctx, x, n)
        call gable_alloc(ctx, y, n)
        call gable_fill(ctx, n, 1.0_c_double, x, one)
        call gable_fill(ctx, n, 0.0_c_double, y, one)
        call gable_timer_create(ctx, timer)
        call gable_timer_seconds(timer, seconds, status)
        call expect(status /= GABLE_OK .and. len(gable_message(ctx)) > 0, 'a timer that was never started')
        call gable_record_begin(ctx)
        call gable_axpy(ctx, n, 2.0_c_double, x, one, y, one)
        call gable_sync(ctx, status)
        call expect_status(status, GABLE_NOT_RECORDABLE, 'waiting cannot be recorded')
        call gable_record_end(ctx, recording)
        call gable_timer_start(timer)
        do i = 1, 5
            call gable_replay(ctx, recording)
        end do
        call gable_timer_stop(timer)
        seconds = -1
        call gable_timer_seconds(timer, seconds)
        call gable_get_vector(ctx, n, y, one, hy, one)
        call expect(all(nint(hy) == 10) .and. seconds >= 0, 'five replays')
        call gable_recording_destroy(recording)
        call expect(.not. c_associated(recording%address), 'a recording that was destroyed')
        call gable_recording_destroy(recording)
        call gable_record_begin(ctx)
        call gable_axpy(ctx, n, 2.0_c_double, x, one, y, one)
        call gable_record_end(ctx) ! dropped
        call gable_get_vector(ctx, n, y, one, hy, one)
        call expect(all(nint(hy) == 10), 'a recording that was dropped')
        call gable_timer_destroy(timer)
        call gable_profile_stop(ctx)
        call gable_profile_stop(ctx, status)
        call expect_status(status, GABLE_BAD_ARGUMENT, 'no profile runs')
        open (newunit=unit, file=folder // '/fortran.json', status='old', iostat=reached)
        call expect(reached == 0, 'a profile that was written')
        close (unit)
        call gable_close(ctx)
    end subroutine recordings

end module checks

program test_gable
    use checks
    implicit none
    character(len=500) :: folder
    type(gable_context) :: ctx
    call get_command_argument(1, folder)
    if (folder == 'fail') then
        call gable_open(ctx)
        call gable_daxpy(ctx, -1_gable_int, 1.0_c_double, c_null_ptr, one, c_null_ptr, one)
        print '(a)', 'went on'
        stop
    end if
    call texts_and_objects()
    call memory()
    call forms()
    call host_arrays()
    call sparse(trim(folder))
    call solvers()
    call recordings(trim(folder))
    print '(i0, a)', done, ' checks'
    if (failures > 0) error stop 'failed'
end program test_gable
