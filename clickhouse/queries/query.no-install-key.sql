-- Function install_key_of of app queries that group by nothing of installs.
(country, touch_type, app, rule, os_version, app_version) -> tuple('', '', '', '', '', '')
