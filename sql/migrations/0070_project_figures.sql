-- How the figures of a project are judged and written. Projects of before keep what held for all.
ALTER TABLE projects ADD COLUMN IF NOT EXISTS target_roas double precision NOT NULL DEFAULT 1;
COMMENT ON COLUMN projects.target_roas IS 'Revenue per spend that campaigns must reach to be worth their cost [none]';
ALTER TABLE projects ADD COLUMN IF NOT EXISTS locale text NOT NULL DEFAULT 'en-US';
COMMENT ON COLUMN projects.locale IS 'How numbers and dates are written: a language with its country [none]';
