-- One row per change of the configuration. A user who sees one project sees none of them: they name colleagues and
-- other projects of the account, so project_id is that of no project.
-- The join adds nothing: conditions of users of one project do not pass it (src/lib/project-only.ts).
CREATE OR REPLACE VIEW analytics.audit_log
DEFINER = CURRENT_USER SQL SECURITY DEFINER
AS SELECT
  changes.*,
  toUInt32(0) AS project_id
FROM adtrail.audit_log AS changes FINAL
LEFT JOIN (SELECT toUInt64(0) AS no_change) AS nothing ON changes.id = nothing.no_change
COMMENT 'Audit log: who changed what of the configuration, when and from where, before and after';
