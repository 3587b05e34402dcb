-- Alerts and schedules in the audit log: what people choose of them, not what the service notes as it judges and sends.
CREATE OR REPLACE FUNCTION note_choice() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  own_work CONSTANT text[] := ARRAY['turn', 'due_at', 'judged', 'judged_at', 'outcome', 'next_at', 'updated_at'];
BEGIN
  IF TG_OP = 'INSERT' THEN
    PERFORM note_rows(TG_TABLE_NAME, array_fill(NULL::jsonb, ARRAY[cardinality(rows)]), rows)
    FROM (SELECT array_agg(to_jsonb(one) - own_work) AS rows FROM after_rows AS one) AS changed WHERE rows IS NOT NULL;
  ELSIF TG_OP = 'DELETE' THEN
    PERFORM note_rows(TG_TABLE_NAME, rows, array_fill(NULL::jsonb, ARRAY[cardinality(rows)]))
    FROM (SELECT array_agg(to_jsonb(one) - own_work) AS rows FROM before_rows AS one) AS changed WHERE rows IS NOT NULL;
  ELSE
    PERFORM note_rows(TG_TABLE_NAME, befores, afters)
    FROM (
      SELECT array_agg(to_jsonb(earlier) - own_work) AS befores, array_agg(to_jsonb(later) - own_work) AS afters
      FROM before_rows AS earlier
      JOIN after_rows AS later ON earlier.id = later.id
      WHERE to_jsonb(earlier) - own_work <> to_jsonb(later) - own_work
    ) AS changed WHERE befores IS NOT NULL;
  END IF;
  RETURN NULL;
END;
$$;

CREATE OR REPLACE TRIGGER note_create AFTER INSERT ON alerts REFERENCING NEW TABLE AS after_rows
  FOR EACH STATEMENT EXECUTE FUNCTION note_choice();
CREATE OR REPLACE TRIGGER note_change AFTER UPDATE ON alerts REFERENCING OLD TABLE AS before_rows
  NEW TABLE AS after_rows FOR EACH STATEMENT EXECUTE FUNCTION note_choice();
CREATE OR REPLACE TRIGGER note_delete AFTER DELETE ON alerts REFERENCING OLD TABLE AS before_rows
  FOR EACH STATEMENT EXECUTE FUNCTION note_choice();
CREATE OR REPLACE TRIGGER note_create AFTER INSERT ON schedules REFERENCING NEW TABLE AS after_rows
  FOR EACH STATEMENT EXECUTE FUNCTION note_choice();
CREATE OR REPLACE TRIGGER note_change AFTER UPDATE ON schedules REFERENCING OLD TABLE AS before_rows
  NEW TABLE AS after_rows FOR EACH STATEMENT EXECUTE FUNCTION note_choice();
CREATE OR REPLACE TRIGGER note_delete AFTER DELETE ON schedules REFERENCING OLD TABLE AS before_rows
  FOR EACH STATEMENT EXECUTE FUNCTION note_choice();
