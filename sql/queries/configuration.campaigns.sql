-- One row per campaign that has changed since revision $1, deleted ones too.
SELECT id, project_id, display_id, partner_id, domain_id, active, deleted_at IS NOT NULL AS deleted,
  website, android_web_redirect, ios_web_redirect, store_listing_ids
FROM campaigns
WHERE revision > $1
