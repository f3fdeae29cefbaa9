"""The German JSON protocol of LMU Munich, versions 0.1, 0.2, 0.3 and 1.0: docs/german.md."""
