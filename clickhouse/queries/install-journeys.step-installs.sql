-- One row per root install: the journeys that its installs and reinstalls begin.
SELECT
  project_id, root_install, any(platform) AS platform,
  groupArray((
    kind, install_id, start_time, conversion_id, campaign_id, ad_set_id, ad_set_name, ad_id, ad_name, ad_type,
    keyword_id, keyword_name, touch_type, suspicious, app_id, rule, country, os_version, app_version
  )) AS installs
FROM (
  SELECT
    member.project_id AS project_id, member.root_install AS root_install, decision.platform AS platform,
    if(decision.reinstall = 1, 'reinstall', 'install') AS kind, known_installs.install_id AS install_id,
    fromUnixTimestamp64Milli(decision.install_time, 'UTC') AS start_time,
    if(decision.reinstall = 1, reinterpretAsUUID(sipHash128(install_id)), toUUIDOrZero('')) AS conversion_id,
    decision.campaign_id AS campaign_id, decision.ad_set_id AS ad_set_id, decision.ad_set_name AS ad_set_name,
    decision.ad_id AS ad_id, decision.ad_name AS ad_name, decision.ad_type AS ad_type,
    decision.keyword_id AS keyword_id, decision.keyword_name AS keyword_name, decision.touch_type AS touch_type,
    decision.is_suspicious AS suspicious, decision.app_id AS app_id, origins.rule AS rule,
    origins.country AS country, origins.os_version AS os_version, origins.app_version AS app_version
  FROM members AS member
  INNER JOIN known_installs
    ON member.project_id = known_installs.project_id AND member.install_id = known_installs.install_id
  LEFT ANY JOIN origins ON member.project_id = origins.project_id AND member.install_id = origins.install_id
)
GROUP BY project_id, root_install
