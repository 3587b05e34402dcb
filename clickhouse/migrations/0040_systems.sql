-- Which system a user agent names, for matching by address: iPads that call themselves Macs, UC Browser's short forms,
-- apps that name no more than Darwin; televisions and phones of other systems are neither Linux nor Android. What
-- contradicts what stands in clickhouse/queries/attribution.find-candidates.sql.
-- cluster: shard by click_id
ALTER TABLE adtrail.clicks
  MODIFY COLUMN os LowCardinality(String) ALIAS multiIf(
    match(ua, '(?i)windows'), 'windows',
    match(ua, '(?i)android|\\badr [0-9]'), 'android',
    match(ua, '(?i)smart-?tv|tizen|web0s|webos|roku|hbbtv|nettv|netcast|crkey|vizio|viera|playstation|nintendo'),
      'other',
    match(ua, '(?i)kaios|openharmony|blackberry|bb10'), 'other',
    match(ua, '(?i)iphone|ipad|ipod|\\biph os|\\bios[ /][0-9]|apple ?tv|tvos|cfnetwork|darwin/'), 'ios',
    match(ua, '(?i)macintosh.*(\\b(mobile|crios|fxios|edgios|opios|opt|gsa)/|fban/fbios)'), 'ios',
    match(ua, '(?i)macintosh|mac ?os'), 'macos',
    match(ua, '(?i)cros|linux|x11'), 'linux',
    ''
  ) COMMENT 'Operating system that the user agent names; empty if it names none [none]',
  MODIFY COLUMN platform LowCardinality(String) ALIAS multiIf(
    match(app_id, '^id[0-9]+$'), 'IOS',
    app_id != '', 'ANDROID',
    gaid IS NOT NULL, 'ANDROID',
    idfa IS NOT NULL, 'IOS',
    os = 'android', 'ANDROID',
    os = 'ios', 'IOS',
    ''
  ) COMMENT 'ANDROID or IOS: of the app named, else of the advertising ID, else of the user agent [none]';

-- cluster: shard by install_id
ALTER TABLE adtrail.app_events
  MODIFY COLUMN os LowCardinality(String) ALIAS multiIf(
    match(ua, '(?i)windows'), 'windows',
    match(ua, '(?i)android|\\badr [0-9]'), 'android',
    match(ua, '(?i)smart-?tv|tizen|web0s|webos|roku|hbbtv|nettv|netcast|crkey|vizio|viera|playstation|nintendo'),
      'other',
    match(ua, '(?i)kaios|openharmony|blackberry|bb10'), 'other',
    match(ua, '(?i)iphone|ipad|ipod|\\biph os|\\bios[ /][0-9]|apple ?tv|tvos|cfnetwork|darwin/'), 'ios',
    match(ua, '(?i)macintosh.*(\\b(mobile|crios|fxios|edgios|opios|opt|gsa)/|fban/fbios)'), 'ios',
    match(ua, '(?i)macintosh|mac ?os'), 'macos',
    match(ua, '(?i)cros|linux|x11'), 'linux',
    ''
  ) COMMENT 'Operating system that the user agent names; empty if it names none [none]';
