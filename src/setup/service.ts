/** How far a project is set up, and what it was refused lately (docs/contract/workspace.md). */
import { mustExist } from '../configuration/must-exist';
import type { Postgres } from '../db/postgres';
import { HOUR_MS } from '../lib/time';
import type { Reads } from '../reporting/bounded-reads';
import * as queries from './queries';

/** The steps, in the order in which a newcomer takes them. */
export const STEPS = ['app', 'domain', 'key', 'event', 'click', 'spend'] as const;
export type Step = (typeof STEPS)[number];

export interface SetupParts {
  readonly postgres: Postgres;
  readonly clickhouse: Reads;
  readonly now: () => number;
}

/** @throws ApiError 404 when there is no such project. */
export async function readSetup({ postgres, clickhouse, now }: SetupParts, projectId: number) {
  await mustExist(postgres, 'projects', projectId);
  const since = new Date(now() - HOUR_MS);
  const [[configured], received, collected, requested] = await Promise.all([
    queries.readConfigured(postgres, projectId),
    queries.readReceived(clickhouse, projectId),
    queries.readRefusals(postgres, projectId, since),
    queries.readRefusedRequests(clickhouse, projectId, since.getTime()),
  ]);
  const done: Record<Step, boolean> = {
    app: configured?.app ?? false,
    domain: configured?.domain ?? false,
    key: configured?.key ?? false,
    event: Boolean(received?.app_event) || Boolean(received?.web_event),
    click: Boolean(received?.click),
    spend: Boolean(received?.spend),
  };
  return {
    steps: STEPS.map((step) => ({ step, done: done[step] })),
    refused_since: since.toISOString(),
    refused: [
      ...collected.map(({ last_at, ...row }) => ({ ...row, last_at: last_at.toISOString() })),
      // ClickHouse writes a time in UTC without saying so.
      ...requested.map(({ last_at, ...row }) => ({ ...row, last_at: `${last_at.replace(' ', 'T')}Z` })),
    ],
  };
}
