-- Function install_key_of of app queries: what a row is grouped by of the install. A dimension that is not asked for is
-- the same for all rows, and what it would need is not read.
(country, touch_type, app, rule, os_version, app_version) -> tuple(
  if(has({dimensions:Array(String)}, 'country'), country, ''),
  if(has({dimensions:Array(String)}, 'touch_type'), touch_type, ''),
  if(has({dimensions:Array(String)}, 'app'), app, ''),
  if(has({dimensions:Array(String)}, 'rule'), rule, ''),
  if(has({dimensions:Array(String)}, 'os_version'), os_version, ''),
  if(has({dimensions:Array(String)}, 'app_version'), app_version, '')
)
