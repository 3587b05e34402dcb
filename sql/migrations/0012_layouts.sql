-- What a derived table holds of the rows that an earlier version wrote: they lack what was added since until they are
-- derived anew. A row says that all of them are.
CREATE TABLE materialization_layouts (
  name text PRIMARY KEY,
  layout integer NOT NULL,
  filled_at timestamptz NOT NULL DEFAULT now()
);
COMMENT ON TABLE materialization_layouts IS 'Derived tables whose rows all have the layout of this version';
COMMENT ON COLUMN materialization_layouts.name IS 'Name of the materialization [none]';
COMMENT ON COLUMN materialization_layouts.layout IS 'Number of the layout that all rows have [none]';
COMMENT ON COLUMN materialization_layouts.filled_at IS 'When the last of them got it [none]';
