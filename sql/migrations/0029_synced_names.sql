-- Synced campaigns follow their network's name until somebody renames them.

ALTER TABLE campaigns ADD COLUMN named_by_network boolean NOT NULL DEFAULT false;
COMMENT ON COLUMN campaigns.named_by_network IS 'Spend and installs give it its name: nobody else has named it [none]';

-- The audit log shows what people do, and not what follows from the name.
ALTER FUNCTION shown(jsonb) RENAME TO shown_fields;
CREATE FUNCTION shown(one jsonb) RETURNS jsonb LANGUAGE sql IMMUTABLE AS $$
  SELECT shown_fields(one - 'named_by_network');
$$;

-- Those that the service made and nobody has renamed since.
UPDATE campaigns
SET named_by_network = true
WHERE network_campaign_id IS NOT NULL
  AND EXISTS (
    SELECT FROM audit_log
    WHERE subject = 'campaigns' AND action = 'create' AND actor = 'service'
      AND audit_log.project_id = campaigns.project_id AND audit_log.name = campaigns.display_id
  )
  AND NOT EXISTS (
    SELECT FROM audit_log
    WHERE subject = 'campaigns' AND action = 'change' AND before ? 'name'
      AND audit_log.project_id = campaigns.project_id AND audit_log.name = campaigns.display_id
  );

-- Whoever else renames a campaign names it for good.
CREATE FUNCTION keep_given_name() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.named_by_network :=
    nullif(current_setting('adtrail.actor', true), '')::jsonb->>'kind' IS NOT DISTINCT FROM 'service';
  RETURN NEW;
END;
$$;

CREATE TRIGGER keep_given_name BEFORE UPDATE ON campaigns FOR EACH ROW
  WHEN (OLD.named_by_network AND NEW.name <> OLD.name) EXECUTE FUNCTION keep_given_name();
