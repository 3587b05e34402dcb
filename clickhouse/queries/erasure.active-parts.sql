-- One row per part in force: its folder.
SELECT path FROM system.parts WHERE database = 'adtrail' AND active
