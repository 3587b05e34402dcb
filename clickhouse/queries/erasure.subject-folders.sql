-- One row: the folders of the table of identifiers.
SELECT data_paths AS folders FROM system.tables WHERE database = 'adtrail' AND name = 'erasure_subjects'
