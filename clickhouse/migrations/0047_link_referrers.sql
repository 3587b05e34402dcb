-- Where a tracking link was opened: the host of the page, without path, as the browser names it. It is told as the
-- click arrives, and stays when address and user agent go, so that figures by it stay exact.
-- cluster: shard by click_id
ALTER TABLE adtrail.clicks
  ADD COLUMN IF NOT EXISTS referrer String
    COMMENT 'Host of the page, or ID of the app, on which a link was opened; empty if it was not named [none]'
    AFTER os_name;
