"""The rules as compiled functions over blocks of memory, for the batch."""
