-- One row a derivation of ClickHouse tables from the records that arrive: up to which storage time they are taken in.
CREATE TABLE derivations (
  name text PRIMARY KEY,
  derived_until timestamptz(3) NOT NULL
);
