/** Backups: the section of the OpenAPI document, and the schema of the body. */
import { errorReply, tooLarge, type ApiSection } from '../openapi/operation';
import { closed, optional, Type } from '../lib/schema';

export const backupSchema = closed({
  to: Type.String({
    minLength: 1,
    maxLength: 1_000,
    description:
      'A folder of the machine of the service, in `BACKUP_DIR`, by its absolute path; or `s3://bucket/prefix`.',
  }),
  ...optional({
    with_seal_key: Type.Boolean({ description: 'With the key that its secrets are sealed with.' }),
    whole: Type.Boolean({ description: 'Copies everything, and not only what the newest one there does not have.' }),
  }),
});

const BAD_PLACE = 'to: /srv/elsewhere is not in BACKUP_DIR, which is /mnt/backups.';

export const backupApi: ApiSection = {
  tag: 'Backups',
  description: 'One consistent whole of PostgreSQL, ClickHouse, the ingest logs and the secrets.',
  operations: [
    {
      method: 'post',
      path: '/admin/v1/backups',
      operationId: 'takeBackup',
      summary: 'Take a backup',
      description:
        'Taken while the service goes on. Answers one JSON object a line: `progress` with `stage`, and how many ' +
        'bytes are `done` of `total`; last `backup`, its manifest, or `failure`, a sentence. With the admin token ' +
        'alone.',
      security: ['adminToken'],
      body: { schema: backupSchema, example: { to: '/mnt/backups/adtrail' } },
      responses: {
        200: { description: 'How far it is, and what came of it.', files: ['application/x-ndjson'] },
        400: errorReply(400, 'The place cannot be used, or a field is invalid.', BAD_PLACE),
        401: errorReply(401, 'The admin token is missing or wrong.', 'Unauthorized access.'),
        413: tooLarge('10kb'),
      },
    },
  ],
};
