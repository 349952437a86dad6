/* raii.cpp: Gable from C++17: a context and vectors that free themselves, failures as exceptions.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Gable is a C library; the two classes below are all that C++ wants of it. They are made to be
 * copied: a Context closes itself, a Vector frees its memory before the Context goes, check() turns
 * a status into an exception that carries Gable's sentence.
 *
 * In the checkout, after `make`:
 *   c++ -std=c++17 examples/raii.cpp -Iinclude -Lbuild -lgable -Wl,-rpath,$PWD/build -o raii && ./raii
 */
#include <cstdint>
#include <cstdio>
#include <exception>
#include <memory>
#include <stdexcept>
#include <vector>
#include <gable/gable.h>

class Context
{
  public:
    explicit Context(const char *device = nullptr)
    {
        gable_context *opened = nullptr;
        const gable_status status = gable_open(&opened, device);
        context.reset(opened); /* set even on failure, so that its message can be read */
        check(status);
    }
    void check(gable_status status) const
    {
        if (status != GABLE_OK)
            throw std::runtime_error(gable_message(get()));
    }
    gable_context *get() const
    {
        return context.get();
    }

  private:
    struct Close {
        void operator()(gable_context *closed) const
        {
            gable_close(closed);
        }
    };
    std::unique_ptr<gable_context, Close> context;
};

/* Elements in device memory, with the values of a std::vector. The context must outlive it. */
template <typename T> class Vector
{
  public:
    Vector(const Context &owner, const std::vector<T> &values)
        : context(owner), n(static_cast<std::int64_t>(values.size())),
          address(nullptr, {owner.get()})
    {
        void *allocated = nullptr;
        context.check(gable_alloc(context.get(), values.size() * sizeof(T), &allocated));
        address.reset(static_cast<T *>(allocated));
        context.check(
            gable_set_vector(context.get(), n, sizeof(T), values.data(), 1, address.get(), 1));
    }
    std::vector<T> values() const
    {
        std::vector<T> host(static_cast<std::size_t>(n));
        context.check(
            gable_get_vector(context.get(), n, sizeof(T), address.get(), 1, host.data(), 1));
        return host;
    }
    T *data() const
    {
        return address.get();
    }
    std::int64_t size() const
    {
        return n;
    }

  private:
    struct Free {
        gable_context *context;
        void operator()(T *freed) const
        {
            gable_free(context, freed);
        }
    };
    const Context &context;
    std::int64_t n;
    std::unique_ptr<T, Free> address;
};

int main()
{
    try {
        const Context context;
        const Vector<double> x(context, {1, 2, 3, 4}), y(context, {10, 20, 30, 40});
        double product = 0;
        context.check(gable_daxpy(context.get(), x.size(), 2.0, x.data(), 1, y.data(), 1));
        context.check(gable_ddot(context.get(), x.size(), x.data(), 1, y.data(), 1, &product));
        const std::vector<double> result = y.values();
        std::printf("y = %g %g %g %g, x . y = %g\n", result[0], result[1], result[2], result[3],
                    product);

        /* A wrong argument: the sentence names it. */
        try {
            context.check(gable_daxpy(context.get(), -1, 2.0, x.data(), 1, y.data(), 1));
        } catch (const std::runtime_error &error) {
            std::printf("caught: %s\n", error.what());
        }
        return result == std::vector<double>{12, 24, 36, 48} && product == 360 ? 0 : 1;
    } catch (const std::exception &error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 1;
    }
}
