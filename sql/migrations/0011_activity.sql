-- Journeys have new columns: those of all projects are derived anew.
DELETE FROM materialization_settings WHERE name = 'install-journeys';
