-- What every column is, in its comment: the register of personal data, which erasure, CLICKHOUSE_TTL_DAYS and the tests
-- read (src/db/personal-data.ts). A column without one of these three fails the build.
--
--   [personal]      names a person or a device, says something of one, or takes whatever the sender writes into it:
--                   blanked when the person is forgotten, and by CLICKHOUSE_TTL_DAYS
--   [pseudonymous]  tells whose a record is without naming anybody, or is a hash: replaced at random when the person is
--                   forgotten, except the IDs of records, by which a repeat is recognised for good
--   [none]          neither

-- Which records requests to forget a person are about. Changes of stored records name a request and read this table, so
-- that no identifier is written into a change. The rows of a request are gone before it counts as done.
-- cluster: on every node
CREATE TABLE IF NOT EXISTS adtrail.erasure_subjects (
  request_id UInt32 COMMENT 'Request, of erasure_requests in PostgreSQL [none]',
  project_id UInt32 COMMENT 'Project that the request is about [none]',
  kind LowCardinality(String) COMMENT 'What value is: device, install, touch or visitor [none]',
  salt UUID COMMENT 'Random value, one for each request, that its hashes are made with [pseudonymous]',
  plain String EPHEMERAL COMMENT 'Advertising ID of a device: hashed as the row is written, never stored [personal]',
  value String DEFAULT hex(sipHash128(salt, plain))
    COMMENT 'Hash of an advertising ID, or the ID of an install, a touch or a visitor [pseudonymous]',
  pseudonym String COMMENT 'Random ID that takes the place of an install or a visitor [pseudonymous]'
)
ENGINE = MergeTree()
PARTITION BY request_id
ORDER BY (request_id, kind, value)
SETTINGS old_parts_lifetime = 1
COMMENT 'What is known of persons while they are being forgotten; empty otherwise';

-- When an identity was noted, so that it can expire as the events do.
-- cluster: shard by value
ALTER TABLE adtrail.identities
  ADD COLUMN IF NOT EXISTS noted_at DateTime('UTC') DEFAULT now() COMMENT 'When the row was written [none]';

-- An install that moves to a random ID is never counted twice: its former row is hidden by the insert that copies it.
-- cluster: shard by install_id
ALTER TABLE adtrail.installs
  ADD COLUMN IF NOT EXISTS is_deleted UInt8
    COMMENT '1: the install stands under another ID, because its person is being forgotten; views hide it [none]';

-- With STORE_IP=truncated: what an address is matched by, since what is shown of it names a whole network.

-- cluster: shard by click_id
ALTER TABLE adtrail.clicks
  ADD COLUMN IF NOT EXISTS ip_hash String
    COMMENT 'With STORE_IP=truncated the keyed hash of the address, for matching; else empty [personal]'
    AFTER ip;

-- cluster: shard by impression_id
ALTER TABLE adtrail.ctv_impressions
  ADD COLUMN IF NOT EXISTS ip_hash String
    COMMENT 'With STORE_IP=truncated the keyed hash of the address, for matching; else empty [personal]'
    AFTER ip;

-- cluster: shard by install_id
ALTER TABLE adtrail.app_events
  ADD COLUMN IF NOT EXISTS ip_hash String
    COMMENT 'With STORE_IP=truncated the keyed hash of the address, for matching; else empty [personal]'
    AFTER ip;

-- cluster: on every node
ALTER TABLE adtrail.attribution_batches
  ADD COLUMN IF NOT EXISTS ip_hash String
    COMMENT 'With STORE_IP=truncated the keyed hash of the address, for matching; else empty [personal]' AFTER ip;

-- cluster: on every node
ALTER TABLE adtrail.applied_migrations
  COMMENT COLUMN name 'File under clickhouse/migrations [none]',
  COMMENT COLUMN sha256 'SHA-256 of the file when it was applied [none]',
  COMMENT COLUMN applied_at 'When it was applied [none]';

-- cluster: on every node
ALTER TABLE adtrail.campaigns
  COMMENT COLUMN campaign_id 'Campaign [none]',
  COMMENT COLUMN project_id 'Project of the campaign [none]',
  COMMENT COLUMN display_id 'Display ID, the c of its links [none]',
  COMMENT COLUMN name 'Name as it is now [none]',
  COMMENT COLUMN partner_id 'Partner that runs the campaign; 0 for none [none]',
  COMMENT COLUMN partner_name 'Name of that partner; empty for none [none]',
  COMMENT COLUMN network 'Ad network code in capitals; empty for none [none]',
  COMMENT COLUMN network_campaign_id 'ID of the campaign at the ad network; empty for none [none]',
  COMMENT COLUMN utm_ids 'Values of utm_id that mean the campaign, beside display_id and network_campaign_id [none]',
  COMMENT COLUMN active '1 while the campaign is active [none]',
  COMMENT COLUMN deleted '1 once the campaign is deleted [none]',
  COMMENT COLUMN revision 'Revision of the change that wrote this row; the greatest counts [none]';

-- cluster: on every node
ALTER TABLE adtrail.projects
  COMMENT COLUMN project_id 'Project [none]',
  COMMENT COLUMN name 'Name as it is now [none]',
  COMMENT COLUMN timezone 'Time zone of its days, a name of the IANA database [none]',
  COMMENT COLUMN currency 'Currency of its reports [none]',
  COMMENT COLUMN click_window_days 'Click windows in days, by network; default for every other [none]',
  COMMENT COLUMN ip_click_window_hours 'Window of clicks matched by IP address, in hours; 0 switches it off [none]',
  COMMENT COLUMN view_window_hours 'Window of impressions, in hours [none]',
  COMMENT COLUMN ctv_window_hours 'Window of connected-TV impressions, in hours [none]',
  COMMENT COLUMN reinstall_window_days 'For so long after an event an install of the same device is a reinstall [none]',
  COMMENT COLUMN inactivity_days 'Days without any event before an open by link is a re-engagement [none]',
  COMMENT COLUMN revision 'Revision of the configuration that wrote this row; the greatest counts [none]';

-- cluster: on every node
ALTER TABLE adtrail.partner_switches
  COMMENT COLUMN project_id 'Project [none]',
  COMMENT COLUMN partner_id 'Partner [none]',
  COMMENT COLUMN s2s_clicks '1 while clicks of the partner are on [none]',
  COMMENT COLUMN s2s_traffic '1 while impressions of the partner are on [none]',
  COMMENT COLUMN view_through '1 while view-through attribution is on [none]',
  COMMENT COLUMN ctv_apps 'Apps on which connected-TV attribution is on [none]',
  COMMENT COLUMN view_window_hours 'Window of impressions of the partner, in hours [none]',
  COMMENT COLUMN revision 'Revision of the configuration that wrote this row; the greatest counts [none]';

-- cluster: on every node
ALTER TABLE adtrail.exchange_rates
  COMMENT COLUMN currency 'ISO 4217 code [none]',
  COMMENT COLUMN date 'UTC day [none]',
  COMMENT COLUMN usd 'US dollars for one unit [none]',
  COMMENT COLUMN revision 'Revision of the configuration that wrote this row; the greatest counts [none]';

-- cluster: shard by click_id
ALTER TABLE adtrail.clicks
  COMMENT COLUMN project_id 'Project that the record belongs to [none]',
  COMMENT COLUMN bucket 'UTC day on which the record was first received; partitions are months of it [none]',
  COMMENT COLUMN campaign_id 'Campaign that the touch is for [none]',
  COMMENT COLUMN click_id
    'ID of the click: a function of campaign and tid, random for a link opened without tid [pseudonymous]',
  COMMENT COLUMN click_time 'When the ad was clicked [none]',
  COMMENT COLUMN received_at 'When the service received the record first; of an imported click its own time [none]',
  COMMENT COLUMN partner_id 'Partner that reported the touch; 0 for none [none]',
  COMMENT COLUMN kind 'Where the click came from: s2s, link, import [none]',
  COMMENT COLUMN app_id
    'App that the touch named, an App Store ID with its id prefix; empty when it named a domain [none]',
  COMMENT COLUMN d 'Tracking domain that the touch named; empty when it named an app [none]',
  COMMENT COLUMN tid 'Unique ID of the touch in the system of its sender [personal]',
  COMMENT COLUMN s2 'Passthrough value s2 [personal]',
  COMMENT COLUMN s3 'Passthrough value s3 [personal]',
  COMMENT COLUMN s4 'Passthrough value s4 [personal]',
  COMMENT COLUMN gaid 'Google advertising ID of the device [personal]',
  COMMENT COLUMN idfa 'Apple advertising identifier of the device [personal]',
  COMMENT COLUMN ip 'Public IP address of the device in canonical form; empty if there is none [personal]',
  COMMENT COLUMN ua 'User agent of the device [personal]',
  COMMENT COLUMN version
    'Receipt in microseconds, counted down from 2^53 - 1: of two rows with one key the first received stays [none]',
  COMMENT COLUMN is_deleted '1: a later repeat of a record that an earlier bucket holds; FINAL drops it [none]',
  COMMENT COLUMN stored_at 'When ClickHouse stored the row [none]',
  COMMENT COLUMN parameters
    'Parameters of a link, without empty ones; the columns from ad_set_id on show them [personal]',
  COMMENT COLUMN ad_set_id 'Ad set that the link named; empty if there is none [none]',
  COMMENT COLUMN ad_set_name 'Name of the ad set; empty if there is none [none]',
  COMMENT COLUMN ad_id 'Ad that the link named; empty if there is none [none]',
  COMMENT COLUMN ad_name 'Name of the ad; empty if there is none [none]',
  COMMENT COLUMN keyword_id 'Keyword that the link named; empty if there is none [none]',
  COMMENT COLUMN keyword_name 'Text of the keyword; empty if there is none [none]',
  COMMENT COLUMN utm_source 'UTM source of the link; empty if there is none [none]',
  COMMENT COLUMN utm_medium 'UTM medium of the link; empty if there is none [none]',
  COMMENT COLUMN utm_campaign 'UTM campaign of the link; empty if there is none [none]',
  COMMENT COLUMN utm_id 'UTM ID of the link; empty if there is none [none]',
  COMMENT COLUMN utm_content 'UTM content of the link; empty if there is none [none]',
  COMMENT COLUMN utm_term 'UTM term of the link; empty if there is none [none]',
  COMMENT COLUMN gclid 'Google Ads click ID; empty if there is none [personal]',
  COMMENT COLUMN gbraid 'Google Ads click ID for web-to-app journeys on iOS; empty if there is none [personal]',
  COMMENT COLUMN wbraid 'Google Ads click ID for app-to-web journeys on iOS; empty if there is none [personal]',
  COMMENT COLUMN dclid 'Google Display & Video 360 click ID; empty if there is none [personal]',
  COMMENT COLUMN fbclid 'Meta click ID; empty if there is none [personal]',
  COMMENT COLUMN ttclid 'TikTok click ID; empty if there is none [personal]',
  COMMENT COLUMN msclkid 'Microsoft Advertising click ID; empty if there is none [personal]',
  COMMENT COLUMN twclid 'X click ID; empty if there is none [personal]',
  COMMENT COLUMN li_fat_id 'LinkedIn click ID; empty if there is none [personal]',
  COMMENT COLUMN sccid 'Snapchat click ID; empty if there is none [personal]',
  COMMENT COLUMN epik 'Pinterest click ID; empty if there is none [personal]',
  COMMENT COLUMN rdt_cid 'Reddit click ID; empty if there is none [personal]',
  COMMENT COLUMN os 'Operating system that the user agent names; empty if it names none [none]';

-- cluster: shard by impression_id
ALTER TABLE adtrail.impressions
  COMMENT COLUMN project_id 'Project that the record belongs to [none]',
  COMMENT COLUMN bucket 'UTC day on which the record was first received; partitions are months of it [none]',
  COMMENT COLUMN campaign_id 'Campaign that the touch is for [none]',
  COMMENT COLUMN impression_id 'ID of the impression, a function of campaign and tid [pseudonymous]',
  COMMENT COLUMN impression_time 'When the ad was shown [none]',
  COMMENT COLUMN received_at 'When the service received the record first [none]',
  COMMENT COLUMN partner_id 'Partner that reported the touch; 0 for none [none]',
  COMMENT COLUMN app_id
    'App that the touch named, an App Store ID with its id prefix; empty when it named a domain [none]',
  COMMENT COLUMN d 'Tracking domain that the touch named; empty when it named an app [none]',
  COMMENT COLUMN tid 'Unique ID of the touch in the system of its sender [personal]',
  COMMENT COLUMN s2 'Passthrough value s2 [personal]',
  COMMENT COLUMN s3 'Passthrough value s3 [personal]',
  COMMENT COLUMN s4 'Passthrough value s4 [personal]',
  COMMENT COLUMN gaid 'Google advertising ID of the device [personal]',
  COMMENT COLUMN idfa 'Apple advertising identifier of the device [personal]',
  COMMENT COLUMN vt_lookback
    'View-through window in hours that the partner asked for; it can only shorten the window of the advertiser [none]',
  COMMENT COLUMN ip 'Public IP address of the device, never used for matching; empty if there is none [personal]',
  COMMENT COLUMN ua 'User agent of the device [personal]',
  COMMENT COLUMN version
    'Receipt in microseconds, counted down from 2^53 - 1: of two rows with one key the first received stays [none]',
  COMMENT COLUMN is_deleted '1: a later repeat of a record that an earlier bucket holds; FINAL drops it [none]',
  COMMENT COLUMN stored_at 'When ClickHouse stored the row [none]';

-- cluster: shard by impression_id
ALTER TABLE adtrail.ctv_impressions
  COMMENT COLUMN project_id 'Project that the record belongs to [none]',
  COMMENT COLUMN bucket 'UTC day on which the record was first received; partitions are months of it [none]',
  COMMENT COLUMN campaign_id 'Campaign that the touch is for [none]',
  COMMENT COLUMN impression_id 'ID of the CTV impression, a function of campaign and tid [pseudonymous]',
  COMMENT COLUMN impression_time 'When the ad was shown [none]',
  COMMENT COLUMN received_at 'When the service received the record first [none]',
  COMMENT COLUMN partner_id 'Partner that reported the touch; 0 for none [none]',
  COMMENT COLUMN app_id
    'App that the touch named, an App Store ID with its id prefix; empty when it named a domain [none]',
  COMMENT COLUMN d 'Tracking domain that the touch named; empty when it named an app [none]',
  COMMENT COLUMN tid 'Unique ID of the touch in the system of its sender [personal]',
  COMMENT COLUMN s2 'Passthrough value s2 [personal]',
  COMMENT COLUMN s3 'Passthrough value s3 [personal]',
  COMMENT COLUMN s4 'Passthrough value s4 [personal]',
  COMMENT COLUMN vt_lookback
    'View-through window in hours that the partner asked for; it can only shorten the window of the advertiser [none]',
  COMMENT COLUMN ip 'Public IP address of the TV in canonical form; what installs are matched on [personal]',
  COMMENT COLUMN ua 'User agent of the TV [personal]',
  COMMENT COLUMN partner_campaign_id 'Campaign ID in the system of the partner [none]',
  COMMENT COLUMN adset_id 'Ad set ID in the system of the partner [none]',
  COMMENT COLUMN ad_id 'Ad ID in the system of the partner [none]',
  COMMENT COLUMN site_id 'Publisher, channel or app that showed the ad [none]',
  COMMENT COLUMN source_platform 'TV platform, for example tizen, webos, roku [none]',
  COMMENT COLUMN device_category 'Kind of device, for example tv, set_top_box [none]',
  COMMENT COLUMN tv_ifa 'Advertising ID of the TV; never used for matching [personal]',
  COMMENT COLUMN ifa_type 'Type of tv_ifa, for example rida, tifa [none]',
  COMMENT COLUMN datacenter_list
    'Version of the list of data-centre networks that the address was checked against [none]',
  COMMENT COLUMN version
    'Receipt in microseconds, counted down from 2^53 - 1: of two rows with one key the first received stays [none]',
  COMMENT COLUMN is_deleted '1: a later repeat of a record that an earlier bucket holds; FINAL drops it [none]',
  COMMENT COLUMN stored_at 'When ClickHouse stored the row [none]';

-- cluster: shard by install_id
ALTER TABLE adtrail.app_events
  COMMENT COLUMN project_id 'Project that the event belongs to [none]',
  COMMENT COLUMN install_id 'Installation of the app, as its SDK names it [pseudonymous]',
  COMMENT COLUMN event_key
    'Key of the event within its install: its id, or zero for the install event, which is unique [pseudonymous]',
  COMMENT COLUMN id 'ID of the record, a function of project and event_id [pseudonymous]',
  COMMENT COLUMN event_id 'Unique ID of the event in the system of its sender [pseudonymous]',
  COMMENT COLUMN type 'install, open, signup, event, payment, refund or uninstall [none]',
  COMMENT COLUMN time 'When it happened [none]',
  COMMENT COLUMN received_at 'When the service received the event first [none]',
  COMMENT COLUMN stored_at 'When ClickHouse stored the row [none]',
  COMMENT COLUMN app_id 'App: Android package name or App Store ID with its id prefix [none]',
  COMMENT COLUMN platform 'ANDROID or IOS, as the app is [none]',
  COMMENT COLUMN name 'Name of an event of type event; empty for the other types [none]',
  COMMENT COLUMN payment_type 'Revenue type of a payment or refund; empty for the other types [none]',
  COMMENT COLUMN amount 'Amount of money in currency [none]',
  COMMENT COLUMN currency 'ISO 4217 code of the currency of amount; empty where there is none [none]',
  COMMENT COLUMN gaid 'Google advertising ID of the device [personal]',
  COMMENT COLUMN idfa 'Apple advertising identifier of the device [personal]',
  COMMENT COLUMN ip 'Public IP address of the device in canonical form; empty if there is none [personal]',
  COMMENT COLUMN ua 'User agent of the device [personal]',
  COMMENT COLUMN user_id 'Identifier of the user in the system of the advertiser; empty if there is none [personal]',
  COMMENT COLUMN user 'What is known of the user, as a JSON object; empty if nothing was sent [personal]',
  COMMENT COLUMN device 'What is known of the device, as a JSON object; empty if nothing was sent [personal]',
  COMMENT COLUMN link 'Link that opened the app, of type open [personal]',
  COMMENT COLUMN link_campaign_id 'Campaign that the link names; 0 for none [none]',
  COMMENT COLUMN referrer 'Install referrer of the Play Store, of type install [personal]',
  COMMENT COLUMN referrer_click_id 'Click that the install referrer names as svc_ia_id [pseudonymous]',
  COMMENT COLUMN referrer_click_time 'When the store was opened, by the install referrer [none]',
  COMMENT COLUMN install_begin_time 'When the download began, by the install referrer [none]',
  COMMENT COLUMN attribution 'Attribution given with an install, as a JSON object; empty if none was given [personal]',
  COMMENT COLUMN os 'Operating system that the user agent names; empty if it names none [none]',
  COMMENT COLUMN version
    'Receipt in microseconds, counted down from 2^53 - 1: of two rows with one key the first received stays [none]',
  COMMENT COLUMN is_deleted '1: a repeat of an event that another install holds; FINAL drops it [none]',
  COMMENT COLUMN trusted '1: sent with a server key; 0: with an app key, which is public [none]';

-- cluster: shard by visitor_id
ALTER TABLE adtrail.web_events
  COMMENT COLUMN project_id 'Project that the event belongs to [none]',
  COMMENT COLUMN visitor_id 'Visitor: a browser, as the script on the website names it [pseudonymous]',
  COMMENT COLUMN id 'ID of the record, a function of project and event_id [pseudonymous]',
  COMMENT COLUMN event_id 'Unique ID of the event in the system of its sender [pseudonymous]',
  COMMENT COLUMN type 'page_view or event [none]',
  COMMENT COLUMN name 'Name of an event of type event; empty for page views [none]',
  COMMENT COLUMN time 'When it happened [none]',
  COMMENT COLUMN received_at 'When the service received the event first [none]',
  COMMENT COLUMN stored_at 'When ClickHouse stored the row [none]',
  COMMENT COLUMN session_id 'Session of the visitor [pseudonymous]',
  COMMENT COLUMN user_id 'Identifier of the user in the system of the advertiser; empty if there is none [personal]',
  COMMENT COLUMN url 'Address of the page [personal]',
  COMMENT COLUMN referrer 'Where the browser came from; empty if it did not say [personal]',
  COMMENT COLUMN revenue 'Revenue sent with the event, in whatever currency the website uses [none]',
  COMMENT COLUMN properties 'What else was sent with the event, as a JSON object; empty if nothing was [personal]',
  COMMENT COLUMN channel 'Channel that page and referrer speak of, for example organic_search; direct for none [none]',
  COMMENT COLUMN source 'Source that page and referrer speak of, for example google; empty for none [none]',
  COMMENT COLUMN utm_source 'utm_source of the page [none]',
  COMMENT COLUMN utm_medium 'utm_medium of the page [none]',
  COMMENT COLUMN utm_campaign 'utm_campaign of the page [none]',
  COMMENT COLUMN utm_id 'utm_id of the page [none]',
  COMMENT COLUMN utm_content 'utm_content of the page [none]',
  COMMENT COLUMN utm_term 'utm_term of the page [none]',
  COMMENT COLUMN click_id_type 'Parameter of the ad click ID of the page, for example gclid; empty for none [none]',
  COMMENT COLUMN click_id 'Ad click ID of the page; empty for none [personal]',
  COMMENT COLUMN network_campaign_id
    'Campaign at the ad network: gad_campaignid, campaign_id or utm_id of the page [none]',
  COMMENT COLUMN ad_set_id 'Ad set at the ad network: ad_set_id, adset_id, adgroup_id, or a utm_term of digits [none]',
  COMMENT COLUMN ad_id 'Ad at the ad network: ad_id, or a utm_content of digits [none]',
  COMMENT COLUMN is_signup '1: its name counts as a sign-up [none]',
  COMMENT COLUMN is_purchase '1: its name counts as a purchase [none]',
  COMMENT COLUMN is_bot '1: the user agent is that of a bot; no report counts it [none]',
  COMMENT COLUMN ip 'Public IP address of the browser in canonical form; empty if there is none [personal]',
  COMMENT COLUMN ua 'User agent of the browser [personal]',
  COMMENT COLUMN touch 'Number of what page and referrer speak of, the same for the same values; 0 for direct [none]',
  COMMENT COLUMN version
    'Receipt in microseconds, counted down from 2^53 - 1: of two rows with one key the first received stays [none]',
  COMMENT COLUMN is_deleted '1: a repeat of an event that another visitor holds; FINAL drops it [none]',
  COMMENT COLUMN trusted '1: sent with a server key; 0: with a web key, which is public [none]';

-- cluster: shard by campaign_id
ALTER TABLE adtrail.ad_spend
  COMMENT COLUMN project_id 'Project that the spend belongs to [none]',
  COMMENT COLUMN campaign_id 'Campaign that the money was spent on [none]',
  COMMENT COLUMN date 'Day of the spend in the time zone of the project [none]',
  COMMENT COLUMN ad_set_id 'Ad set; empty in the row of a whole campaign [none]',
  COMMENT COLUMN ad_id 'Ad; empty in rows of ad sets, keywords and campaigns [none]',
  COMMENT COLUMN keyword_id 'Keyword; empty in rows of other levels [none]',
  COMMENT COLUMN platform 'ANDROID or IOS; empty if the sender does not tell them apart [none]',
  COMMENT COLUMN network 'Code of the ad network; empty for spend with a partner [none]',
  COMMENT COLUMN account 'Account at the ad network, its external_customer_id; empty if none was given [none]',
  COMMENT COLUMN network_campaign_id 'ID of the campaign at the ad network; empty for spend with a partner [none]',
  COMMENT COLUMN campaign_name 'Name of the campaign at the ad network [none]',
  COMMENT COLUMN ad_set_name 'Name of the ad set [none]',
  COMMENT COLUMN ad_name 'Name of the ad [none]',
  COMMENT COLUMN keyword_name 'Text of the keyword [none]',
  COMMENT COLUMN impressions 'Impressions that the ad network counted [none]',
  COMMENT COLUMN clicks 'Clicks that the ad network counted [none]',
  COMMENT COLUMN spend 'Money spent, in currency [none]',
  COMMENT COLUMN currency 'ISO 4217 code of the currency of spend [none]',
  COMMENT COLUMN received_at 'When the service received the row [none]',
  COMMENT COLUMN version
    'Grows with receipt: of two rows with one key the greater, so the last received, counts [none]';

-- cluster: shard by install_id
ALTER TABLE adtrail.installs
  COMMENT COLUMN project_id 'Project that the install belongs to [none]',
  COMMENT COLUMN install_id 'Installation of the app, as its SDK names it [pseudonymous]',
  COMMENT COLUMN event_id 'ID of the install event [pseudonymous]',
  COMMENT COLUMN install_time 'When the app was installed [none]',
  COMMENT COLUMN received_at 'When the service received the install [none]',
  COMMENT COLUMN decided_at 'When the attribution was decided [none]',
  COMMENT COLUMN stored_at 'When ClickHouse stored the row [none]',
  COMMENT COLUMN app_id 'App: Android package name or App Store ID with its id prefix [none]',
  COMMENT COLUMN platform 'ANDROID or IOS, as the app is [none]',
  COMMENT COLUMN reinstall '1: the device had the app before, so this is a reinstall and not an install [none]',
  COMMENT COLUMN gaid 'Google advertising ID of the device [personal]',
  COMMENT COLUMN idfa 'Apple advertising identifier of the device [personal]',
  COMMENT COLUMN ip 'Public IP address of the device; empty if there is none [personal]',
  COMMENT COLUMN ua 'User agent of the device [personal]',
  COMMENT COLUMN rule 'Rule that decided, for example device_click; organic for none [none]',
  COMMENT COLUMN campaign_id 'Campaign that the install is credited to; 0 for organic [none]',
  COMMENT COLUMN partner_id 'Partner of the credited touch; 0 for none [none]',
  COMMENT COLUMN touch_type 'What was credited: click, impression or ctv_impression; empty for organic [none]',
  COMMENT COLUMN touch_id 'ID of the credited click or impression, where it is one of ours [pseudonymous]',
  COMMENT COLUMN touch_time 'When the credited touch happened [none]',
  COMMENT COLUMN window_seconds 'Window that applied to the credited touch, in seconds [none]',
  COMMENT COLUMN touch_to_install_ms 'Milliseconds from the credited touch to the install [none]',
  COMMENT COLUMN ad_set_id 'Ad set of the credited touch [none]',
  COMMENT COLUMN ad_set_name 'Name of that ad set [none]',
  COMMENT COLUMN ad_id 'Ad of the credited touch [none]',
  COMMENT COLUMN ad_name 'Name of that ad [none]',
  COMMENT COLUMN ad_type 'Type of that ad [none]',
  COMMENT COLUMN keyword_id 'Keyword of the credited touch [none]',
  COMMENT COLUMN keyword_name 'Name of that keyword [none]',
  COMMENT COLUMN publisher_platform 'Where the ad network showed the ad [none]',
  COMMENT COLUMN platform_position 'Position at which it showed the ad [none]',
  COMMENT COLUMN click_injection '1: suspicious, the click came too shortly before the install [none]',
  COMMENT COLUMN install_hijacking '1: suspicious, the click came after the download had begun [none]',
  COMMENT COLUMN candidates 'Latest 100 touches considered: the rule each matched and its verdict [pseudonymous]',
  COMMENT COLUMN version
    'Decision in microseconds, counted down from 2^53 - 1: of two decisions the first stays [none]';

-- cluster: shard by key
ALTER TABLE adtrail.touch_keys
  COMMENT COLUMN project_id 'Project [none]',
  COMMENT COLUMN match 'What key is: gaid, idfa or ip [none]',
  COMMENT COLUMN key 'Advertising ID or IP address [personal]',
  COMMENT COLUMN touch_type 'What kind of touch it is: click, impression or ctv_impression [none]',
  COMMENT COLUMN touch_id 'ID of the click or impression [pseudonymous]',
  COMMENT COLUMN touch_time 'When the touch happened [none]',
  COMMENT COLUMN received_at 'When the service received it first [none]',
  COMMENT COLUMN campaign_id 'Campaign of the touch [none]',
  COMMENT COLUMN partner_id 'Partner that reported it; 0 for none [none]',
  COMMENT COLUMN kind 'Where a click came from; empty for impressions [none]',
  COMMENT COLUMN app_id 'App that the touch named; empty if it named none [none]',
  COMMENT COLUMN os 'Operating system that the user agent names; empty if it names none [none]',
  COMMENT COLUMN has_gaid '1: the touch has a Google advertising ID [none]',
  COMMENT COLUMN has_idfa '1: the touch has an Apple advertising identifier [none]',
  COMMENT COLUMN vt_lookback 'View-through window in hours that the partner asked for [none]',
  COMMENT COLUMN ad_set_id 'Ad set that the touch named [none]',
  COMMENT COLUMN ad_set_name 'Name of that ad set [none]',
  COMMENT COLUMN ad_id 'Ad that the touch named [none]',
  COMMENT COLUMN ad_name 'Name of that ad [none]',
  COMMENT COLUMN keyword_id 'Keyword that the touch named [none]',
  COMMENT COLUMN keyword_name 'Name of that keyword [none]',
  COMMENT COLUMN version 'Version of the row of the touch: the greater was received first [none]';

-- cluster: shard by touch_id
ALTER TABLE adtrail.touch_versions
  COMMENT COLUMN touch_id 'ID of the click or impression [pseudonymous]',
  COMMENT COLUMN version 'Greatest version of its rows: that of the delivery first received [none]';

-- cluster: shard by value
ALTER TABLE adtrail.identities
  COMMENT COLUMN project_id 'Project [none]',
  COMMENT COLUMN kind 'What value is: gaid, idfa or user [none]',
  COMMENT COLUMN value 'Advertising ID, or identifier of the user in the system of the advertiser [personal]',
  COMMENT COLUMN install_id 'Install [pseudonymous]';

-- cluster: on every node
ALTER TABLE adtrail.attribution_batches
  COMMENT COLUMN run_id 'Run that decides installs [none]',
  COMMENT COLUMN project_id 'Project [none]',
  COMMENT COLUMN install_id 'Install [pseudonymous]',
  COMMENT COLUMN event_id 'ID of the install event [pseudonymous]',
  COMMENT COLUMN install_time 'When the app was installed [none]',
  COMMENT COLUMN received_at 'When the service received the install [none]',
  COMMENT COLUMN app_id 'App that was installed [none]',
  COMMENT COLUMN platform 'ANDROID or IOS [none]',
  COMMENT COLUMN gaid 'Google advertising ID of the device [personal]',
  COMMENT COLUMN idfa 'Apple advertising identifier of the device [personal]',
  COMMENT COLUMN ip 'Public IP address of the device; empty if there is none [personal]',
  COMMENT COLUMN ua 'User agent of the device [personal]',
  COMMENT COLUMN os 'Operating system that the user agent names; empty if it names none [none]',
  COMMENT COLUMN referrer_click_id 'Click that the install referrer names [pseudonymous]',
  COMMENT COLUMN referrer_click_time 'When the store was opened, by the install referrer [none]',
  COMMENT COLUMN install_begin_time 'When the download began, by the install referrer [none]',
  COMMENT COLUMN attribution 'Attribution given with the install, as a JSON object; empty if none was given [personal]',
  COMMENT COLUMN started_at 'When the run_id began [none]';

-- cluster: on every node
ALTER TABLE adtrail.attribution_matches
  COMMENT COLUMN run_id 'Run that decides installs [none]',
  COMMENT COLUMN project_id 'Project [none]',
  COMMENT COLUMN match 'What key is: gaid, idfa or ip [none]',
  COMMENT COLUMN key 'Advertising ID or IP address [personal]',
  COMMENT COLUMN touch_type 'What kind of touch it is: click, impression or ctv_impression [none]',
  COMMENT COLUMN touch_id 'ID of the click or impression [pseudonymous]',
  COMMENT COLUMN touch_time 'When the touch happened [none]',
  COMMENT COLUMN received_at 'When the service received it first [none]',
  COMMENT COLUMN campaign_id 'Campaign of the touch [none]',
  COMMENT COLUMN partner_id 'Partner that reported it; 0 for none [none]',
  COMMENT COLUMN kind 'Where a click came from; empty for impressions [none]',
  COMMENT COLUMN app_id 'App that the touch named; empty if it named none [none]',
  COMMENT COLUMN os 'Operating system that the user agent names; empty if it names none [none]',
  COMMENT COLUMN has_gaid '1: the touch has a Google advertising ID [none]',
  COMMENT COLUMN has_idfa '1: the touch has an Apple advertising identifier [none]',
  COMMENT COLUMN vt_lookback 'View-through window in hours that the partner asked for [none]',
  COMMENT COLUMN ad_set_id 'Ad set that the touch named [none]',
  COMMENT COLUMN ad_set_name 'Name of that ad set [none]',
  COMMENT COLUMN ad_id 'Ad that the touch named [none]',
  COMMENT COLUMN ad_name 'Name of that ad [none]',
  COMMENT COLUMN keyword_id 'Keyword that the touch named [none]',
  COMMENT COLUMN keyword_name 'Name of that keyword [none]',
  COMMENT COLUMN version 'Version of the row of the touch: the greater was received first [none]',
  COMMENT COLUMN started_at 'When the run_id began [none]';

-- cluster: shard by root_install
ALTER TABLE adtrail.journeys
  COMMENT COLUMN project_id 'Project [none]',
  COMMENT COLUMN report_view 'View of the report that the journey belongs to [none]',
  COMMENT COLUMN campaign_id 'Campaign that the journey is credited to; 0 for none [none]',
  COMMENT COLUMN root_install 'Hash of install_id [pseudonymous]',
  COMMENT COLUMN conversion_id
    'Zero for an install, hash of install_id for a reinstall, event ID for a re-engagement [pseudonymous]',
  COMMENT COLUMN kind 'What began the journey [none]',
  COMMENT COLUMN install_id 'The first install of the app on the device, as far as it is known [pseudonymous]',
  COMMENT COLUMN platform 'ANDROID or IOS [none]',
  COMMENT COLUMN ad_set_id 'Ad set of the credited touch [none]',
  COMMENT COLUMN ad_set_name 'Name of that ad set [none]',
  COMMENT COLUMN ad_id 'Ad of the credited touch [none]',
  COMMENT COLUMN ad_name 'Name of that ad [none]',
  COMMENT COLUMN ad_type 'Type of that ad [none]',
  COMMENT COLUMN keyword_id 'Keyword of the credited touch [none]',
  COMMENT COLUMN keyword_name 'Name of that keyword [none]',
  COMMENT COLUMN touch_type 'What was credited: click, impression or ctv_impression; empty for none [none]',
  COMMENT COLUMN suspicious '1: click injection or install hijacking is suspected [none]',
  COMMENT COLUMN start_time 'When the journey began [none]',
  COMMENT COLUMN start_day 'Day on which it began in the time zone of the project [none]',
  COMMENT COLUMN active_days 'Bit N, from 1 to 30: active on the Nth day after start_day [none]',
  COMMENT COLUMN last_active_day 'Last day with activity, counted from start_day; 0 for none after it [none]',
  COMMENT COLUMN last_event_time 'Time of the last event of any type [none]',
  COMMENT COLUMN signup_days 'Days of the sign-ups [none]',
  COMMENT COLUMN uninstall_days 'Days of the uninstalls [none]',
  COMMENT COLUMN money_days 'Days of payments and refunds [none]',
  COMMENT COLUMN money_utc_days 'Their UTC days, whose exchange rates apply [none]',
  COMMENT COLUMN money_refunds '1 for a refund, 0 for a payment [none]',
  COMMENT COLUMN money_types 'Their revenue types [none]',
  COMMENT COLUMN money_currencies 'Their currencies [none]',
  COMMENT COLUMN money_amounts 'Their amounts, those of refunds below zero [none]',
  COMMENT COLUMN event_days 'Days of the events of type event [none]',
  COMMENT COLUMN event_names 'Their names [none]',
  COMMENT COLUMN event_users 'Hashes of their users [pseudonymous]',
  COMMENT COLUMN priced_days 'Days of the events of type event that carry an amount [none]',
  COMMENT COLUMN priced_utc_days 'Their UTC days [none]',
  COMMENT COLUMN priced_names 'Their names [none]',
  COMMENT COLUMN priced_currencies 'Their currencies [none]',
  COMMENT COLUMN priced_amounts 'Their amounts [none]',
  COMMENT COLUMN version 'Run that wrote the row; the greatest counts [none]',
  COMMENT COLUMN is_deleted '1: no journey any more; FINAL drops it [none]';

-- cluster: shard by campaign_id
ALTER TABLE adtrail.daily_clicks
  COMMENT COLUMN project_id 'Project [none]',
  COMMENT COLUMN campaign_id 'Campaign of the clicks [none]',
  COMMENT COLUMN bucket 'UTC day on which the clicks were received [none]',
  COMMENT COLUMN days 'Days of the clicks in the time zone of the project [none]',
  COMMENT COLUMN platforms 'ANDROID or IOS; empty if it is unknown [none]',
  COMMENT COLUMN ad_set_ids 'Ad sets that the clicks named [none]',
  COMMENT COLUMN ad_ids 'Ads that the clicks named [none]',
  COMMENT COLUMN keyword_ids 'Keywords that the clicks named [none]',
  COMMENT COLUMN clicks 'How many clicks [none]',
  COMMENT COLUMN version 'Run that wrote the row; the greatest counts [none]';

-- cluster: on every node
ALTER TABLE adtrail.event_names
  COMMENT COLUMN project_id 'Project [none]',
  COMMENT COLUMN kind 'What name is: name of an event, or revenue type [none]',
  COMMENT COLUMN name 'Name of the event [none]';

-- cluster: on every node
ALTER TABLE adtrail.journey_batches
  COMMENT COLUMN run_id 'Run that derives journeys [none]',
  COMMENT COLUMN chunk 'Part of the run_id [none]',
  COMMENT COLUMN round
    '0: something of the install is new; n: it shares a device with an install of round n - 1 [none]',
  COMMENT COLUMN project_id 'Project [none]',
  COMMENT COLUMN install_id 'Install [pseudonymous]',
  COMMENT COLUMN started_at 'When the run_id began [none]';

-- cluster: on every node
ALTER TABLE adtrail.journey_members
  COMMENT COLUMN run_id 'Run that derives journeys [none]',
  COMMENT COLUMN chunk 'Part of the run_id [none]',
  COMMENT COLUMN project_id 'Project [none]',
  COMMENT COLUMN install_id 'Install [pseudonymous]',
  COMMENT COLUMN root_install 'Itself, or the install that it repeats [pseudonymous]',
  COMMENT COLUMN started_at 'When the run_id began [none]';

-- cluster: shard by touch
ALTER TABLE adtrail.web_touches
  COMMENT COLUMN project_id 'Project that the touch belongs to [none]',
  COMMENT COLUMN touch 'Number of the touch, a function of the values below [none]',
  COMMENT COLUMN channel 'Channel, for example organic_search [none]',
  COMMENT COLUMN source 'Source, for example google; empty for none [none]',
  COMMENT COLUMN utm_source 'utm_source of the landing page [none]',
  COMMENT COLUMN utm_medium 'utm_medium of the landing page [none]',
  COMMENT COLUMN utm_campaign 'utm_campaign of the landing page [none]',
  COMMENT COLUMN utm_id 'utm_id of the landing page [none]',
  COMMENT COLUMN utm_content 'utm_content of the landing page [none]',
  COMMENT COLUMN utm_term 'utm_term of the landing page [none]',
  COMMENT COLUMN network_campaign_id 'Campaign at the ad network; empty for none [none]',
  COMMENT COLUMN ad_set_id 'Ad set or ad group at the ad network; empty for none [none]',
  COMMENT COLUMN ad_id 'Ad at the ad network; empty for none [none]',
  COMMENT COLUMN version 'Run that wrote the row; the rows of a touch are all the same [none]';

-- cluster: shard by visitor_id
ALTER TABLE adtrail.web_visitors
  COMMENT COLUMN project_id 'Project that the visitor belongs to [none]',
  COMMENT COLUMN visitor_id 'Visitor [pseudonymous]',
  COMMENT COLUMN first_day 'Day of the first event; days are those of Asia/Kolkata [none]',
  COMMENT COLUMN last_day 'Day of the last event [none]',
  COMMENT COLUMN `element.day` 'Day of the events [none]',
  COMMENT COLUMN `element.session` 'Number of the session within the visitor [none]',
  COMMENT COLUMN `element.last_touch` 'Latest touch at or before the events; 0 for direct [none]',
  COMMENT COLUMN `element.first_touch` 'Earliest touch, where it is at or before the events; 0 for direct [none]',
  COMMENT COLUMN `element.pause_time`
    'Latest beginning or end of any pause at or before the events, in milliseconds; 0 for none [none]',
  COMMENT COLUMN `element.page_views` 'Page views among the events [none]',
  COMMENT COLUMN `conversion.day` 'As of elements [none]',
  COMMENT COLUMN `conversion.last_touch` 'As of elements [none]',
  COMMENT COLUMN `conversion.first_touch` 'As of elements [none]',
  COMMENT COLUMN `conversion.pause_time` 'As of elements [none]',
  COMMENT COLUMN `conversion.is_signup` '1: a sign-up, 0: a purchase [none]',
  COMMENT COLUMN `conversion.user` 'Hash of the user_id, or else of the visitor_id [pseudonymous]',
  COMMENT COLUMN `conversion.revenue` 'Revenue of a purchase [none]',
  COMMENT COLUMN `event.day` 'As of elements [none]',
  COMMENT COLUMN `event.last_touch` 'As of elements [none]',
  COMMENT COLUMN `event.first_touch` 'As of elements [none]',
  COMMENT COLUMN `event.pause_time` 'As of elements [none]',
  COMMENT COLUMN `event.name` 'Name of the events [none]',
  COMMENT COLUMN `event.count` 'How many there are [none]',
  COMMENT COLUMN version 'Run that wrote the row; the greatest counts [none]';
