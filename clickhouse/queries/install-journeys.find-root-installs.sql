-- Finds the root install of each decided install of a part of a run: one row per install. The root of a reinstall is
-- the install that it repeats, where that is known. Every other install is its own root.
INSERT INTO adtrail.journey_members (run_id, chunk, project_id, install_id, root_install)
SELECT
  {run_id:UInt64}, {chunk:UInt16}, known_installs.project_id, known_installs.install_id,
  if(roots.root_install = '', known_installs.install_id, roots.root_install)
FROM known_installs
LEFT ANY JOIN roots
  ON known_installs.project_id = roots.project_id AND known_installs.install_id = roots.install_id
