/** A load generator in a process of its own: many keep-alive connections, each with one request in flight. */
import net from 'node:net';

export interface LoadOptions {
  readonly port: number;
  readonly connections: number;
  readonly seconds: number;
  /** Requests a second over all connections; 0 for as many as are answered. */
  readonly rate: number;
  /** Share of requests that repeat one sent before, 0 to 1. */
  readonly retries: number;
  /** Text that makes the IDs of this round its own. */
  readonly round: string;
  /** Path and query of a request, without its tid; empty for a bare `GET /`. */
  readonly target: string;
  readonly token: string;
}

export interface LoadResult {
  readonly accepted: number;
  readonly refused: number;
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
}

const RECENT = 4096;

/** Runs one round and resolves with what came back; latencies in milliseconds. */
export function load(options: LoadOptions): Promise<LoadResult> {
  const { port, connections, seconds, rate, retries, round, target, token } = options;
  const latencies: number[] = [];
  const recent: string[] = [];
  const idle: (() => void)[] = [];
  let sent = 0;
  let accepted = 0;
  let refused = 0;
  const started = performance.now();
  const ends = started + seconds * 1000;
  const head = `HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Service-Token: ${token}\r\n\r\n`;

  const nextTid = () => {
    if (recent.length > 100 && Math.random() < retries) return recent[Math.floor(Math.random() * recent.length)] as string;
    const tid = `${round}-${sent}`;
    if (recent.length < RECENT) recent.push(tid);
    else recent[sent % RECENT] = tid;
    return tid;
  };
  const request = () => {
    sent += 1;
    if (!target) return `GET / ${head}`;
    const n = sent;
    return `GET ${target.replace('{campaign}', String(n % 50))}&tid=${nextTid()}&gaid=38400000-8cf0-11bd-b23e-${(n % 1e9).toString(16).padStart(12, '0')}&ip=203.0.${n % 250}.${(n >> 8) % 250}&click_time=${Date.now()} ${head}`;
  };

  return new Promise((resolve, reject) => {
    let open = connections;
    const finish = () => {
      const elapsed = (performance.now() - started) / 1000;
      latencies.sort((a, b) => a - b);
      const at = (q: number) => latencies[Math.min(latencies.length - 1, Math.floor(latencies.length * q))] ?? 0;
      resolve({ accepted, refused, perSecond: accepted / elapsed, p50: at(0.5), p99: at(0.99) });
    };
    for (let i = 0; i < connections; i++) {
      const socket = net.connect({ port, host: '127.0.0.1', noDelay: true });
      let asked = 0;
      let pending = '';
      const send = () => {
        if (performance.now() >= ends) {
          socket.destroy();
          if (--open === 0) finish();
          return;
        }
        asked = performance.now();
        socket.write(request(), 'latin1');
      };
      socket.setEncoding('latin1');
      socket.once('connect', rate ? () => idle.push(send) : send);
      socket.on('data', (chunk: string) => {
        pending += chunk;
        const body = pending.indexOf('\r\n\r\n');
        if (body === -1) return;
        const length = Number(/content-length: (\d+)/i.exec(pending)?.[1]);
        if (pending.length < body + 4 + length) return;
        if (pending.startsWith('HTTP/1.1 200')) accepted += 1;
        else refused += 1;
        pending = '';
        latencies.push(performance.now() - asked);
        if (rate) idle.push(send);
        else send();
      });
      socket.on('error', reject);
    }
    if (!rate) return;
    let due = 0;
    const timer = setInterval(() => {
      const now = performance.now();
      due += rate * 0.002;
      while (due >= 1) {
        due -= 1;
        idle.shift()?.();
      }
      if (now < ends) return;
      clearInterval(timer);
      setTimeout(() => {
        while (idle.length > 0) idle.shift()?.();
      }, 500);
    }, 2);
  });
}

if (require.main === module) {
  void load(JSON.parse(process.argv[2] as string) as LoadOptions).then((result) => process.stdout.write(JSON.stringify(result)));
}
