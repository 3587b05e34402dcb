-- What an attempt has sent is shown to the side whose template it is: to the project what is in url and body, to the
-- partner what is in partner_url and partner_body. Both see the names of its macros.

-- cluster: shard by postback_id
ALTER TABLE adtrail.postbacks
  ADD COLUMN IF NOT EXISTS macros Array(LowCardinality(String)) COMMENT 'Names of the macros of its template [none]'
    AFTER body,
  ADD COLUMN IF NOT EXISTS partner_url String
    COMMENT 'As url, where the template is that of the partner; then url is empty [personal]' CODEC(ZSTD) AFTER macros,
  ADD COLUMN IF NOT EXISTS partner_body String
    COMMENT 'As body, where the template is that of the partner; then body is empty [personal]' CODEC(ZSTD)
    AFTER partner_url;

-- Of attempts before this nobody knows whose template it was: mostly it was that of the partner.
-- cluster: shard by postback_id
ALTER TABLE adtrail.postbacks
  UPDATE partner_url = url, partner_body = body, url = '', body = '' WHERE kind = 'postback' AND url != '';
