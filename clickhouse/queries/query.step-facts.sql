-- Step facts. What each source knows of each group, to be put together. Steps: starts, happenings, clicks, ad_network,
-- converted.
SELECT key, campaign_name, ad_set_named, ad_named, keyword_named, counted, unconverted FROM starts
UNION ALL
SELECT key, campaign_name, ad_set_named, ad_named, keyword_named, counted, unconverted FROM happenings
UNION ALL
SELECT key, campaign_name, ad_set_named, ad_named, keyword_named, counted, unconverted FROM clicks
UNION ALL
SELECT key, campaign_name, ad_set_named, ad_named, keyword_named, counted, unconverted FROM ad_network
UNION ALL
SELECT key, campaign_name, ad_set_named, ad_named, keyword_named, counted, unconverted FROM converted
