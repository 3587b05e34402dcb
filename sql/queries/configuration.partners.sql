-- One row per partner.
SELECT id, name, status FROM partners
