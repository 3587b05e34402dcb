-- One row per attempt to deliver a postback or webhook.
-- The join adds nothing: conditions of users of one project do not pass it (src/lib/project-only.ts).
CREATE OR REPLACE VIEW analytics.postbacks
DEFINER = CURRENT_USER SQL SECURITY DEFINER
AS SELECT
  project_id, attempted_at, postback_id, attempt, kind, destination_id, partner_id, event, install_id, event_id, tid,
  host, method, url, body, outcome, status, latency_ms, error, next_attempt_at, is_replay
FROM adtrail.postbacks AS made
LEFT JOIN (SELECT toUInt32(0) AS no_project) AS nothing ON made.project_id = nothing.no_project
COMMENT 'Postbacks to partners and webhooks to advertisers: one row per attempt';
