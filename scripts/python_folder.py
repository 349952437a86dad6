# python_folder.py: prints the folder below a prefix where this Python looks for packages.
# SPDX-License-Identifier: BSD-3-Clause
"""usage: python_folder.py PREFIX"""
import site
import sys

prefix = sys.argv[1].rstrip("/") + "/"
inside = [folder for folder in site.getsitepackages() if folder.startswith(prefix)]
print(inside[0] if inside else "%slib/python%d.%d/site-packages" % ((prefix,) + sys.version_info[:2]))
