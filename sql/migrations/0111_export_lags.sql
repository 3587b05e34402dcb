-- How far behind scheduled exports are, and since when they fail, so that all of them are read at once.

ALTER TABLE export_states ADD COLUMN IF NOT EXISTS failing_since timestamptz(3);
ALTER TABLE export_states ADD COLUMN IF NOT EXISTS next_ends_at timestamptz(3);
COMMENT ON COLUMN export_states.failing_since IS
  'When the first of its failures was; it has failed since while failures is not 0 [none]';
COMMENT ON COLUMN export_states.next_ends_at IS
  'When the first period ends that is not written, those of back-fills left out; null before the first look [none]';
