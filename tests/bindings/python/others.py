# others.py: memory shared with JAX and PyTorch on the CPU, in both directions.
# SPDX-License-Identifier: BSD-3-Clause
"""What is not installed is left out and said; one of them must be there."""
import gc
import sys

import gable_linalg as gl
import numpy as np


def torch_both_ways():
    import torch
    for kind in (torch.float32, torch.float64, torch.complex64, torch.complex128):
        t = torch.arange(12.0).to(kind).reshape(3, 4)
        a = gl.from_dlpack(t)
        assert a.address == t.data_ptr() and a.shape == (3, 4)
        a *= 2
        assert t[1, 1].item() == 10
        back = torch.from_dlpack(a.T)
        assert back.data_ptr() == a.address and tuple(back.shape) == (4, 3)
        back[0, 0] = 7
        assert a[0, 0].item() == 7
        product = torch.from_dlpack(gl.asarray(t) @ gl.asarray(t).T)
        assert torch.equal(product, t @ t.T)
        del a, t
        gc.collect()
        assert back[0, 0].item() == 7
    try:
        gl.from_dlpack(torch.zeros(2, dtype=torch.float16))
        raise AssertionError("float16 was taken")
    except gl.NotSupportedError as error:
        assert "float16" in str(error)
    with gl.Context("cpu") as ctx:
        ctx.allocator = lambda size: torch.empty(size, dtype=torch.uint8)
        x = gl.full((3, 3), 2.0)
        assert (x @ x)[0, 0].item() == 12
    # Temporaries of its allocator, freed at once.
    for i in range(10000):
        assert gl.from_dlpack(torch.full((5,), float(i)))[3].item() == i


def jax_both_ways():
    import jax
    import jax.numpy as jnp
    jax.config.update("jax_enable_x64", True)
    x = jnp.arange(12.0).reshape(3, 4)
    a = gl.from_dlpack(x)
    assert a.address == x.unsafe_buffer_pointer()  # JAX's tensors do not say that they are read-only
    np.testing.assert_array_equal(a.numpy(), np.asarray(x))
    b = gl.array(np.arange(64.0).reshape(8, 8))
    y = jnp.from_dlpack(b)
    b = None
    gc.collect()
    np.testing.assert_array_equal(np.asarray(y), np.arange(64.0).reshape(8, 8))


if __name__ == "__main__":
    done = 0
    for name, test in (("torch", torch_both_ways), ("jax", jax_both_ways)):
        try:
            __import__(name)
        except (ImportError, OSError) as error:
            print("without %s: %s" % (name, error))
            continue
        with gl.Context("cpu"):
            test()
        print("%s: both ways" % name)
        done += 1
    sys.exit(0 if done else 77)
