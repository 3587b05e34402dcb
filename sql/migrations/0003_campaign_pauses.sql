-- One row each time a web campaign was paused; unpaused_at is null while it still is. Events credited to it in between
-- count for nothing, so the times stay.
CREATE TABLE campaign_pauses (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  campaign_id integer NOT NULL REFERENCES campaigns,
  paused_at timestamptz(3) NOT NULL DEFAULT now(),
  unpaused_at timestamptz(3)
);
CREATE UNIQUE INDEX ON campaign_pauses (campaign_id) WHERE unpaused_at IS NULL;
