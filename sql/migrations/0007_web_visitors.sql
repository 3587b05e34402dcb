-- How far web visitors are derived: up to which storage time, and, to notice what is stored late, how many events were
-- stored from checked_from until then when they were derived.
CREATE TABLE web_derivation (
  one boolean PRIMARY KEY DEFAULT true CHECK (one),
  derived_until timestamptz(3) NOT NULL,
  checked_from timestamptz(3) NOT NULL,
  checked_events bigint NOT NULL
);
