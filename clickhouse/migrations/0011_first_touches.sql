-- Clicks loaded in bulk with their original times, and which delivery of a touch was the first.

-- cluster: shard by click_id
ALTER TABLE adtrail.clicks
  COMMENT COLUMN kind 'Where the click came from: s2s, link, import',
  COMMENT COLUMN received_at 'When the service received the record first; of an imported click its own time';

-- cluster: on every node
ALTER TABLE analytics.clicks
  COMMENT COLUMN kind 'Where the click came from: s2s, link, import',
  COMMENT COLUMN received_at 'When the service received the record first; of an imported click its own time';

-- One row a touch. A repeat of a touch can name another device or address, and then is another row of adtrail.touches: only
-- rows with the version that stands here count. Written by the attribution worker, before it writes those.
-- cluster: shard by touch_id
CREATE TABLE IF NOT EXISTS adtrail.first_touches (
  touch_id UUID COMMENT 'ID of the click or impression',
  version UInt64 COMMENT 'Greatest version of its rows: that of the delivery first received'
)
ENGINE = ReplacingMergeTree(version)
ORDER BY (touch_id)
SETTINGS index_granularity = 512
COMMENT 'Versions of touches as first received; derived';
