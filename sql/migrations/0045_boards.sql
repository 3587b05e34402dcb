-- Questions that a project keeps, boards that show them, and links by which anybody may look at a board.
CREATE TABLE IF NOT EXISTS saved_questions (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  project_id integer NOT NULL REFERENCES projects,
  name text NOT NULL,
  question jsonb NOT NULL,
  created_by text NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  UNIQUE (project_id, name),
  -- What refers to a question refers to one of its own project.
  UNIQUE (project_id, id)
);
COMMENT ON TABLE saved_questions IS 'Questions that a project keeps for boards, alerts and schedules';
COMMENT ON COLUMN saved_questions.id IS 'ID of the question [none]';
COMMENT ON COLUMN saved_questions.project_id IS 'Project that it belongs to [none]';
COMMENT ON COLUMN saved_questions.name IS 'What it is called, unique in its project [none]';
COMMENT ON COLUMN saved_questions.question IS 'The question, as docs/contract/boards.md has it [none]';
COMMENT ON COLUMN saved_questions.created_by IS 'Who saved it first: of those who run advertising [none]';
COMMENT ON COLUMN saved_questions.created_at IS 'When it was saved first [none]';
COMMENT ON COLUMN saved_questions.updated_at IS 'When it was changed last [none]';

CREATE TABLE IF NOT EXISTS boards (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  project_id integer NOT NULL REFERENCES projects,
  name text NOT NULL,
  created_by text NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  UNIQUE (project_id, name),
  UNIQUE (project_id, id)
);
COMMENT ON TABLE boards IS 'Boards of a project: saved questions, arranged';
COMMENT ON COLUMN boards.id IS 'ID of the board [none]';
COMMENT ON COLUMN boards.project_id IS 'Project that it belongs to [none]';
COMMENT ON COLUMN boards.name IS 'What it is called, unique in its project [none]';
COMMENT ON COLUMN boards.created_by IS 'Who made it: of those who run advertising [none]';
COMMENT ON COLUMN boards.created_at IS 'When it was made [none]';
COMMENT ON COLUMN boards.updated_at IS 'When it, or its items, were changed last [none]';

CREATE TABLE IF NOT EXISTS board_items (
  project_id integer NOT NULL,
  board_id integer NOT NULL,
  position smallint NOT NULL,
  question_id integer,
  heading text,
  x smallint NOT NULL,
  y smallint NOT NULL,
  w smallint NOT NULL,
  h smallint NOT NULL,
  PRIMARY KEY (board_id, position),
  FOREIGN KEY (project_id, board_id) REFERENCES boards (project_id, id) ON DELETE CASCADE,
  -- A question that a board shows is not deleted.
  FOREIGN KEY (project_id, question_id) REFERENCES saved_questions (project_id, id),
  CHECK ((question_id IS NULL) <> (heading IS NULL))
);
CREATE INDEX IF NOT EXISTS board_items_question_idx ON board_items (project_id, question_id);
COMMENT ON TABLE board_items IS 'What stands on boards: a saved question or a heading, on a grid of twelve columns';
COMMENT ON COLUMN board_items.project_id IS 'Project of the board [none]';
COMMENT ON COLUMN board_items.board_id IS 'Board that it stands on [none]';
COMMENT ON COLUMN board_items.position IS 'Its place in the order of reading, from 0 [none]';
COMMENT ON COLUMN board_items.question_id IS 'The question; null for a heading [none]';
COMMENT ON COLUMN board_items.heading IS 'The heading; null for a question [none]';
COMMENT ON COLUMN board_items.x IS 'First column, from 0 [none]';
COMMENT ON COLUMN board_items.y IS 'First row, from 0 [none]';
COMMENT ON COLUMN board_items.w IS 'Columns [none]';
COMMENT ON COLUMN board_items.h IS 'Rows [none]';

CREATE TABLE IF NOT EXISTS board_links (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  project_id integer NOT NULL,
  board_id integer NOT NULL,
  name text NOT NULL,
  sha256 text NOT NULL UNIQUE,
  created_by text NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  expires_at timestamptz(3) NOT NULL,
  revoked_at timestamptz(3),
  FOREIGN KEY (project_id, board_id) REFERENCES boards (project_id, id) ON DELETE CASCADE
);
CREATE INDEX IF NOT EXISTS board_links_board_idx ON board_links (project_id, board_id);
COMMENT ON TABLE board_links IS 'Links by which anybody who has one may look at a board';
COMMENT ON COLUMN board_links.id IS 'ID of the link [none]';
COMMENT ON COLUMN board_links.project_id IS 'Project of the board [none]';
COMMENT ON COLUMN board_links.board_id IS 'The only thing that it shows [none]';
COMMENT ON COLUMN board_links.name IS 'The board''s name when the link was made, for the audit log [none]';
COMMENT ON COLUMN board_links.sha256 IS 'SHA-256 of its token [none]';
COMMENT ON COLUMN board_links.created_by IS 'Who made it: of those who run advertising [none]';
COMMENT ON COLUMN board_links.created_at IS 'When it was made [none]';
COMMENT ON COLUMN board_links.expires_at IS 'Until when it works [none]';
COMMENT ON COLUMN board_links.revoked_at IS 'When it was revoked; null while it was not [none]';

-- Who lets strangers look at figures, and who ends it, stands in the audit log.
CREATE OR REPLACE TRIGGER note_create AFTER INSERT ON board_links REFERENCING NEW TABLE AS after_rows
  FOR EACH STATEMENT EXECUTE FUNCTION note_change();
CREATE OR REPLACE TRIGGER note_change AFTER UPDATE ON board_links REFERENCING OLD TABLE AS before_rows
  NEW TABLE AS after_rows FOR EACH STATEMENT EXECUTE FUNCTION note_change('id', 'id');
CREATE OR REPLACE TRIGGER note_delete AFTER DELETE ON board_links REFERENCING OLD TABLE AS before_rows
  FOR EACH STATEMENT EXECUTE FUNCTION note_change();
