"""What each answer of the course must satisfy: one module per notebook, read from `labsupport.checking` alone."""
