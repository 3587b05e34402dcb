-- Where records come from, told as they arrive, so that it outlives the address and the user agent; and what queries
-- ask of web visits beyond the web report.

-- cluster: shard by click_id
ALTER TABLE adtrail.clicks
  ADD COLUMN IF NOT EXISTS country LowCardinality(String)
    COMMENT 'Country of the address, ISO 3166-1 alpha-2; empty if unknown [none]' AFTER ip,
  ADD COLUMN IF NOT EXISTS device_type LowCardinality(String)
    COMMENT 'desktop, mobile, tablet or tv, as the user agent says; empty if it does not [none]' AFTER country,
  ADD COLUMN IF NOT EXISTS os_name LowCardinality(String)
    COMMENT 'Operating system that the user agent names, for example Android; empty for none [none]' AFTER device_type;

-- cluster: shard by impression_id
ALTER TABLE adtrail.impressions
  ADD COLUMN IF NOT EXISTS country LowCardinality(String)
    COMMENT 'Country of the address, ISO 3166-1 alpha-2; empty if unknown [none]' AFTER ip,
  ADD COLUMN IF NOT EXISTS device_type LowCardinality(String)
    COMMENT 'desktop, mobile, tablet or tv, as the user agent says; empty if it does not [none]' AFTER country,
  ADD COLUMN IF NOT EXISTS os_name LowCardinality(String)
    COMMENT 'Operating system that the user agent names, for example Android; empty for none [none]' AFTER device_type;

-- cluster: shard by impression_id
ALTER TABLE adtrail.ctv_impressions
  ADD COLUMN IF NOT EXISTS country LowCardinality(String)
    COMMENT 'Country of the address, ISO 3166-1 alpha-2; empty if unknown [none]' AFTER ip,
  ADD COLUMN IF NOT EXISTS device_type LowCardinality(String)
    COMMENT 'desktop, mobile, tablet or tv, as the user agent says; empty if it does not [none]' AFTER country,
  ADD COLUMN IF NOT EXISTS os_name LowCardinality(String)
    COMMENT 'Operating system that the user agent names, for example Android; empty for none [none]' AFTER device_type;

-- cluster: shard by install_id
ALTER TABLE adtrail.app_events
  ADD COLUMN IF NOT EXISTS country LowCardinality(String)
    COMMENT 'Country of the address, ISO 3166-1 alpha-2; empty if unknown [none]' AFTER ip;

-- cluster: shard by visitor_id
ALTER TABLE adtrail.web_events
  ADD COLUMN IF NOT EXISTS country LowCardinality(String)
    COMMENT 'Country of the address, ISO 3166-1 alpha-2; empty if unknown [none]' AFTER ip,
  ADD COLUMN IF NOT EXISTS device_type LowCardinality(String)
    COMMENT 'desktop, mobile, tablet or tv, as the user agent says; empty if it does not [none]' AFTER country,
  ADD COLUMN IF NOT EXISTS os_name LowCardinality(String)
    COMMENT 'Operating system that the user agent names, for example Android; empty for none [none]' AFTER device_type,
  ADD COLUMN IF NOT EXISTS browser_name LowCardinality(String)
    COMMENT 'Browser that the user agent names, for example Chrome; empty for none [none]' AFTER os_name;

-- A hit stands for one event, with what is known of its session. What names pages stands beside the hits, each list as
-- long as theirs, or empty once it was blanked. Visitors that are there already get all this when they are derived anew
-- (clickhouse/queries/web-visitors.select-former.sql).
-- cluster: shard by visitor_id
ALTER TABLE adtrail.web_visitors
  ADD COLUMN IF NOT EXISTS `hit.time` Array(DateTime('UTC')) COMMENT 'When the event happened [none]' CODEC(ZSTD)
    AFTER `event.count`,
  ADD COLUMN IF NOT EXISTS `hit.session` Array(UInt32) COMMENT 'As of elements [none]' CODEC(ZSTD) AFTER `hit.time`,
  ADD COLUMN IF NOT EXISTS `hit.last_touch` Array(UInt64) COMMENT 'As of elements [none]' CODEC(ZSTD)
    AFTER `hit.session`,
  ADD COLUMN IF NOT EXISTS `hit.first_touch` Array(UInt64) COMMENT 'As of elements [none]' CODEC(ZSTD)
    AFTER `hit.last_touch`,
  ADD COLUMN IF NOT EXISTS `hit.pause_time` Array(UInt64) COMMENT 'As of elements [none]' CODEC(ZSTD)
    AFTER `hit.first_touch`,
  ADD COLUMN IF NOT EXISTS `hit.kind` Array(UInt8) COMMENT '1: a page view, 2: a sign-up, 3: a purchase, 0: else [none]'
    CODEC(ZSTD) AFTER `hit.pause_time`,
  ADD COLUMN IF NOT EXISTS `hit.name` Array(LowCardinality(String))
    COMMENT 'Name of the event; empty for page views [none]' CODEC(ZSTD) AFTER `hit.kind`,
  ADD COLUMN IF NOT EXISTS `hit.revenue` Array(Decimal(38, 9)) COMMENT 'Revenue of a purchase, else 0 [none]'
    CODEC(ZSTD) AFTER `hit.name`,
  ADD COLUMN IF NOT EXISTS `hit.session_ms` Array(UInt64)
    COMMENT 'Milliseconds from the first to the last event of its session [none]' CODEC(ZSTD) AFTER `hit.revenue`,
  ADD COLUMN IF NOT EXISTS `hit.bounced` Array(UInt8) COMMENT '1: its session has no other event [none]' CODEC(ZSTD)
    AFTER `hit.session_ms`,
  ADD COLUMN IF NOT EXISTS `hit.country` Array(LowCardinality(String))
    COMMENT 'Country of the first event of its session; empty if unknown [none]' CODEC(ZSTD) AFTER `hit.bounced`,
  ADD COLUMN IF NOT EXISTS `hit.device_type` Array(LowCardinality(String))
    COMMENT 'Kind of device of that event [none]' CODEC(ZSTD) AFTER `hit.country`,
  ADD COLUMN IF NOT EXISTS `hit.os_name` Array(LowCardinality(String))
    COMMENT 'Operating system of that event [none]' CODEC(ZSTD) AFTER `hit.device_type`,
  ADD COLUMN IF NOT EXISTS `hit.browser_name` Array(LowCardinality(String))
    COMMENT 'Browser of that event [none]' CODEC(ZSTD) AFTER `hit.os_name`,
  ADD COLUMN IF NOT EXISTS hit_pages Array(String) COMMENT 'Host and path of the page of each hit [personal]'
    CODEC(ZSTD) AFTER `hit.browser_name`,
  ADD COLUMN IF NOT EXISTS hit_referrers Array(String)
    COMMENT 'Host and path that its session came from; empty for none and for its own site [personal]' CODEC(ZSTD)
    AFTER hit_pages,
  ADD COLUMN IF NOT EXISTS hit_landing_pages Array(String)
    COMMENT 'Host and path of the first page of its session; empty for none [personal]' CODEC(ZSTD)
    AFTER hit_referrers,
  ADD COLUMN IF NOT EXISTS hit_exit_pages Array(String)
    COMMENT 'Host and path of the last page of its session; empty for none [personal]' CODEC(ZSTD)
    AFTER hit_landing_pages;
