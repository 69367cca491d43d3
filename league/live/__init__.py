"""Server-sent events: rows written with a fact, read by one thread, sent to every open stream."""
