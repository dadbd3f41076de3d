"""What the library of DLM should compute, written down again in NumPy and float64."""
