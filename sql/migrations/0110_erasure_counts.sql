-- How much was found of a person, in the receipt; and erasures in the audit log, without whom they are about.
ALTER TABLE erasure_requests ADD COLUMN IF NOT EXISTS found jsonb;
COMMENT ON COLUMN erasure_requests.found IS 'How much there was of the person; null before it is counted [none]';

-- What the audit log shows of a request: no identifier, in no form.
CREATE OR REPLACE FUNCTION shown_erasure(one erasure_requests) RETURNS jsonb LANGUAGE sql IMMUTABLE AS $$
  SELECT jsonb_build_object('id', one.id, 'project_id', one.project_id, 'name', '#' || one.id, 'kind', one.kind,
      'requested_at', one.requested_at, 'hidden_at', one.hidden_at, 'removed_at', one.removed_at)
    || CASE WHEN one.hidden_at IS NULL THEN '{}'::jsonb ELSE coalesce(one.found, '{}'::jsonb) END;
$$;

CREATE OR REPLACE FUNCTION note_erasure() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    PERFORM note_rows(TG_TABLE_NAME, ARRAY[NULL::jsonb], ARRAY[shown_erasure(NEW)]);
  ELSIF TG_OP = 'DELETE' THEN
    PERFORM note_rows(TG_TABLE_NAME, ARRAY[shown_erasure(OLD)], ARRAY[NULL::jsonb]);
  ELSE
    PERFORM note_rows(TG_TABLE_NAME, ARRAY[shown_erasure(OLD)], ARRAY[shown_erasure(NEW)]);
  END IF;
  RETURN NULL;
END;
$$;

CREATE OR REPLACE TRIGGER note_row AFTER INSERT OR UPDATE OR DELETE ON erasure_requests
  FOR EACH ROW EXECUTE FUNCTION note_erasure();
