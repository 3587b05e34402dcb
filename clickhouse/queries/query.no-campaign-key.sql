-- Function campaign_key_of of app queries that group by nothing of campaigns.
(campaign, network, partner, channel, ad_set, ad, keyword, platform) -> tuple('', '', '', '', '', '', '', '')
