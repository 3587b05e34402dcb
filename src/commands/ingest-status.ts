/** The commands `adtrail ingest ...`: the logs of all processes, for people. */
import { StartError } from '../errors';
import type { PresentedProcess } from '../status/ingest-presenter';
import type { AdminTarget } from './target';

const number = new Intl.NumberFormat('en-US');

/** What waits in the log of each process, and up to when everything is in ClickHouse; a few lines for each. */
export async function describeIngest(target: AdminTarget): Promise<string> {
  const { processes } = (await ask(target, 'GET', '')) as { processes: PresentedProcess[] };
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

async function ask({ service, adminToken }: AdminTarget, method: string, path: string): Promise<unknown> {
  const headers = { Authorization: `Bearer ${adminToken}` };
  const response = await fetch(`${service}/admin/v1/ingest${path}`, { method, headers }).catch((error: Error) => {
    throw new StartError(`No service answers at ${service}: ${error.message}`);
  });
  const text = await response.text();
  if (response.ok) return text === '' ? undefined : JSON.parse(text);
  throw new StartError((JSON.parse(text) as { msg?: string }).msg ?? `The service answered ${response.status}`);
}
