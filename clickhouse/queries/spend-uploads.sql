-- name: note-replaced
-- Notes of each row of {upload_id} what stands in its place; its keys are there already. Run again it changes nothing.
-- Tables: adtrail.ad_spend, adtrail.spend_replaced.
INSERT INTO adtrail.spend_replaced (project_id, upload_id, campaign_id, date, ad_set_id, ad_id, keyword_id, platform,
  network, account, existed, replaced_upload_id, network_campaign_id, campaign_name, ad_set_name, ad_name, keyword_name,
  impressions, clicks, spend, currency)
SELECT project_id, {upload_id:UInt32}, campaign_id, date, ad_set_id, ad_id, keyword_id, platform, network, account,
  1, upload_id, network_campaign_id, campaign_name, ad_set_name, ad_name, keyword_name, impressions, clicks, spend,
  currency
FROM adtrail.ad_spend FINAL
WHERE project_id = {project_id:UInt32} AND is_deleted = 0
  AND (campaign_id, date, ad_set_id, ad_id, keyword_id, platform, network, account) IN (
    SELECT campaign_id, date, ad_set_id, ad_id, keyword_id, platform, network, account
    FROM adtrail.spend_replaced
    WHERE project_id = {project_id:UInt32} AND upload_id = {upload_id:UInt32}
  );

-- name: in-force
-- One row per row of {upload_id} that no later request has replaced. Tables: adtrail.ad_spend, adtrail.spend_replaced.
SELECT campaign_id, date, ad_set_id, ad_id, keyword_id, platform, network, account, version
FROM adtrail.ad_spend FINAL
WHERE project_id = {project_id:UInt32} AND upload_id = {upload_id:UInt32} AND is_deleted = 0
  AND (campaign_id, date, ad_set_id, ad_id, keyword_id, platform, network, account) IN (
    SELECT campaign_id, date, ad_set_id, ad_id, keyword_id, platform, network, account
    FROM adtrail.spend_replaced
    WHERE project_id = {project_id:UInt32} AND upload_id = {upload_id:UInt32}
  );

-- name: replaced
-- One row per row of {upload_id}, with what stood in its place before. Table: adtrail.spend_replaced.
SELECT campaign_id, date, ad_set_id, ad_id, keyword_id, platform, network, account, existed,
  replaced_upload_id, network_campaign_id, campaign_name, ad_set_name, ad_name, keyword_name, impressions, clicks,
  toString(spend) AS spend, currency
FROM adtrail.spend_replaced FINAL
WHERE project_id = {project_id:UInt32} AND upload_id = {upload_id:UInt32};
