/** Forgetting over HTTP (docs/contract/attribution.md). */
import type Router from '@koa/router';
import type { Postgres } from '../db/postgres';
import { ApiError } from '../errors';
import type { Administrators } from '../http/administrators';
import { readId } from '../http/ids';
import { createRouter } from '../http/router';
import { deviceId } from '../ingest/device-id';
import * as queries from './queries';
import type { Seal } from '../lib/seal';

const KINDS: readonly string[] = ['gaid', 'idfa', 'user'] satisfies queries.Kind[];

/** What a person is known by; advertising IDs in any case. */
function readIdentifier(kind: string, value: string): { kind: queries.Kind; value: string } {
  if (!KINDS.includes(kind)) throw new ApiError(400, `kind: must be one of ${KINDS.join(', ')}`);
  if (kind === 'user') return { kind, value };
  const id = deviceId(value);
  if (!id) throw new ApiError(400, `value: a ${kind} is a UUID, and not all zero`);
  return { kind: kind as queries.Kind, value: id };
}

/** `onRequest` is called for each request, so that the work starts at once. */
export function erasureRoutes(postgres: Postgres, seal: Seal, admins: Administrators, onRequest: () => void): Router {
  const router = createRouter('/admin/v1');
  router.delete('/projects/:id/devices/:kind/:value', admins.project('erasure'), async (ctx) => {
    const { kind, value } = readIdentifier(ctx.params.kind as string, ctx.params.value as string);
    const project = readId(ctx.params.id, 'Project');
    const receipt = await queries.createRequest(postgres, project, kind, seal.seal(value));
    if (!receipt) throw new ApiError(404, 'Project not found.');
    onRequest();
    ctx.status = 202;
    ctx.body = receipt;
  });
  router.get('/projects/:id/forgotten', admins.project('erasure'), async (ctx) => {
    ctx.body = { forgotten: await queries.readReceipts(postgres, readId(ctx.params.id, 'Project'), null) };
  });
  router.get('/projects/:id/forgotten/:receipt_id', admins.project('erasure'), async (ctx) => {
    const [receipt] = await queries.readReceipts(
      postgres,
      readId(ctx.params.id, 'Project'),
      readId(ctx.params.receipt_id, 'Receipt'),
    );
    if (!receipt) throw new ApiError(404, 'Receipt not found.');
    ctx.body = receipt;
  });
  return router;
}
