/** Backups of a running service (docs/contract/backups.md). */
import { PassThrough } from 'node:stream';
import type Router from '@koa/router';
import { ApiError, StartError } from '../errors';
import type { Administrators } from '../http/administrators';
import { admin } from '../http/auth-schemes';
import { createRoutes, endpoints, json, type EndpointSection } from '../http/endpoint';
import type { Log } from '../lib/log';
import { closed, optional, Type } from '../lib/schema';
import { errorReply } from '../openapi/operation';
import { openStore, type StoreOptions } from './open-store';
import { takeBackup, type TakeParts } from './take';

/** How often whoever waits is told how far it is. */
const TELL_MS = 1_000;

export interface BackupParts extends TakeParts {
  readonly admins: Administrators;
  readonly places: StoreOptions;
  readonly log: Log;
}

const backupSchema = closed({
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

export const backupApi: EndpointSection<BackupParts> = {
  tag: 'Backups',
  description: 'One consistent whole of PostgreSQL, ClickHouse, the ingest logs and the secrets.',
  operations: [
    endpoints<BackupParts>()({
      method: 'post',
      path: '/admin/v1/backups',
      operationId: 'takeBackup',
      summary: 'Take a backup',
      description:
        'Taken while the service goes on. Answers one JSON object a line: `progress` with `stage`, and how many ' +
        'bytes are `done` of `total`; last `backup`, its manifest, or `failure`, a sentence. With the admin token ' +
        'alone.',
      // It writes where the caller says: not for people who are signed in.
      auth: admin.token,
      body: json({ schema: backupSchema, example: { to: '/mnt/backups/adtrail' }, limit: '10kb' }),
      responses: {
        200: { description: 'How far it is, and what came of it.', files: ['application/x-ndjson'] },
        400: errorReply(400, 'The place cannot be used, or a field is invalid.', BAD_PLACE),
      },
      handle: (ctx, { places, log, ...parts }, { readBody }) => {
        const { to, whole = false, with_seal_key: withSealKey = false } = readBody();
        const store = storeAt(to, places);
        const lines = new PassThrough();
        const write = (line: unknown) => void lines.write(`${JSON.stringify(line)}\n`);
        let latest: unknown;
        const timer = setInterval(() => latest !== undefined && write(latest), TELL_MS);
        takeBackup(parts, store, { whole, withSealKey }, (progress) => write((latest = { progress })))
          .then(
            (manifest) => {
              log.info(`Backup ${manifest.id} is in ${store.name}`);
              write({ backup: manifest });
            },
            (error: Error) => {
              log.error(`The backup to ${store.name} failed: ${error.message}`);
              write({ failure: error instanceof StartError ? error.message : 'It failed; the log says why.' });
            },
          )
          .finally(() => {
            clearInterval(timer);
            lines.end();
          });
        ctx.type = 'application/x-ndjson';
        return lines;
      },
    }),
  ],
};

export const backupRoutes = (parts: BackupParts): Router => createRoutes(backupApi, parts);

function storeAt(place: string, places: StoreOptions) {
  try {
    return openStore(place, places);
  } catch (error) {
    throw error instanceof StartError ? new ApiError(400, `to: ${error.message}`) : error;
  }
}
