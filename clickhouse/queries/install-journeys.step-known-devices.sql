-- One row per install of a part of a run and device that its events name, by its hashes. Devices are read from the
-- events: adtrail.installs_by_identifier may name one of a repeat of an event, which does not count.
SELECT DISTINCT project_id, install_id, hashes.identifier AS identifier, hashes.device AS device
FROM adtrail.journey_records
ARRAY JOIN devices AS hashes
WHERE run_id = {run_id:UInt64} AND chunk = {chunk:UInt16}
