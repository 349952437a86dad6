/* cpu_tests.h: the parts of test_cpu_sparse and test_cpu_solvers, one set per precision.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef TEST_CPU_TESTS_H
#define TEST_CPU_TESTS_H

/* TYPED(f): s_f ... z_f */
#if defined(PREC_S)
#define TYPED(f) s_##f
#elif defined(PREC_D)
#define TYPED(f) d_##f
#elif defined(PREC_C)
#define TYPED(f) c_##f
#elif defined(PREC_Z)
#define TYPED(f) z_##f
#endif

typedef struct number_pair {
    double re, im;
} number_pair;

void s_products(void);
void d_products(void);
void c_products(void);
void z_products(void);
void s_solvers(void);
void d_solvers(void);
void c_solvers(void);
void z_solvers(void);

#endif
