-- One row per event of install {install} of project {project}, the latest first; {limit} of them.
SELECT event_id, type, name, time, received_at, payment_type, amount, currency, user_id, link
FROM adtrail.app_events FINAL
WHERE project_id = {project:UInt32} AND install_id = {install:String}
ORDER BY time DESC, event_id DESC
LIMIT {limit:UInt32}
