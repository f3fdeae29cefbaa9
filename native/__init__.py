"""Machine code for wheels, C and browsers, generated from the Python rules.

`python -m native` builds it; `make native` and the build hook call that.
"""
