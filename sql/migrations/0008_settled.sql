-- `settled`: the receipt time up to which everything accepted is taken in. Attribution decides no install that was
-- received later than what it reads is complete for.

ALTER TABLE watermarks ADD COLUMN settled timestamptz NOT NULL DEFAULT to_timestamp(0);

COMMENT ON COLUMN watermarks.settled IS '[none]';

-- Its successor, touches, fills other tables, and begins with everything that is stored.
DELETE FROM watermarks WHERE name = 'touch-index';
