-- When each key was last used, to an hour.

ALTER TABLE project_keys ADD COLUMN IF NOT EXISTS last_used_at timestamptz(3);
COMMENT ON COLUMN project_keys.last_used_at IS 'Last request with the key, to an hour; null before the first [none]';

-- That a key is used is no change of the configuration.
CREATE OR REPLACE FUNCTION shown(one jsonb) RETURNS jsonb LANGUAGE sql IMMUTABLE AS $$
  SELECT one - '{sha256,password,totp_secret,totp_last_step,recovery_codes,revision,updated_at,id,last_used_at}'::text[]
    || CASE WHEN one ? 'password' THEN jsonb_build_object(
      'password', 'set, ' || left(encode(sha256(convert_to(one->>'password', 'UTF8')), 'hex'), 8),
      'second_factor', one->>'totp_secret' IS NOT NULL) ELSE '{}'::jsonb END;
$$;
