-- Function passes of queries without filters.
(dimension, value) -> true
