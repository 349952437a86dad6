# heat_and_pca.py: the heat equation by CG, a recording, and a principal component analysis, with plots.
# SPDX-License-Identifier: BSD-3-Clause
"""usage: heat_and_pca.py [FOLDER [N]]

Writes heat.svg and pca.svg into FOLDER (default: here). N x N points of a plate (default 64).

1. A hot spot on a plate whose border is kept cold: each implicit step (I + dt L) u' = u is a sparse
   system, solved by conjugate gradients.
2. The same by explicit steps u' = u - s L u, recorded once and replayed.
3. Points around a line: the direction of the line is the first principal component, found by power
   iteration with the covariance matrix.
"""
import math
import os
import sys
import time

import numpy as np

import gable_linalg as gl


def laplacian(n):
    """5 points on n x n, as compressed rows."""
    data, columns, starts = [], [], [0]
    for i in range(n):
        for j in range(n):
            for di, dj, value in ((-1, 0, -1.0), (0, -1, -1.0), (0, 0, 4.0), (0, 1, -1.0), (1, 0, -1.0)):
                if 0 <= i + di < n and 0 <= j + dj < n:
                    data.append(value)
                    columns.append((i + di) * n + j + dj)
            starts.append(len(data))
    return np.array(data), np.array(columns, "int32"), np.array(starts, "int32")


def svg(path, lines, points, title, labels):
    """A plot of lines and points in data coordinates, without any other library."""
    xs = [x for line in lines for x, _ in line] + [x for x, _ in points]
    ys = [y for line in lines for _, y in line] + [y for _, y in points]
    low_x, high_x, low_y, high_y = min(xs), max(xs), min(ys), max(ys)

    def place(x, y):
        return (60 + 520 * (x - low_x) / ((high_x - low_x) or 1),
                340 - 280 * (y - low_y) / ((high_y - low_y) or 1))

    colours = ["#c0392b", "#d68910", "#1e8449", "#2471a3", "#7d3c98"]
    out = ['<svg xmlns="http://www.w3.org/2000/svg" width="640" height="400" font-family="sans-serif" font-size="12">',
           '<rect width="640" height="400" fill="white"/>',
           '<text x="320" y="30" text-anchor="middle" font-size="15">%s</text>' % title,
           '<path d="M60 60 V340 H580" fill="none" stroke="black"/>']
    for value, (x, y) in ((low_x, (60, 358)), (high_x, (580, 358)), (low_y, (30, 340)), (high_y, (30, 64))):
        out.append('<text x="%d" y="%d" text-anchor="middle">%.3g</text>' % (x, y, value))
    for x, y in points:
        out.append('<circle cx="%.1f" cy="%.1f" r="2" fill="#2471a3" fill-opacity="0.5"/>' % place(x, y))
    for i, line in enumerate(lines):
        colour = colours[i % len(colours)]
        out.append('<polyline fill="none" stroke="%s" stroke-width="2" points="%s"/>' %
                   (colour, " ".join("%.1f,%.1f" % place(x, y) for x, y in line)))
        out.append('<text x="590" y="%d" fill="%s">%s</text>' % (80 + 18 * i, colour, labels[i]))
    with open(path, "w") as file:
        file.write("\n".join(out + ["</svg>\n"]))


def heat(n, folder):
    data, columns, starts = laplacian(n)
    dt = 1.0
    L = gl.sparse.csr(data, columns, starts, (n * n, n * n))
    system = data * dt
    rows = np.repeat(np.arange(n * n), np.diff(starts))
    system[rows == columns] += 1
    A = gl.sparse.csr(system, columns, starts, (n * n, n * n))

    start = np.zeros((n, n))
    start[n // 4:n // 2, n // 4:n // 2] = 1
    u = gl.array(start.reshape(-1))
    lines, labels = [], []
    began = time.perf_counter()
    iterations = 0
    for step in range(36):
        if step % 8 == 0:
            row = u.reshape(n, n)[n // 3].numpy()
            lines.append(list(enumerate(row.tolist())))
            labels.append("t = %g" % (step * dt))
        u, info = gl.sparse.solve(A, u, x0=u, method="cg", tolerance=1e-10)
        iterations += info.iterations
    print("implicit: 36 steps, %d iterations of CG, %.3f s" % (iterations, time.perf_counter() - began))

    # Explicit steps of a 25th of the time: two calls, recorded once.
    v, w, s = gl.array(start.reshape(-1)), gl.zeros(n * n), dt / 25

    @gl.record
    def explicit(v, w):
        L.matvec(v, w)          # w = L v
        gl.add_to(v, w, -s)     # v = v - s w

    began = time.perf_counter()
    for _ in range(900):
        explicit(v, w)
    v.context.sync()
    print("explicit: 900 replayed steps, %.3f s" % (time.perf_counter() - began))
    apart = gl.linalg.norm(u - v) / gl.linalg.norm(v)
    print("the two differ by %.1f %%" % (100 * apart))
    assert apart < 0.1
    svg(os.path.join(folder, "heat.svg"), lines, [], "Heat on a plate, along one row", labels)


def components(folder):
    generator = np.random.default_rng(1)
    along = np.array([math.cos(0.5), math.sin(0.5)])
    points = np.outer(3 * generator.standard_normal(400), along) + 0.5 * generator.standard_normal((400, 2))
    X = gl.array(points)
    mean = gl.full(400, 1 / 400) @ X
    X -= gl.full((400, 1), 1.0) @ mean.reshape(1, 2)
    C = X.T @ X                              # no copy: X is stored by rows
    v = gl.array([1.0, 0.0])
    for _ in range(50):
        v = C @ v
        v *= 1 / gl.linalg.norm(v)
    found = v.numpy()
    print("first component %s, the line has %s" % (found.round(3), along.round(3)))
    assert abs(abs(found @ along) - 1) < 1e-2
    middle = mean.numpy()
    line = [tuple(middle - 8 * found), tuple(middle + 8 * found)]
    svg(os.path.join(folder, "pca.svg"), [line], points.tolist(), "Points and their first component", [""])


if __name__ == "__main__":
    target = sys.argv[1] if len(sys.argv) > 1 else "."
    print("on", gl.context().device.title)
    heat(int(sys.argv[2]) if len(sys.argv) > 2 else 64, target)
    components(target)
