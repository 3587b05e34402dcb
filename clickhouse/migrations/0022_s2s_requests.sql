-- How many S2S requests were accepted and refused: operational counts, which tell of no person. What was accepted is
-- counted too, because a repeat of a touch leaves no row: requests less touches are repeats.

-- One row per hour, partner, project, campaign, endpoint, outcome and process that counted: how often so far. Of two
-- rows with one key the greater count is the later one.
-- cluster: on every node
CREATE TABLE IF NOT EXISTS adtrail.s2s_requests (
  hour DateTime('UTC') COMMENT 'Hour in which the requests came [none]',
  partner_id UInt32 COMMENT 'Partner of the token; 0 where there was no good one [none]',
  project_id UInt32 COMMENT 'Project that the requests named; 0 where it is not known [none]',
  campaign_id UInt32 COMMENT 'Campaign of the partner that they named; 0 where it is not known [none]',
  kind LowCardinality(String) COMMENT 'Endpoint: click, impression or ctv_impression [none]',
  outcome LowCardinality(String) COMMENT 'accepted, or the reason of the rejection [none]',
  process UUID COMMENT 'Process that counted, by a random name [none]',
  requests UInt64 COMMENT 'How many requests it had counted [none]'
)
ENGINE = ReplacingMergeTree(requests)
PARTITION BY toYYYYMM(hour)
ORDER BY (partner_id, hour, project_id, campaign_id, kind, outcome, process)
TTL hour + INTERVAL 400 DAY
COMMENT 'S2S requests by hour and outcome';
