-- Function touch_key_of of web queries: what a row is grouped by of what a touch says. A dimension that is not asked
-- for is the same for all rows.
(campaign, channel, source, medium, network_campaign, ad_set, ad) -> tuple(
  if(has({dimensions:Array(String)}, 'campaign'), campaign, ''),
  if(has({dimensions:Array(String)}, 'channel'), channel, ''),
  if(has({dimensions:Array(String)}, 'source'), source, ''),
  if(has({dimensions:Array(String)}, 'medium'), medium, ''),
  if(has({dimensions:Array(String)}, 'network_campaign'), network_campaign, ''),
  if(has({dimensions:Array(String)}, 'ad_set'), ad_set, ''),
  if(has({dimensions:Array(String)}, 'ad'), ad, '')
)
