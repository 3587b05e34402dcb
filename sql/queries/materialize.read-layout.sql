-- The layout that all rows of materialization $1 have; none while some are of an earlier version.
SELECT layout FROM materialization_layouts WHERE name = $1
