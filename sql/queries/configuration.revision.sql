-- The revision of the configuration: whoever has loaded this one has everything.
SELECT revision FROM configuration
