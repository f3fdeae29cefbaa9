"""What is compiled: kept on disk under a hash of the files of this folder and of the engine."""
