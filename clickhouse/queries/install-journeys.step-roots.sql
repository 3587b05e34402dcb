-- One row per reinstall whose install is known: the latest install of the app on the device up to then.
SELECT
  again.project_id AS project_id, again.install_id AS install_id,
  argMax(earlier.install_id, (earlier.install_time, earlier.install_id)) AS root_install
FROM installs_by_device AS again
INNER JOIN installs_by_device AS earlier
  ON again.project_id = earlier.project_id AND again.app_id = earlier.app_id AND again.device = earlier.device
WHERE again.reinstall = 1 AND earlier.reinstall = 0 AND earlier.install_time <= again.install_time
GROUP BY again.project_id, again.install_id
