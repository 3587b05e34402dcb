-- Function asks of web queries: whether rows are grouped or filtered by a dimension.
dimension -> has({dimensions:Array(String)}, dimension) OR has({filter_dimensions:Array(String)}, dimension)
