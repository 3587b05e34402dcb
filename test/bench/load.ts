/** The load of a benchmark, run in a process of its own: many connections, each with one request in flight. */
import { setTimeout as sleep } from 'node:timers/promises';
import { RawClient } from '../support/s2s/raw-client';

export interface LoadOptions {
  readonly port: number;
  readonly connections: number;
  readonly seconds: number;
  /** Answers of these first seconds do not count as latencies: the load's own code is compiled meanwhile. */
  readonly warmUpSeconds?: number;
  /** Requests a second over all connections; 0 for as many as are answered. */
  readonly rate: number;
  /** Share of requests that repeat one sent before, 0 to 1. */
  readonly retries: number;
  /** Text that makes the IDs of this round its own. */
  readonly round: string;
  /** Path and query of a click without tid, device and time; empty for a bare `GET /`. */
  readonly target: string;
  readonly token: string;
  /** Over how many campaigns the requests are spread. */
  readonly campaigns: number;
  /** The host that is asked for; a tracking domain answers 302. */
  readonly host?: string;
}

export interface LoadResult {
  readonly accepted: number;
  readonly refused: number;
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
  /** The slowest hundredth: when each was sent, in milliseconds since 1970, and how long its answer took. */
  readonly slowest: readonly (readonly [sent: number, ms: number])[];
}

const RECENT = 4096;

/** Runs one round and resolves with what came back; latencies in milliseconds. */
async function load({
  port,
  connections,
  seconds,
  warmUpSeconds = 0,
  rate,
  retries,
  round,
  target,
  token,
  campaigns,
  host,
}: LoadOptions): Promise<LoadResult> {
  const latencies: (readonly [sent: number, ms: number])[] = [];
  const recent: string[] = [];
  let sent = 0;
  let fresher = 0;
  let accepted = 0;
  let answered = 0;
  const nextTarget = () => {
    const n = ++sent;
    if (!target) return '/';
    if (recent.length > 100 && Math.random() < retries)
      return recent[Math.floor(Math.random() * recent.length)] as string;
    const fresh =
      `${target.replace('{campaign}', String(n % campaigns))}&tid=${round}-${n}` +
      `&gaid=38400000-8cf0-11bd-b23e-${n.toString(16).padStart(12, '0')}&ip=203.0.${n % 250}.${(n >> 8) % 250}` +
      `&click_time=${Date.now()}`;
    recent[fresher++ % RECENT] = fresh;
    return fresh;
  };
  const started = performance.now();
  const ends = started + seconds * 1000;
  const counts = started + warmUpSeconds * 1000;
  const pause = rate ? (connections / rate) * 1000 : 0;
  const work = async (_: unknown, i: number) => {
    const client = new RawClient(port, `X-Service-Token: ${token}\r\n`, host);
    // Paced, the connections start one after another within the pause between two requests of one of them.
    let due = started + (pause * i) / connections;
    for (;;) {
      if (pause && due > performance.now()) await sleep(due - performance.now());
      const asked = performance.now();
      if (asked >= ends) break;
      due = Math.max(due + pause, asked - 1_000);
      const { status } = await client.get(nextTarget());
      if (status === 200 || status === 302) accepted += 1;
      answered += 1;
      if (asked >= counts) latencies.push([performance.timeOrigin + asked, performance.now() - asked]);
    }
    client.close();
  };
  await Promise.all(Array.from({ length: connections }, work));
  const elapsed = (performance.now() - started) / 1000;
  latencies.sort(([, a], [, b]) => a - b);
  const at = (q: number) => latencies[Math.floor(latencies.length * q)]?.[1] ?? 0;
  const slowest = latencies.slice(Math.floor(latencies.length * 0.99));
  return {
    accepted,
    refused: answered - accepted,
    perSecond: accepted / elapsed,
    p50: at(0.5),
    p99: at(0.99),
    slowest,
  };
}

void load(JSON.parse(process.argv[2] as string) as LoadOptions).then((result) =>
  process.stdout.write(JSON.stringify(result)),
);
