-- One row per hour, campaign, endpoint and outcome: how many S2S requests named the project, refused ones too.
CREATE OR REPLACE VIEW analytics.s2s_requests
DEFINER = CURRENT_USER SQL SECURITY DEFINER
AS SELECT
  counted.hour AS hour, counted.project_id AS project_id, counted.campaign_id AS campaign_id, counted.kind AS kind,
  counted.outcome AS outcome, sum(counted.requests) AS requests
FROM adtrail.s2s_requests AS counted FINAL
GROUP BY counted.hour, counted.project_id, counted.campaign_id, counted.kind, counted.outcome
COMMENT 'S2S requests by hour and outcome, refused ones too: counts, of no person';
