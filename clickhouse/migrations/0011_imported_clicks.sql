-- Clicks loaded in bulk with their original times, beside those that partners report and those on links.

-- cluster: shard by click_id
ALTER TABLE adtrail.clicks
  COMMENT COLUMN kind 'Where the click came from: s2s, link, import',
  COMMENT COLUMN received_at 'When the service received the record first; of an imported click its own time';

-- cluster: on every node
ALTER TABLE analytics.clicks
  COMMENT COLUMN kind 'Where the click came from: s2s, link, import',
  COMMENT COLUMN received_at 'When the service received the record first; of an imported click its own time';
