-- Sets what can be edited of campaign $1 from the object $2.
UPDATE campaigns
SET name = wanted.name, active = wanted.active, website = wanted.website,
  android_web_redirect = wanted.android_web_redirect, ios_web_redirect = wanted.ios_web_redirect,
  custom_channel_id = wanted.custom_channel_id, revision = wanted.revision, updated_at = now()
FROM jsonb_populate_record(NULL::campaigns, $2) AS wanted
WHERE campaigns.id = $1
