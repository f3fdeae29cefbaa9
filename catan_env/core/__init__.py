"""The rules engine: functions over one fixed block of memory per game."""
