/**
 * Several worker processes on one port: both serve, agree on the configuration, add up their metrics, and are replaced
 * when they die.
 */
import fs from 'node:fs';
import http from 'node:http';
import type { Begin } from '../../support/one-service';
import { readPostgres } from '../../support/postgres';
import { ADMIN_TOKEN, eventually, type RunningService, within } from '../../support/service';
import { startBeside } from '../../support/shared-service';
import { rounds } from '../../support/soak';
import { TOKEN, workspace } from '../../support/workspace/workspace';

export function lifecycleWorkers(begin: Begin): void {
  /** A keep-alive connection, which stays with the worker that accepted it. */
  interface Connection {
    get(path: string): Promise<{ status: number; body: { status?: string; reason?: string; click_id?: string } }>;
    readonly agent: http.Agent;
  }

  let service: RunningService;
  const open: Connection[] = [];
  let sent = 0;

  function connect(): Connection {
    const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
    const connection: Connection = {
      agent,
      get: (path) =>
        new Promise((resolve, reject) => {
          http
            .get(service.url + path, { agent, headers: { 'X-Service-Token': TOKEN } }, (response) => {
              let text = '';
              response.on('data', (chunk) => (text += String(chunk)));
              response.on('end', () => resolve({ status: response.statusCode ?? 0, body: JSON.parse(text) as object }));
            })
            .once('error', reject);
        }),
    };
    open.push(connection);
    return connection;
  }

  const clickPath = (campaign = 'AbC123') =>
    `/v1/click/com.acme.shop?c=${campaign}&tid=workers-${sent++}&ip=203.0.113.7`;
  const metrics = async () =>
    (
      await service.request('/metrics', {
        headers: { Authorization: `Bearer ${ADMIN_TOKEN}`, Connection: 'close' },
        signal: AbortSignal.timeout(20_000),
      })
    ).text();
  const accepted = async () =>
    Number(
      /^adtrail_s2s_requests_total\{endpoint="click",outcome="accepted"\} (\d+)$/m.exec(await metrics())?.[1] ?? 0,
    );

  /** Process IDs of the workers: children of the service that run its command line. */
  function workers(): number[] {
    return fs
      .readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .filter((pid) => {
        try {
          return (
            fs.readFileSync(`/proc/${pid}/status`, 'utf8').includes(`PPid:\t${service.child.pid}\n`) &&
            fs.readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('cli.js')
          );
        } catch {
          return false;
        }
      })
      .map(Number);
  }

  /** The workers with a connection established on the service's port, by the sockets that each holds. */
  function listWorkers(ports: readonly number[]): Map<number, number> {
    const hex = (port: number) => port.toString(16).toUpperCase().padStart(4, '0');
    const here = hex(Number(new URL(service.url).port));
    const inodes = new Map<string, number>();
    for (const line of fs.readFileSync('/proc/net/tcp', 'utf8').split('\n').slice(1)) {
      const [, local = '', remote = '', , , , , , , inode = ''] = line.trim().split(/\s+/);
      if (local.endsWith(`:${here}`)) inodes.set(inode, parseInt(remote.split(':')[1] ?? '', 16));
    }
    const owners = new Map<number, number>();
    for (const worker of workers()) {
      for (const fd of fs.readdirSync(`/proc/${worker}/fd`)) {
        const link = (() => {
          try {
            return fs.readlinkSync(`/proc/${worker}/fd/${fd}`);
          } catch {
            return '';
          }
        })();
        const port = inodes.get(/^socket:\[(\d+)\]$/.exec(link)?.[1] ?? '');
        if (port !== undefined && ports.includes(port)) owners.set(port, worker);
      }
    }
    return owners;
  }

  /** Which worker holds the connection. */
  function readWorker(connection: Connection): number | undefined {
    const socket = Object.values(connection.agent.freeSockets)[0]?.[0];
    return socket?.localPort === undefined ? undefined : listWorkers([socket.localPort]).get(socket.localPort);
  }

  /** One connection to each of the two workers. */
  async function oneOfEach(): Promise<Map<number, Connection>> {
    return eventually('a connection to each worker', async () => {
      const found = new Map<number, Connection>();
      for (let i = 0; i < 8; i++) {
        const connection = connect();
        await connection.get('/healthz').catch(() => undefined);
        const worker = readWorker(connection);
        if (worker !== undefined) found.set(worker, connection);
      }
      return found.size === 2 ? found : undefined;
    });
  }

  beforeAll(async () => {
    service = await begin({ WORKERS: '2' });
    await service.apply(workspace);
  });
  // Whatever became of the test before: the next one finds two workers.
  beforeEach(async () => {
    if (service.child.exitCode !== null || service.child.signalCode !== null) await service.restart();
    await eventually('there are two workers', () => (workers().length === 2 ? true : undefined));
  });
  afterAll(() => {
    for (const { agent } of open) agent.destroy();
  });

  test('two workers, and both serve', async () => {
    expect(workers()).toHaveLength(2);
    const connections = await oneOfEach();
    expect([...connections.keys()].sort()).toEqual(workers().sort());
    for (const connection of connections.values()) {
      expect(await connection.get('/readyz')).toMatchObject({ status: 200 });
      expect(await connection.get(clickPath())).toMatchObject({ status: 200, body: { status: 'accepted' } });
    }
  });

  test('one that is stopped as soon as one of its workers serves leaves nothing that others wait for', async () => {
    const postgres = readPostgres(service);
    const processes = async () =>
      (await postgres.rows<{ name: string }>('SELECT name FROM ingest_processes')).map(({ name }) => name);
    try {
      // Its own workers make themselves known a little after they serve.
      const own = await eventually('both are known', async () => {
        const names = await processes();
        return names.length >= 2 ? names : undefined;
      });
      for (let i = 0; i < rounds(2, 5); i++) {
        const beside = await startBeside(service, { WORKERS: '2' });
        expect(await beside.stop()).toBe(0);
        expect((await processes()).filter((name) => !own.includes(name))).toEqual([]);
        await beside.dispose();
      }
    } finally {
      await postgres.close();
    }
  });

  test('the metrics of both add up, whichever worker answers', async () => {
    const connections = [...(await oneOfEach()).values()] as [Connection, Connection];
    const before = await accepted();
    for (let i = 0; i < 30; i++) await connections[i % 3 === 0 ? 0 : 1].get(clickPath());
    for (let i = 0; i < 4; i++) expect(await accepted()).toBe(before + 30);
  });

  test('a change is in force on the process that made it at once and on the other within a second', async () => {
    const connections = [...(await oneOfEach()).values()];
    const set = (active: boolean) =>
      service.apply({
        projects: [
          {
            name: 'Acme Shop',
            account: 'Acme',
            timezone: 'Asia/Kolkata',
            campaigns: [{ display_id: 'second', name: 'Campaign second', active }],
          },
        ],
      });
    const outcomes = () =>
      Promise.all(
        connections.map(async (connection) => (await connection.get(clickPath('second'))).body.reason ?? 'accepted'),
      );
    // Six times: the poll that stands behind the notifications runs every 5 s and could not keep up.
    for (let i = 0; i < 6; i++) {
      const outcome = i % 2 === 0 ? 'unknown_campaign' : 'accepted';
      await set(i % 2 === 1);
      const started = performance.now();
      expect(await outcomes()).toContain(outcome);
      await within(
        `both workers answer ${outcome}`,
        async () => ((await outcomes()).every((one) => one === outcome) ? true : undefined),
        4_000,
      );
      expect(performance.now() - started).toBeLessThan(4_000);
    }
  });

  test('a worker that hangs does not silence /metrics', async () => {
    const connections = await oneOfEach();
    const [hanging, healthy] = [...connections.keys()] as [number, number];
    process.kill(hanging, 'SIGSTOP');
    try {
      const answer = new Promise<number>((resolve, reject) => {
        const { agent } = connections.get(healthy) as Connection;
        http
          .get(
            `${service.url}/metrics`,
            { agent, headers: { Authorization: `Bearer ${ADMIN_TOKEN}` }, timeout: 20_000 },
            (response) => resolve(response.resume().statusCode ?? 0),
          )
          .once('error', reject)
          .once('timeout', function (this: http.ClientRequest) {
            this.destroy(new Error('no answer within 20 s'));
          });
      });
      // It answers: with the metrics that it still has, or that it has none.
      expect([200, 503]).toContain(await answer);
    } finally {
      process.kill(hanging, 'SIGCONT');
    }
    await eventually('both answer again', async () =>
      (await metrics()).includes('adtrail_s2s_requests_total') ? true : undefined,
    );
  });

  test('a killed worker is replaced; the other serves meanwhile and loses nothing', async () => {
    const connections = await oneOfEach();
    const [killed, survivor] = [...connections.keys()] as [number, number];
    process.kill(killed, 'SIGKILL');
    expect(await (connections.get(survivor) as Connection).get(clickPath())).toMatchObject({ status: 200 });
    await eventually('there are two workers again', () =>
      workers().length === 2 && !workers().includes(killed) ? true : undefined,
    );
    const again = await oneOfEach();
    expect([...again.keys()]).toContain(survivor);
    for (const connection of again.values())
      expect(await connection.get(clickPath())).toMatchObject({ status: 200, body: { status: 'accepted' } });
    await eventually('metrics of both', async () =>
      (await metrics()).includes('adtrail_s2s_requests_total') ? true : undefined,
    );
    expect(service.output()).toMatch(/Worker \d+ ended with SIGKILL; starting another/);
  });

  test('every accepted record is there exactly once, whichever worker took it', async () => {
    const ids = new Set<string | undefined>();
    await Promise.all(
      [...(await oneOfEach()).values(), ...(await oneOfEach()).values()].map(async (connection) => {
        for (let i = 0; i < 100; i++)
          ids.add(
            (await connection.get(`/v1/click/com.acme.shop?c=AbC123&tid=same-${i}&ip=203.0.113.7`)).body.click_id,
          );
      }),
    );
    expect(ids.size).toBe(100);
    expect(
      await service.rows(
        `SELECT toUInt32(count()) AS rows, toUInt32(uniqExact(click_id)) AS ids
       FROM analytics.clicks
       WHERE startsWith(tid, 'same-')`,
      ),
    ).toEqual([{ rows: 100, ids: 100 }]);
  });

  test('SIGTERM ends all of them, and the process with 0 within 10 s', async () => {
    const all = [...workers(), ...service.enginePids().clickhouse, ...service.enginePids().postgres];
    expect(all).toHaveLength(4);
    const started = performance.now();
    expect(await service.stop()).toBe(0);
    expect(performance.now() - started).toBeLessThan(10_000);
    await eventually('none of its processes is left', () =>
      all.every((pid) => !fs.existsSync(`/proc/${pid}`)) ? true : undefined,
    );
  });

  test('SIGKILL of the primary process: no worker and no engine stays', async () => {
    const all = [...workers(), ...service.enginePids().clickhouse, ...service.enginePids().postgres];
    expect(all).toHaveLength(4);
    await service.kill();
    await within(
      'none of its processes is left',
      () => (all.every((pid) => !fs.existsSync(`/proc/${pid}`)) ? true : undefined),
      20_000,
    );
  });
}
