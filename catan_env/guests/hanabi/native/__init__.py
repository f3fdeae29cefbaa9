"""The rules once more, as compiled functions over blocks of memory: what the batch stands on."""
