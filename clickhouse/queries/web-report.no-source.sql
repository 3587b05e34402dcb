-- Function source_of of reports whose rows are no campaigns: only campaigns show their main source.
touch -> toUInt64(0)
