-- One row per root install: the journeys that its installs and reinstalls begin.
SELECT
  project_id, root_install, any(platform) AS platform,
  groupArray((
    kind, install_id, start_time, conversion_id, campaign_id, ad_set_id, ad_set_name, ad_id, ad_name, ad_type,
    keyword_id, keyword_name, touch_type, suspicious
  )) AS installs
FROM (
  SELECT
    member.project_id AS project_id, member.root_install AS root_install, platform,
    if(reinstall = 1, 'reinstall', 'install') AS kind, install.install_id AS install_id, install_time AS start_time,
    if(reinstall = 1, reinterpretAsUUID(sipHash128(install.install_id)), toUUIDOrZero('')) AS conversion_id,
    campaign_id, ad_set_id, ad_set_name, ad_id, ad_name, ad_type, keyword_id, keyword_name, touch_type,
    click_injection OR install_hijacking AS suspicious
  FROM members AS member
  INNER JOIN (
    SELECT
      project_id, install_id, platform, reinstall, install_time, campaign_id, ad_set_id, ad_set_name, ad_id, ad_name,
      ad_type, keyword_id, keyword_name, touch_type, click_injection, install_hijacking
    FROM adtrail.installs FINAL
    PREWHERE project_id IN (SELECT project_id FROM members) AND install_id IN (SELECT install_id FROM members)
    WHERE is_deleted = 0
  ) AS install ON member.project_id = install.project_id AND member.install_id = install.install_id
)
GROUP BY project_id, root_install
