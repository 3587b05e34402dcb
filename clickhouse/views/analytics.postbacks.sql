-- One row per attempt to deliver a postback or webhook.
CREATE OR REPLACE VIEW analytics.postbacks
DEFINER = CURRENT_USER SQL SECURITY DEFINER
AS SELECT
  project_id, attempted_at, postback_id, attempt, kind, destination_id, partner_id, event, install_id, event_id, tid,
  host, method, url, body, outcome, status, latency_ms, error, next_attempt_at, is_replay
FROM adtrail.postbacks
COMMENT 'Postbacks to partners and webhooks to advertisers: one row per attempt';
