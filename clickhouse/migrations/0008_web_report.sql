-- What web reports read: derived from web events, each row replaced as a whole.

-- One row per touch: what the landing pages and referrers that have this number speak of. Direct visits have none.
-- cluster: shard by touch
CREATE TABLE IF NOT EXISTS adtrail.web_touches (
  project_id UInt32 COMMENT 'Project that the touch belongs to',
  touch UInt64 COMMENT 'Number of the touch, a function of the values below',
  channel LowCardinality(String) COMMENT 'Channel, for example organic_search',
  source LowCardinality(String) COMMENT 'Source, for example google; empty for none',
  utm_source String COMMENT 'utm_source of the landing page',
  utm_medium String COMMENT 'utm_medium of the landing page',
  utm_campaign String COMMENT 'utm_campaign of the landing page',
  utm_id String COMMENT 'utm_id of the landing page',
  utm_content String COMMENT 'utm_content of the landing page',
  utm_term String COMMENT 'utm_term of the landing page',
  network_campaign_id String COMMENT 'Campaign at the ad network; empty for none',
  ad_set_id String COMMENT 'Ad set or ad group at the ad network; empty for none',
  ad_id String COMMENT 'Ad at the ad network; empty for none',
  version UInt64 COMMENT 'Run that wrote the row; the rows of a touch are all the same'
)
ENGINE = ReplacingMergeTree(version)
ORDER BY (project_id, touch)
COMMENT 'What web events are credited to; derived';

-- One row per visitor, without events of bots, with three lists. An element stands for all events of one session on
-- one day that are credited to the same touches under both models and lie between the same pauses; a conversion for one
-- sign-up or purchase; an event for all events of one name among those of an element.
-- cluster: shard by visitor_id
CREATE TABLE IF NOT EXISTS adtrail.web_visitors (
  project_id UInt32 COMMENT 'Project that the visitor belongs to',
  visitor_id String COMMENT 'Visitor' CODEC(ZSTD),
  first_day Date COMMENT 'Day of the first event; days are those of Asia/Kolkata',
  last_day Date COMMENT 'Day of the last event',
  `element.day` Array(Date) COMMENT 'Day of the events',
  `element.session` Array(UInt32) COMMENT 'Number of the session within the visitor',
  `element.last_touch` Array(UInt64) COMMENT 'Latest touch at or before the events; 0 for direct',
  `element.first_touch` Array(UInt64) COMMENT 'Earliest touch, where it is at or before the events; 0 for direct',
  `element.pause_time` Array(UInt64)
    COMMENT 'Latest beginning or end of any pause at or before the events, in milliseconds; 0 for none',
  `element.page_views` Array(UInt32) COMMENT 'Page views among the events',
  `conversion.day` Array(Date) COMMENT 'As of elements',
  `conversion.last_touch` Array(UInt64) COMMENT 'As of elements',
  `conversion.first_touch` Array(UInt64) COMMENT 'As of elements',
  `conversion.pause_time` Array(UInt64) COMMENT 'As of elements',
  `conversion.is_signup` Array(UInt8) COMMENT '1: a sign-up, 0: a purchase',
  `conversion.user` Array(UInt128) COMMENT 'Hash of the user_id, or else of the visitor_id',
  `conversion.revenue` Array(Decimal(38, 9)) COMMENT 'Revenue of a purchase',
  `event.day` Array(Date) COMMENT 'As of elements',
  `event.last_touch` Array(UInt64) COMMENT 'As of elements',
  `event.first_touch` Array(UInt64) COMMENT 'As of elements',
  `event.pause_time` Array(UInt64) COMMENT 'As of elements',
  `event.name` Array(LowCardinality(String)) COMMENT 'Name of the events',
  `event.count` Array(UInt32) COMMENT 'How many there are',
  version UInt64 COMMENT 'Run that wrote the row; the greatest counts'
)
ENGINE = ReplacingMergeTree(version)
ORDER BY (project_id, visitor_id)
COMMENT 'Visitors with what their events are credited to; derived';
