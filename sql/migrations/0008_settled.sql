-- By receipt time, how far derived tables are: attribution decides what those are complete for that it reads.

ALTER TABLE watermarks ADD COLUMN settled timestamptz NOT NULL DEFAULT to_timestamp(0);

COMMENT ON COLUMN watermarks.settled IS 'Receipt time up to which everything accepted is taken in';

-- Its successor, touches, fills other tables, and begins with everything that is stored.
DELETE FROM watermarks WHERE name = 'touch-index';
