/** The commands `adtrail ingest ...`: the logs of all processes, for people. */
import { askService, withAdminToken } from '../lib/ask-service';
import type { PresentedProcess } from '../status/ingest-presenter';
import type { AdminTarget } from './target';

const number = new Intl.NumberFormat('en-US');

/** What waits in the log of each process, and up to when everything is in ClickHouse; a few lines for each. */
export async function describeIngest(target: AdminTarget): Promise<string> {
  const { processes } = await ask<{ processes: PresentedProcess[] }>(target, 'GET', '');
  return processes.map(describe).join('\n');
}

/** Forgets a process whose log is lost. */
export async function forgetIngestProcess(target: AdminTarget, name: string): Promise<void> {
  await ask(target, 'DELETE', `/${encodeURIComponent(name)}`);
}

function describe({ name, host, state, received_up_to, published_at, backlog }: PresentedProcess): string {
  const how = state === 'alive' ? 'alive' : `left behind since ${published_at}`;
  const waiting = backlog.map(
    ({ table, records, bytes, seconds }) =>
      `  ${table}: ${number.format(records)} records wait (${number.format(bytes)} bytes), the oldest for ${seconds} s`,
  );
  return [
    `${name} on ${host}, ${how}`,
    `  everything received up to ${received_up_to} is in ClickHouse`,
    ...(waiting.length > 0 ? waiting : ['  nothing waits']),
  ].join('\n');
}

const ask = <Answer>({ service, adminToken }: AdminTarget, method: 'GET' | 'DELETE', path: string) =>
  askService<Answer>(service, `/admin/v1/ingest${path}`, { method, headers: withAdminToken(adminToken) });
