-- One row per change of the configuration. A user who sees one project sees none of them: they name colleagues and
-- other projects of the account, so project_id is that of no project.
CREATE OR REPLACE VIEW analytics.audit_log
DEFINER = CURRENT_USER SQL SECURITY DEFINER
AS SELECT
  changes.*,
  toUInt32(0) AS project_id
FROM adtrail.audit_log AS changes FINAL
COMMENT 'Audit log: who changed what of the configuration, when and from where, before and after';
