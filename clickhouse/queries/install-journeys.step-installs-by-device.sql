-- One row per decided install of a part of a run and device of it.
SELECT
  known_installs.project_id AS project_id, known_installs.install_id AS install_id, decision.app_id AS app_id,
  device, decision.install_time AS install_time, decision.reinstall AS reinstall
FROM known_installs
INNER JOIN known_devices
  ON known_installs.project_id = known_devices.project_id AND known_installs.install_id = known_devices.install_id
