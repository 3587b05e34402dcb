-- Function campaign_key_of of app queries: what a row is grouped by of the campaign and its parts. A dimension that is
-- not asked for is the same for all rows, and what it would need is not read.
(campaign, network, partner, channel, ad_set, ad, keyword, platform) -> tuple(
  if(has({dimensions:Array(String)}, 'campaign'), campaign, ''),
  if(has({dimensions:Array(String)}, 'network'), network, ''),
  if(has({dimensions:Array(String)}, 'partner'), partner, ''),
  if(has({dimensions:Array(String)}, 'channel'), channel, ''),
  if(has({dimensions:Array(String)}, 'ad_set'), ad_set, ''),
  if(has({dimensions:Array(String)}, 'ad'), ad, ''),
  if(has({dimensions:Array(String)}, 'keyword'), keyword, ''),
  if(has({dimensions:Array(String)}, 'platform'), platform, '')
)
