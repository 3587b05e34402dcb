-- What queries ask of journeys beyond the reports: activity on any day, not only up to day 30. Journeys that are there
-- get it when they are derived anew, as sql/migrations/0011_activity.sql has it.
-- cluster: shard by root_install
ALTER TABLE adtrail.journeys
  ADD COLUMN IF NOT EXISTS active_dates Array(Date)
    COMMENT 'Days with activity, as active_days counts it, on and after start_day [none]' AFTER last_active_day,
  ADD COLUMN IF NOT EXISTS seen_dates Array(Date)
    COMMENT 'Days with an event of any type [none]' AFTER active_dates;

-- Who counts the clicks of a campaign. Campaigns were copied without it before: `layout` tells which rows have it.
-- cluster: on every node
ALTER TABLE adtrail.campaigns
  ADD COLUMN IF NOT EXISTS web_to_app UInt8
    COMMENT '1: its links lead to the web first, so that clicks are ours to count [none]' AFTER utm_ids,
  MODIFY COLUMN layout UInt8
    COMMENT '2: web_to_app was copied, too; 1: custom_channel was; 0: by a version that knew neither [none]';

-- The platform that a click counts for, in daily_clicks and in queries by hour.
-- cluster: shard by click_id
ALTER TABLE adtrail.clicks
  ADD COLUMN IF NOT EXISTS platform LowCardinality(String) ALIAS multiIf(
    match(app_id, '^id[0-9]+$'), 'IOS',
    app_id != '', 'ANDROID',
    gaid IS NOT NULL, 'ANDROID',
    idfa IS NOT NULL, 'IOS',
    match(ua, '(?i)android'), 'ANDROID',
    match(ua, '(?i)iphone|ipad|ipod|cfnetwork|darwin'), 'IOS',
    ''
  ) COMMENT 'ANDROID or IOS: of the app named, else of the advertising ID, else of the user agent [none]';
