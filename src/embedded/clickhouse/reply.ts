/** One response in ClickHouse's manner: held back while small, then streamed, errors told wherever they happen. */
import { randomBytes } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { Writable } from 'node:stream';
import { constants, createBrotliCompress, createDeflate, createGzip } from 'node:zlib';
import { packBlocks } from './compressed-blocks';
import type { Outcome } from './engine';
import type { ClickHouseException } from './errors';
import type { NativeProtocol } from './native-protocol';

const HELD = 1024 * 1024;
const HELD_TO_THE_END = 64 * 1024 * 1024;
const PLAIN_TEXT = 'text/plain; charset=UTF-8';

/** What an answer may be compressed by, the first that the client takes. */
const PACKERS = {
  gzip: () => createGzip({ level: 3 }),
  br: () => createBrotliCompress({ params: { [constants.BROTLI_PARAM_QUALITY]: 3 } }),
  deflate: () => createDeflate({ level: 3 }),
};
type Encoding = keyof typeof PACKERS;
const ENCODINGS = Object.keys(PACKERS) as Encoding[];

export interface ReplyOptions {
  queryId: string;
  version: string;
}

export class Reply {
  /** Set before the first write. */
  contentType = PLAIN_TEXT;
  format: string | undefined;
  timezone = 'UTC';
  waitsForEnd = false;
  /** Whether what is sent is in ClickHouse's own compressed blocks. */
  inBlocks = false;
  /** Writes output in the format Native, for a client that speaks a version of its protocol. */
  protocol: NativeProtocol | undefined;
  /** Called before the end is sent: the client may ask again at once. */
  onEnd: () => void = () => undefined;

  private readonly started = process.hrtime.bigint();
  // Random for each response, so that data can never look like the block that tells of an error.
  private readonly tag = randomBytes(8).toString('hex');
  private held: Buffer[] = [];
  private heldBytes = 0;
  private stream: Writable | undefined;
  private encoding: Encoding | undefined;

  constructor(
    private readonly res: ServerResponse,
    private readonly options: ReplyOptions,
  ) {
    // A client that leaves is no error of ours; `isGone` tells those who write.
    res.on('error', () => undefined);
  }

  get isGone(): boolean {
    return this.res.destroyed || this.res.closed;
  }

  /** Compresses by what `Accept-Encoding` names; what is not known there is not used. */
  accept(header: string): void {
    const names = header.split(',').filter((part) => !/;\s*q=0(?:\.0*)?\s*$/.test(part));
    const accepted = new Set(names.map((part) => part.replace(/;.*/, '').trim().toLowerCase()));
    this.encoding = ENCODINGS.find((name) => accepted.has(name));
  }

  /** Takes a piece of the result and resolves when more may come; false once the client has left. */
  async write(piece: Buffer): Promise<boolean> {
    if (this.isGone) return false;
    const chunk = this.inForm(this.protocol ? this.protocol.write(piece) : piece);
    if (this.stream) return this.push(this.stream, chunk);
    this.held.push(chunk);
    this.heldBytes += chunk.length;
    if (this.heldBytes <= (this.waitsForEnd ? HELD_TO_THE_END : HELD)) return true;
    this.sendHeaders(200, undefined);
    this.stream = this.res;
    if (this.encoding) {
      this.stream = PACKERS[this.encoding]();
      this.stream.pipe(this.res);
    }
    const first = Buffer.concat(this.held);
    this.held = [];
    return this.push(this.stream, first);
  }

  /** Ends a response whose statement succeeded. */
  async finish(outcome: Outcome): Promise<void> {
    if (this.isGone) return;
    this.onEnd();
    if (this.stream) {
      this.stream.end();
      return;
    }
    let body: Buffer = Buffer.concat(this.held);
    if (this.encoding && body.length > 0) {
      const packer = PACKERS[this.encoding]();
      packer.end(body);
      body = Buffer.concat((await packer.toArray()) as Buffer[]);
    } else this.encoding = undefined;
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
    this.onEnd();
    const body = this.inForm(Buffer.from(`${text}\n`));
    this.held = [];
    this.encoding = undefined;
    this.timezone = 'UTC';
    this.contentType = PLAIN_TEXT;
    this.res.setHeader('X-ClickHouse-Exception-Code', String(error.code));
    this.res.setHeader('Content-Length', body.length);
    // What is left of a request that was refused early is not worth reading.
    if (!this.res.req.complete) this.res.setHeader('Connection', 'close');
    this.sendHeaders(error.httpStatus, undefined);
    this.res.end(body);
  }

  private async push(stream: Writable, chunk: Buffer): Promise<boolean> {
    if (!stream.write(chunk)) await this.drained(stream);
    return !this.isGone;
  }

  /** Resolves once more may be written, or nobody reads any more. A signal for each pause would cost as much again. */
  private drained(stream: Writable): Promise<void> {
    return new Promise((resolve) => {
      const done = () => {
        stream.off('drain', done);
        this.res.off('close', done);
        resolve();
      };
      stream.on('drain', done);
      this.res.on('close', done);
      if (this.isGone) done();
    });
  }

  /** ClickHouse's block: marker, tag, message, then its length, tag and marker again, to be read from either end. */
  private breakOff(stream: Writable, text: string): void {
    const message = text.slice(0, 12_000) + '\n';
    const length = Buffer.byteLength(message);
    const marker = '\r\n__exception__\r\n';
    const block = `${marker}${this.tag}\r\n${message}${length} ${this.tag}${marker}`;
    // Without the end of the chunked encoding, so that every client sees a broken transfer.
    const cut = () => this.res.socket?.destroySoon();
    const bytes = this.inForm(Buffer.from(block));
    this.onEnd();
    if (stream === this.res) this.res.write(bytes, cut);
    else {
      stream.write(bytes);
      // The packer's last bytes pass through the response before it is cut.
      (stream as ReturnType<typeof createGzip>).flush(() => setImmediate(() => this.res.write('', cut)));
    }
  }

  private inForm(bytes: Buffer): Buffer {
    return this.inBlocks ? packBlocks(bytes) : bytes;
  }

  private sendHeaders(status: number, outcome: Outcome | undefined): void {
    const { res } = this;
    res.statusCode = status;
    res.setHeader('Content-Type', this.contentType);
    res.setHeader('X-ClickHouse-Server-Display-Name', 'adtrail');
    res.setHeader('X-ClickHouse-Query-Id', this.options.queryId);
    res.setHeader('X-ClickHouse-Timezone', this.timezone);
    res.setHeader('X-ClickHouse-Exception-Tag', this.tag);
    if (this.format !== undefined) res.setHeader('X-ClickHouse-Format', this.format);
    if (this.encoding) res.setHeader('Content-Encoding', this.encoding);
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
