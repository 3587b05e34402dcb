-- One row per campaign, deleted ones too, as it is now.
CREATE OR REPLACE VIEW analytics.campaigns
DEFINER = CURRENT_USER SQL SECURITY DEFINER
AS SELECT * EXCEPT (partner_id, revision, layout)
FROM adtrail.campaigns FINAL
COMMENT 'Campaigns: each as it is now, deleted ones too';
