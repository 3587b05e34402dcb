-- Function passes of queries: whether the value of a dimension passes the filters on it. Texts are compared as they
-- are, parts of texts in any case.
(dimension, value) -> if(has({filter_dimensions:Array(String)}, dimension), arrayAll(
  (filtered, operator, values) -> filtered != dimension OR multiIf(
    operator = 'is', has(values, value),
    operator = 'is_not', NOT has(values, value),
    operator = 'contains', arrayExists(part -> positionCaseInsensitiveUTF8(value, part) > 0, values),
    NOT arrayExists(part -> positionCaseInsensitiveUTF8(value, part) > 0, values)),
  {filter_dimensions:Array(String)}, {filter_operators:Array(String)}, {filter_values:Array(Array(String))}
), true)
