-- Decides the installs of run {run_id}: one row per install, by the rules of docs/contract/attribution.md. A {lane}
-- other than 0 leaves those that an impression may be credited to.
INSERT INTO adtrail.installs (
  project_id, install_id, event_id, install_time, received_at, decided_at, app_id, platform, reinstall, gaid, idfa, ip,
  country, ua, rule, campaign_id, partner_id, touch_type, touch_id, touch_time, window_seconds, touch_to_install_ms,
  ad_set_id, ad_set_name, ad_id, ad_name, ad_type, keyword_id, keyword_name, publisher_platform, platform_position,
  click_injection, install_hijacking, candidates, version
)
WITH
  -- The installs of the run, with the attribution that the install event itself gives, if any.
  installs AS (
    SELECT
      project_id, install_id, event_id, install_time, received_at, app_id, platform, gaid, idfa, ip, country, ua,
      referrer_click_time, install_begin_time, attribution, attribution != '' AS is_given,
      JSONExtractUInt(attribution, 'campaign_id') AS given_campaign_id,
      JSONExtractString(attribution, 'network') AS network,
      JSONExtractString(attribution, 'network_campaign_id') AS network_campaign_id
    FROM adtrail.attribution_batches
    WHERE run_id = {run_id:UInt64}
  ),

  candidates AS (
    SELECT
      project_id, install_id, install_received_at, touch_type, touch_id, touch_time, received_at, campaign_id,
      partner_id, rule, window_seconds, reason,
      row_number() OVER (
        PARTITION BY project_id, install_id
        ORDER BY rule_order, touch_time DESC, received_at DESC, toString(touch_id) DESC
      ) AS place
    FROM adtrail.attribution_candidates
    WHERE run_id = {run_id:UInt64}
  ),

  -- One row per install that the rule device_impression decides: the impressions that are left to it, best first, as
  -- far as they are candidates.
  impressions_wanted AS (
    SELECT
      project_id, install_id, any(install_received_at) AS install_received_at,
      arrayMap(impression -> impression.2,
        arraySort(groupArrayIf((place, touch_id), rule = 'device_impression'))) AS wanted
    FROM candidates
    WHERE reason = '' AND (project_id, install_id) NOT IN (SELECT project_id, install_id FROM installs WHERE is_given)
    GROUP BY project_id, install_id
    HAVING argMin(rule, place) = 'device_impression'
  ),

  -- One row per install of these: the impression that it is credited with. Each is credited once, to the install
  -- received first, so installs choose in the order of their receipt. One to which none of its hundred candidates is
  -- left may have others, and is held up, with all installs after it, until the next run: which impressions are left
  -- does not depend on how installs fall into runs. Where fewer are known there are no others.
  impressions_credited AS (
    SELECT
      project_id, install.1 AS install_received_at, install.2 AS install_id, touch_id, touch_id = held_up AS is_held_up
    FROM (
      SELECT
        project_id, toUUID('ffffffff-ffff-ffff-ffff-ffffffffffff') AS held_up,
        arraySort(groupArray((install_received_at, install_id, wanted))) AS in_order,
        arrayFold(
          (credited, install) -> arrayPushBack(credited, if(has(credited, held_up), held_up,
            arrayMap(
              gone -> if(length(gone) = 100, held_up, arrayFirst(touch -> NOT has(gone, touch), install.3)),
              [arrayIntersect(install.3, credited)]
            )[1]
          )),
          in_order, []::Array(UUID)
        ) AS credited
      FROM impressions_wanted
      GROUP BY project_id
    )
    ARRAY JOIN in_order AS install, credited AS touch_id
  ),

  -- The candidates of each install in order: the first eligible one wins.
  ranked AS (
    SELECT
      candidate.project_id AS project_id, candidate.install_id AS install_id, touch_type,
      candidate.touch_id AS touch_id, touch_time, received_at, campaign_id, partner_id, rule, window_seconds, place,
      if(reason = '' AND credited.install_id != ''
        AND (credited.install_received_at, credited.install_id)
          < (candidate.install_received_at, candidate.install_id), 'already_used', reason) AS reason
    FROM candidates AS candidate
    LEFT ANY JOIN impressions_credited AS credited
      ON candidate.project_id = credited.project_id AND candidate.touch_id = credited.touch_id
  ),

  -- One row per install that has candidates.
  winners AS (
    SELECT
      project_id, install_id,
      countIf(reason = '') > 0 AS has_winner,
      argMinIf((rule, campaign_id, partner_id, touch_type, touch_id, touch_time, window_seconds), place, reason = '')
        AS winner,
      arraySort(candidate -> candidate.place, groupArrayIf(
        (place, rule, touch_type, touch_id, touch_time, received_at, campaign_id, window_seconds, reason),
        place <= 100
      )) AS candidates
    FROM ranked
    GROUP BY project_id, install_id
  ),

  -- What touches that may win name.
  named AS (
    SELECT project_id, touch_id, ad_set_id, ad_set_name, ad_id, ad_name, keyword_id, keyword_name
    FROM adtrail.attribution_matches
    WHERE run_id = {run_id:UInt64} AND (project_id, touch_id) IN (
      SELECT project_id, touch_id
      FROM adtrail.attribution_candidates
      WHERE run_id = {run_id:UInt64} AND reason = ''
    )
  ),

  network_campaigns AS (
    SELECT project_id, network, network_campaign_id, min(campaign_id) AS campaign_id
    FROM adtrail.campaigns FINAL
    WHERE network != '' AND network_campaign_id != '' AND deleted = 0
    GROUP BY project_id, network, network_campaign_id
  )

SELECT
  installs.project_id, installs.install_id, event_id, install_time, received_at, now64(3, 'UTC'), app_id, platform,
  (installs.project_id, installs.install_id) IN (
    SELECT project_id, install_id FROM adtrail.attribution_reinstalls WHERE run_id = {run_id:UInt64}
  ),
  gaid, idfa, ip, country, ua,
  multiIf(is_given, 'attribution', has_winner, winner.rule, 'organic') AS decided_rule,
  if(is_given, if(given_campaign_id != 0, given_campaign_id, network_campaigns.campaign_id), winner.campaign_id),
  if(is_given, 0, winner.partner_id),
  if(is_given, if(JSONExtractString(attribution, 'touch_type') = 'impression', 'impression', 'click'),
    winner.touch_type) AS decided_touch_type,
  if(is_given OR NOT has_winner, NULL, winner.touch_id),
  multiIf(is_given, fromUnixTimestamp64Milli(nullIf(JSONExtractInt(attribution, 'touched_at'), 0), 'UTC'),
    has_winner, winner.touch_time, NULL) AS decided_touch_time,
  if(is_given OR NOT has_winner, NULL, winner.window_seconds),
  -- A touch after the install tells of two clocks: the time between is not known.
  if(decided_touch_time <= install_time,
    toUnixTimestamp64Milli(install_time) - toUnixTimestamp64Milli(decided_touch_time), NULL) AS touch_to_install_ms,
  if(is_given, JSONExtractString(attribution, 'ad_set_id'), named.ad_set_id),
  if(is_given, JSONExtractString(attribution, 'ad_set_name'), named.ad_set_name),
  if(is_given, JSONExtractString(attribution, 'ad_id'), named.ad_id),
  if(is_given, JSONExtractString(attribution, 'ad_name'), named.ad_name),
  JSONExtractString(attribution, 'ad_type'),
  if(is_given, JSONExtractString(attribution, 'keyword_id'), named.keyword_id),
  if(is_given, JSONExtractString(attribution, 'keyword_name'), named.keyword_name),
  JSONExtractString(attribution, 'publisher_platform'), JSONExtractString(attribution, 'platform_position'),
  -- click_injection: the referrer click less than 3 seconds before the install, or the credited click less than 10.
  platform = 'ANDROID' AND (
    ifNull(toUnixTimestamp64Milli(install_time) - toUnixTimestamp64Milli(referrer_click_time) BETWEEN 0 AND 2999, 0)
    OR (decided_touch_type = 'click' AND ifNull(touch_to_install_ms < 10000, 0))
  ),
  ifNull(referrer_click_time > install_begin_time, 0),
  arrayMap(c -> (
    c.rule, c.touch_type, c.touch_id, c.touch_time, c.received_at, c.campaign_id, c.window_seconds,
    multiIf(
      c.reason != '', c.reason,
      is_given, 'lower_rule',
      c.touch_id = winner.touch_id, 'credited',
      c.rule != winner.rule, 'lower_rule',
      'older_than_winner'
    )
  ), candidates),
  -- Counted down, so that of two decisions the first stays.
  9007199254740991 - toUnixTimestamp64Micro(now64(6, 'UTC'))
FROM installs
LEFT ANY JOIN winners ON installs.project_id = winners.project_id AND installs.install_id = winners.install_id
LEFT ANY JOIN named ON installs.project_id = named.project_id AND winner.touch_id = named.touch_id
LEFT ANY JOIN network_campaigns ON installs.project_id = network_campaigns.project_id
  AND installs.network = network_campaigns.network
  AND installs.network_campaign_id = network_campaigns.network_campaign_id
WHERE (installs.project_id, installs.install_id) NOT IN (
  SELECT project_id, install_id
  FROM impressions_credited
  WHERE is_held_up
)
AND ({lane:UInt8} = 0 OR
  -- A lane does not know of all impressions to whom they are credited.
  (installs.project_id, installs.install_id) NOT IN (
    SELECT project_id, install_id
    FROM adtrail.attribution_candidates
    WHERE run_id = {run_id:UInt64} AND rule = 'device_impression' AND reason = ''
  )
)
SETTINGS enable_named_columns_in_function_tuple = 1
