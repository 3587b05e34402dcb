-- Whether anybody operates the installation.
SELECT EXISTS (SELECT FROM memberships WHERE role = 'operator') AS yes
