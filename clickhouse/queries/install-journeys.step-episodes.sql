-- One row per root install, with its reinstalls and re-engagements in order. A re-engagement is an open by a link of a
-- campaign, 24 hours after its install at the earliest and after inactivity_days without an event. It has no touch.
SELECT
  project_id, root_install, platform, known_user, all_events, signups, uninstalls, money, named, priced,
  arrayFilter(
    open -> arrayExists(
      i -> i.install_id = open.install_id AND open.time >= i.start_time + INTERVAL 24 HOUR, installs
    ) AND NOT arrayExists(
      e -> e.install_hash = sipHash64(open.install_id) AND e.time < open.time
        AND dateDiff('millisecond', e.time, open.time) < {inactivity_days:UInt32} * 86400000, all_events
    ), link_opens
  ) AS returns,
  -- A re-engagement is on the device and the app of the root install.
  arrayFirst(i -> i.install_id = root_install, installs) AS root,
  -- The fields of an install.
  arrayMap(open -> (
    'reengagement' AS kind, open.install_id AS install_id, open.time AS start_time, open.id AS conversion_id,
    open.campaign_id AS campaign_id, '' AS ad_set_id, '' AS ad_set_name, '' AS ad_id, '' AS ad_name, '' AS ad_type,
    '' AS keyword_id, '' AS keyword_name, '' AS touch_type, 0 AS suspicious, root.app_id AS app_id, '' AS rule,
    root.country AS country, root.os_version AS os_version, root.app_version AS app_version
  ), returns) AS reengagements,
  arrayFilter(i -> i.kind = 'install', installs) AS first_installs,
  arraySort(j -> (j.start_time, j.conversion_id),
    arrayConcat(arrayFilter(i -> i.kind = 'reinstall', installs), reengagements)) AS episodes
FROM installs_by_root
INNER JOIN events_by_root ON installs_by_root.project_id = events_by_root.project_id
  AND installs_by_root.root_install = events_by_root.root_install
