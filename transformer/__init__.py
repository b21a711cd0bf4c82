"""The transformer in NumPy: functions that read like the equations of the papers.

Each operation is a file; forward stands above backward. Every function works on the last axes and leaves the leading
ones free, so ``(T, d)`` and ``(B, T, d)`` run through the same lines, and it returns the dtype that it was given.
"""
