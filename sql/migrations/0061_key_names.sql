-- Keys have names and prefixes, and their last use is noted to the minute.

ALTER TABLE project_keys ADD COLUMN IF NOT EXISTS name text;
ALTER TABLE project_keys ADD COLUMN IF NOT EXISTS prefix text;
COMMENT ON COLUMN project_keys.name IS 'What people call it; null where nobody gave it a name [none]';
COMMENT ON COLUMN project_keys.prefix IS 'How it begins, of one that the service made [none]';
COMMENT ON COLUMN project_keys.last_used_at IS 'Last request with the key, to a minute; null before the first [none]';
