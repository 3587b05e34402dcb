/** Backups of a running service (docs/contract/backups.md). */
import { PassThrough } from 'node:stream';
import type Router from '@koa/router';
import { ApiError, StartError } from '../errors';
import type { Administrators } from '../http/administrators';
import { jsonBody } from '../http/body';
import { createRouter } from '../http/router';
import { validator } from '../http/validate';
import type { Log } from '../lib/log';
import { openStore, type StoreOptions } from './open-store';
import { backupSchema } from './openapi';
import { takeBackup, type TakeParts } from './take';

/** How often whoever waits is told how far it is. */
const TELL_MS = 1_000;

const parse = validator(backupSchema);

export function backupRoutes(parts: TakeParts, places: StoreOptions, admins: Administrators, log: Log): Router {
  const router = createRouter('/admin/v1/backups');
  // It writes where the caller says: not for people who are signed in.
  router.post('/', admins.adminToken, jsonBody('10kb'), (ctx) => {
    const { to, whole = false, with_seal_key: withSealKey = false } = parse(ctx.request.body);
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
    ctx.body = lines;
  });
  return router;
}

function storeAt(place: string, places: StoreOptions) {
  try {
    return openStore(place, places);
  } catch (error) {
    throw error instanceof StartError ? new ApiError(400, `to: ${error.message}`) : error;
  }
}
