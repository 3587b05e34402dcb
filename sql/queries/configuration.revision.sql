-- The revision of the configuration: a process that has loaded this one has everything.
SELECT revision FROM configuration
