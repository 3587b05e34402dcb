-- One row per campaign: the names that the views of analytics show beside a record, as they are now. They join it
-- by project and campaign, without ANY, so that ClickHouse makes of a filter on a name one on the campaign, before it
-- reads the records.
CREATE OR REPLACE VIEW adtrail.campaign_names (
  campaign_project_id UInt32 COMMENT 'Project of the campaign [none]',
  campaign_id UInt32 COMMENT 'Campaign [none]',
  campaign_display_id String COMMENT 'Display ID of the campaign, the c of its links; empty for none [none]',
  campaign_name String COMMENT 'Name of the campaign as it is now; empty for none [none]',
  partner_name String COMMENT 'Name of the partner as it is now; empty for none [none]',
  custom_channel LowCardinality(String) COMMENT 'Custom channel of the campaign as it is now; empty for none [none]',
  campaign_network String
    COMMENT 'Network as figures are grouped by it: the code of the ad network, else the partner; empty for none [none]'
)
AS SELECT
  project_id AS campaign_project_id, campaign_id, display_id AS campaign_display_id, name AS campaign_name,
  partner_name, custom_channel,
  if(network != '', lower(network), lower(replaceAll(partner_name, ' ', '_'))) AS campaign_network
FROM adtrail.campaigns FINAL
COMMENT 'Names of campaigns and their partners, for the views of analytics';
