/** A keep-alive HTTP client as lean as can be, so that tests and benchmarks measure the service and not themselves. */
import net from 'node:net';

export interface RawResponse {
  readonly status: number;
  readonly body: string;
}

/** One connection with one request in flight; it connects again by itself after the other side has closed. */
export class RawClient {
  private socket: net.Socket | undefined;
  private received = '';
  private settle: { resolve: (response: RawResponse) => void; reject: (error: Error) => void } | undefined;

  constructor(
    private readonly port: number,
    private readonly headers = '',
    private readonly host = '127.0.0.1',
  ) {}

  /** Rejects when the connection breaks before the whole answer has come: whether it was taken is then unknown. */
  get(target: string): Promise<RawResponse> {
    return new Promise((resolve, reject) => {
      this.settle = { resolve, reject };
      this.socket ??= this.connect();
      this.socket.write(`GET ${target} HTTP/1.1\r\nHost: ${this.host}\r\n${this.headers}\r\n`, 'latin1');
    });
  }

  close(): void {
    this.socket?.destroy();
  }

  private connect(): net.Socket {
    const socket = net.connect({ port: this.port, host: '127.0.0.1', noDelay: true });
    socket.setEncoding('latin1');
    socket.on('data', (chunk: string) => this.receive(chunk));
    socket.on('error', () => undefined);
    socket.on('close', () => {
      if (this.socket === socket) this.socket = undefined;
      this.received = '';
      const waiting = this.settle;
      this.settle = undefined;
      waiting?.reject(new Error('The connection broke'));
    });
    return socket;
  }

  private receive(chunk: string): void {
    this.received += chunk;
    const head = this.received.indexOf('\r\n\r\n');
    if (head === -1) return;
    const at = this.received.search(/content-length: /i);
    const length = at === -1 || at > head ? 0 : parseInt(this.received.slice(at + 16, at + 26), 10);
    if (this.received.length < head + 4 + length) return;
    const response = {
      status: Number(this.received.slice(9, 12)),
      body: this.received.slice(head + 4, head + 4 + length),
    };
    this.received = '';
    const waiting = this.settle;
    this.settle = undefined;
    waiting?.resolve(response);
  }
}

/**
 * Sends every target once over so many connections and hands each outcome to `onAnswer`; undefined stands for a
 * connection that broke before the answer. What `onAnswer` returns is waited for before the next request.
 */
export async function sendAll(
  port: number,
  headers: string,
  connections: number,
  targets: Iterator<string>,
  onAnswer: (target: string, response: RawResponse | undefined) => void | Promise<void>,
): Promise<void> {
  const work = async () => {
    const client = new RawClient(port, headers);
    for (let next = targets.next(); !next.done; next = targets.next()) {
      await onAnswer(next.value, await client.get(next.value).catch(() => undefined));
    }
    client.close();
  };
  await Promise.all(Array.from({ length: connections }, work));
}
