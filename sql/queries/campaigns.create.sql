-- Creates a campaign from the object $1; nothing where its account has this display_id already, deleted or not.
INSERT INTO campaigns (account_id, project_id, display_id, name, deeplink, domain_id, is_shortlink, website,
  android_web_redirect, ios_web_redirect, custom_channel_id, store_listing_ids, revision)
SELECT account_id, project_id, display_id, name, deeplink, domain_id, is_shortlink, website, android_web_redirect,
  ios_web_redirect, custom_channel_id, store_listing_ids, revision
FROM jsonb_populate_record(NULL::campaigns, $1)
ON CONFLICT (account_id, display_id) DO NOTHING
RETURNING *
