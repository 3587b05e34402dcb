/** Sends bytes over a socket, as no HTTP client would, and reads the answers that come back. */
import net from 'node:net';

export interface RawAnswer {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

/**
 * Writes `bytes`, reads until the server closes the connection, and returns the answers; `heads` says which have no
 * body.
 */
export async function exchange(port: number, bytes: Buffer | string, heads = false): Promise<RawAnswer[]> {
  const socket = net.connect(port, '127.0.0.1');
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  // The server may be done with us before it has read everything: an error of writing says nothing about its answer.
  socket.on('error', () => undefined);
  socket.write(bytes);
  await new Promise<void>((resolve) => socket.once('close', () => resolve()));
  return parse(Buffer.concat(chunks), heads);
}

/** Interim answers (100 Continue) are left out. */
function parse(bytes: Buffer, heads: boolean): RawAnswer[] {
  const answers: RawAnswer[] = [];
  let rest = bytes;
  while (rest.length > 0) {
    const end = rest.indexOf('\r\n\r\n');
    if (end === -1) throw new Error(`Not an HTTP answer: ${rest.toString('latin1')}`);
    const [line = '', ...lines] = rest.subarray(0, end).toString('latin1').split('\r\n');
    const status = Number(/^HTTP\/1\.[01] (\d{3}) /.exec(line)?.[1]);
    if (!status) throw new Error(`Not a status line: ${line}`);
    const headers = Object.fromEntries(
      lines.map((one) => [one.slice(0, one.indexOf(':')).toLowerCase(), one.slice(one.indexOf(':') + 1).trim()]),
    );
    rest = rest.subarray(end + 4);
    if (status < 200) continue;
    const length = heads ? 0 : Number(headers['content-length']);
    if (Number.isNaN(length)) throw new Error(`No Content-Length: ${line}`);
    answers.push({ status, headers, text: rest.subarray(0, length).toString('utf8') });
    rest = rest.subarray(length);
  }
  return answers;
}
