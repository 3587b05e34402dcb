-- One row a partner.
SELECT id, name, status FROM partners
