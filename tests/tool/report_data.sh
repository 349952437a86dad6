# report_data.sh: a data folder as the command would fill it, for the tests of `gable report`.
# SPDX-License-Identifier: BSD-3-Clause
#
# Sourced. The figures are made up and simple, so that what the page must say can be worked out by hand.
#
# shellcheck shell=sh

# make_report_data FOLDER: roofs, tuning, the model's errors and studies of one made-up GPU, and rows.
make_report_data() {
    mkdir -p "$1/results/cuda-test-gpu" "$1/studies"
    device='"device":"cuda:0 Test GPU"'
    class='"device":"cuda|Test GPU|sm_90|4|8 GiB"'
    printf '{%s,"copy":1e12,"read":1.1e12,"write":1e12,"cache":3e12,"flops":{"s":2e13,"d":1e13,"c":2e13,"z":1e13},"matrix_flops":0}\n' \
        "$class" >"$1/roofs.jsonl"

    # Two runs: the newer rows count. 500 GB/s and three times the peer's speed; one row is wrong.
    awk -v device="$device" 'BEGIN {
        for (run = 1; run <= 2; run++) {
            printf "{\"date\":\"2026-01-0%dT00:00:00Z\",\"commit\":\"c%d\",\"version\":\"0.1.0\",%s,\"driver\":\"driver %d\",\"compiler\":\"compiler\",\"libraries\":{\"peer\":\"Peer 1.0 (/somewhere)\"}}\n", run, run, device, run
            for (n = 1000; n <= 1e7; n *= 10)
                printf "{\"op\":\"axpy\",\"prec\":\"d\",\"args\":{\"n\":%d},%s,\"variant\":\"stream\",\"mode\":\"replay\",\"temp\":\"cold\",\"usec\":%g,\"usec_min\":1,\"gbs\":%d,\"gflops\":%d,\"roof\":0.5,\"error\":0.1,\"vs\":{\"peer\":%d}}\n", n, device, n / 1000, 250 * run, 20 * run, run == 2 ? 3 : 7
        }
        printf "{\"op\":\"axpy\",\"prec\":\"s\",\"args\":{\"n\":77777},%s,\"variant\":\"stream\",\"mode\":\"replay\",\"temp\":\"cold\",\"usec\":1,\"usec_min\":1,\"gbs\":9,\"gflops\":9,\"roof\":1,\"error\":null,\"vs\":{}}\n", device
        print "this is no JSON"
    }' >"$1/results/cuda-test-gpu/axpy.jsonl"

    # Errors of 10, 20, ... 100 percent: median 55, 90th percentile 91 (position 0.9 * 9 = 8.1, between 90 and 100).
    # The last is the only one at twice the measured time.
    awk -v device="$device" 'BEGIN {
        printf "{\"date\":\"2026-01-03T00:00:00Z\",%s}\n", device
        for (i = 1; i <= 10; i++)
            printf "{\"op\":\"dot\",\"prec\":\"d\",\"args\":{\"n\":%d},%s,\"variant\":\"one_pass\",\"mode\":\"replay\",\"temp\":\"cold\",\"usec\":100,\"predicted_usec\":%d,\"limiter\":\"%s\"}\n", i * 1000, device, 100 + 10 * i, i < 4 ? "launch" : "memory"
    }' >"$1/results/cuda-test-gpu/model-error.jsonl"

    # gemv: the first winner takes 30 us, the last, another choice, 10: a gain of 3. A wrong candidate and a loser
    # stand between. dot: twice the same winner, now slower, now faster: no gain. axpy: 10 us where the choice before
    # took 20.
    awk -v class="$class" 'BEGIN {
        split("30 5 20 10", usec, " "); split("0.1 9 0.1 0.1", error, " "); split("true false false true", winner, " ")
        for (i = 1; i <= 4; i++)
            printf "{\"op\":\"gemv\",\"prec\":\"d\",\"variant\":\"split_n\",\"params\":\"items=%d\",\"key\":\"0x10c\",\"m\":12,\"n\":12,\"flags\":\"aligned\",\"usec\":%s,\"spread\":0.1,\"error\":%s,\"runs\":9,\"winner\":%s,\"kernel\":\"k\",%s,\"date\":\"2026-01-01T00:00:00Z\",\"version\":\"0.1.0\"}\n", 64 * i, usec[i], error[i], winner[i], class
        for (i = 1; i <= 2; i++)
            printf "{\"op\":\"dot\",\"prec\":\"d\",\"variant\":\"one_pass\",\"params\":\"local=64\",\"key\":\"0x114\",\"n\":20,\"flags\":\"\",\"usec\":%d,\"spread\":0.1,\"error\":0.1,\"runs\":9,\"winner\":true,\"kernel\":\"k\",%s,\"date\":\"2026-01-01T00:00:00Z\",\"version\":\"0.1.0\"}\n", 14 - 2 * i, class
        printf "{\"op\":\"axpy\",\"prec\":\"d\",\"variant\":\"stream\",\"params\":\"local=64\",\"key\":\"0x10c\",\"n\":12,\"flags\":\"\",\"usec\":10,\"spread\":0.1,\"error\":0.1,\"runs\":9,\"winner\":true,\"old_usec\":20,\"size\":\"3000\",\"kernel\":\"k\",%s,\"date\":\"2026-01-01T00:00:00Z\",\"version\":\"0.1.0\"}\n", class
    }' >"$1/tuning.jsonl"

    awk -v device="$device" 'BEGIN {
        printf "{\"kind\":\"header\",\"study\":\"portability\",%s,\"date\":\"2026-01-04T00:00:00Z\",\"prec\":\"d\",\"size\":1000,\"configurations\":40}\n", device
        split("copy add dot gemv", op, " ")
        for (o = 1; o <= 4; o++) {
            for (i = 0; i < 40; i++)
                printf "{\"kind\":\"row\",\"op\":\"%s\",\"prec\":\"d\",\"size\":1000,\"local\":%d,\"groups\":%d,\"vec\":1,\"range\":0,\"unroll\":1,\"usec\":1,\"usec_min\":1,\"gbs\":%d,\"runs\":3}\n", op[o], 32 * (1 + int(i / 8)), i % 8, 20 * (i + 1)
            printf "{\"kind\":\"summary\",\"op\":\"%s\",\"prec\":\"d\",\"size\":1000,\"rows\":40,\"of\":40,\"peak_gbs\":1000,\"best\":\"local=160\",\"best_percent\":80,\"median_percent\":41,\"with_copy_percent\":80,\"loss\":1,\"histogram\":\"1 2 3 2 3 2 3 2 3 2 3 2 3 2 3 4 0 0 0 0\"}\n", op[o]
        }
        print "{\"kind\":\"loss\",\"prec\":\"d\",\"size\":1000,\"loss\":1.25,\"ops\":4,\"with_copy\":\"local=160\"}"
    }' >"$1/studies/portability-cuda-test-gpu.jsonl"
    awk -v device="$device" 'BEGIN {
        printf "{\"kind\":\"header\",\"study\":\"latency\",%s,\"date\":\"2026-01-04T00:00:00Z\",\"units\":4}\n", device
        split("arithmetic memory", test, " "); split("GFLOP/s GB/s", unit, " ")
        for (t = 1; t <= 2; t++) {
            for (ilp = 1; ilp <= 8; ilp *= 2)
                for (o = 1 / 64; o <= 1; o *= 2)
                    printf "{\"kind\":\"row\",\"test\":\"%s\",\"ilp\":%d,\"occupancy\":%g,\"rate\":%g,\"in\":\"%s\",\"predicted\":%g}\n", test[t], ilp, o, 900 * o * ilp / (1 + o * ilp), unit[t], 1000 * o * ilp
            printf "{\"kind\":\"summary\",\"test\":\"%s\",\"latency_ns\":321,\"peak\":800,\"in\":\"%s\",\"needed\":64}\n", test[t], unit[t]
        }
    }' >"$1/studies/latency-cuda-test-gpu.jsonl"
}
