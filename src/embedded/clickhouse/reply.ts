/** One response in ClickHouse's manner: held back while small, then streamed, errors told wherever they happen. */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { hostname } from 'node:os';
import type { Writable } from 'node:stream';
import { promisify } from 'node:util';
import { createGzip, gzip } from 'node:zlib';
import type { Outcome } from './engine';
import type { ClickHouseException } from './errors';

const HELD = 1024 * 1024;
const HELD_TO_THE_END = 64 * 1024 * 1024;
const PLAIN_TEXT = 'text/plain; charset=UTF-8';
const compress = promisify(gzip);

export interface ReplyOptions {
  queryId: string;
  version: string;
}

export class Reply {
  /** Set before the first write. */
  contentType = PLAIN_TEXT;
  format: string | undefined;
  gzip = false;
  waitsForEnd = false;

  private readonly started = process.hrtime.bigint();
  // Random for each response, so that data can never look like the block that tells of an error.
  private readonly tag = randomBytes(8).toString('hex');
  private held: Buffer[] = [];
  private heldBytes = 0;
  private stream: Writable | undefined;
  private readonly gone: Promise<void>;

  constructor(
    private readonly res: ServerResponse,
    private readonly options: ReplyOptions,
  ) {
    this.gone = new Promise((resolve) => res.once('close', () => resolve()));
    // A client that leaves is no error of ours; `gone` tells those who write.
    res.on('error', () => undefined);
  }

  get isGone(): boolean {
    return this.res.destroyed || this.res.closed;
  }

  /** Takes a piece of the result and resolves when more may come; false once the client has left. */
  async write(chunk: Buffer): Promise<boolean> {
    if (this.isGone) return false;
    if (this.stream) return this.push(this.stream, chunk);
    this.held.push(chunk);
    this.heldBytes += chunk.length;
    if (this.heldBytes <= (this.waitsForEnd ? HELD_TO_THE_END : HELD)) return true;
    this.sendHeaders(200, undefined);
    this.stream = this.res;
    if (this.gzip) {
      const packer = createGzip({ level: 3 });
      packer.pipe(this.res);
      this.stream = packer;
    }
    const first = Buffer.concat(this.held);
    this.held = [];
    return this.push(this.stream, first);
  }

  /** Ends a response whose statement succeeded. */
  async finish(outcome: Outcome): Promise<void> {
    if (this.isGone) return;
    if (this.stream) {
      this.stream.end();
      return;
    }
    let body: Buffer = Buffer.concat(this.held);
    if (this.gzip && body.length > 0) body = await compress(body, { level: 3 });
    else this.gzip = false;
    this.res.setHeader('Content-Length', body.length);
    this.sendHeaders(200, outcome);
    this.res.end(body);
  }

  /**
   * Ends a response whose statement failed: with the status of the error or, if data left already, with a cut
   * connection.
   */
  fail(error: ClickHouseException): void {
    const text = error.render(this.options.version);
    if (this.stream) return this.breakOff(this.stream, text);
    if (this.isGone || this.res.headersSent) return;
    const body = Buffer.from(`${text}\n`);
    this.held = [];
    this.gzip = false;
    this.contentType = PLAIN_TEXT;
    this.res.setHeader('X-ClickHouse-Exception-Code', String(error.code));
    this.res.setHeader('Content-Length', body.length);
    // What is left of a request that was refused early is not worth reading.
    if (!this.res.req.complete) this.res.setHeader('Connection', 'close');
    this.sendHeaders(error.httpStatus, undefined);
    this.res.end(body);
  }

  private async push(stream: Writable, chunk: Buffer): Promise<boolean> {
    if (!stream.write(chunk)) {
      const stop = new AbortController();
      await Promise.race([once(stream, 'drain', { signal: stop.signal }).catch(() => undefined), this.gone]);
      stop.abort();
    }
    return !this.isGone;
  }

  /** ClickHouse's block: marker, tag, message, then its length, tag and marker again, to be read from either end. */
  private breakOff(stream: Writable, text: string): void {
    const message = text.slice(0, 12_000) + '\n';
    const length = Buffer.byteLength(message);
    const marker = '\r\n__exception__\r\n';
    const block = `${marker}${this.tag}\r\n${message}${length} ${this.tag}${marker}`;
    // Without the end of the chunked encoding, so that every client sees a broken transfer.
    const cut = () => this.res.socket?.destroySoon();
    if (stream === this.res) this.res.write(block, cut);
    else {
      stream.write(block);
      // The packer's last bytes pass through the response before it is cut.
      (stream as ReturnType<typeof createGzip>).flush(() => setImmediate(() => this.res.write('', cut)));
    }
  }

  private sendHeaders(status: number, outcome: Outcome | undefined): void {
    const { res } = this;
    res.statusCode = status;
    res.setHeader('Content-Type', this.contentType);
    res.setHeader('X-ClickHouse-Server-Display-Name', hostname().replace(/[^\x20-\x7e]/g, '?'));
    res.setHeader('X-ClickHouse-Query-Id', this.options.queryId);
    res.setHeader('X-ClickHouse-Timezone', 'UTC');
    res.setHeader('X-ClickHouse-Exception-Tag', this.tag);
    if (this.format !== undefined) res.setHeader('X-ClickHouse-Format', this.format);
    if (this.gzip) res.setHeader('Content-Encoding', 'gzip');
    res.setHeader('X-ClickHouse-Summary', JSON.stringify(this.summary(outcome)));
    res.flushHeaders();
  }

  /** The engine does not tell how much it read; at least what it returned or wrote. */
  private summary(outcome: Outcome | undefined): Record<string, string> {
    const { resultRows = 0, resultBytes = 0, writtenRows = 0, writtenBytes = 0 } = outcome ?? {};
    return {
      read_rows: String(Math.max(resultRows, writtenRows)),
      read_bytes: String(Math.max(resultBytes, writtenBytes)),
      written_rows: String(writtenRows),
      written_bytes: String(writtenBytes),
      total_rows_to_read: '0',
      result_rows: String(Math.max(resultRows, writtenRows)),
      result_bytes: String(Math.max(resultBytes, writtenBytes)),
      elapsed_ns: String(process.hrtime.bigint() - this.started),
    };
  }
}
