/** Receives a request's body: small ones in memory, large ones in a file, all of them decompressed and bounded. */
import { createReadStream, createWriteStream, writeFileSync } from 'node:fs';
import { open, rm, writeFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { unpackBlocks } from './compressed-blocks';
import { ClickHouseException } from './errors';

const IN_MEMORY = 16 * 1024 * 1024;
const SMALL = 256 * 1024;
const LARGEST = 1024 * 1024 * 1024;

export interface Body {
  /** The whole body, or its beginning if it is in a file. */
  head: Buffer;
  /** The file that holds the whole body. */
  file?: string;
}

/**
 * Reads the body, into `file` if it is large, and out of ClickHouse's compressed blocks if it `isInBlocks`.
 * Rejects with
 * an error when it is too large or badly compressed.
 */
export async function receiveBody(req: IncomingMessage, file: string, isInBlocks: boolean): Promise<Body> {
  const chunks: Buffer[] = [];
  let size = 0;
  let spool: Awaited<ReturnType<typeof open>> | undefined;
  try {
    // The request must not be destroyed on an error: its socket carries the answer.
    const received = decoded(req).iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>;
    for await (const chunk of isInBlocks ? unpackBlocks(received) : received) {
      size += chunk.length;
      if (size > LARGEST)
        throw new ClickHouseException(307, 'TOO_MANY_BYTES', `The request's body is larger than ${LARGEST} bytes`, 413);
      if (spool) await spool.write(chunk);
      else chunks.push(chunk);
      if (size > IN_MEMORY && !spool) {
        spool = await open(file, 'wx', 0o600);
        await spool.write(Buffer.concat(chunks));
      }
    }
    return { head: Buffer.concat(chunks), ...(spool && { file }) };
  } catch (error) {
    if (spool) await rm(file, { force: true });
    throw error;
  } finally {
    await spool?.close();
  }
}

/** Puts into `file` what follows the first `offset` bytes of the body, after `before`. */
export async function writeData(file: string, before: Buffer, body: Body, offset: number): Promise<void> {
  if (body.file === undefined) {
    const rest = body.head.subarray(offset);
    const data = before.length === 0 ? rest : Buffer.concat([before, rest]);
    // Some 30 µs at once, where the thread pool, shared with running queries, can take milliseconds.
    if (data.length <= SMALL) writeFileSync(file, data, { mode: 0o600 });
    else await writeFile(file, data, { mode: 0o600 });
    return;
  }
  await writeFile(file, before, { mode: 0o600 });
  await pipeline(createReadStream(body.file, { start: offset }), createWriteStream(file, { flags: 'a' }));
}

function decoded(req: IncomingMessage): Readable {
  const encoding = (req.headers['content-encoding'] ?? 'identity').trim().toLowerCase();
  if (encoding === 'identity' || encoding === '') return req;
  const decoders = { gzip: createGunzip, deflate: createInflate, br: createBrotliDecompress };
  const create = Object.entries(decoders).find(([name]) => name === encoding)?.[1];
  if (!create)
    throw new ClickHouseException(
      48,
      'NOT_IMPLEMENTED',
      `Unknown compression method '${encoding.slice(0, 32)}'. Only 'gzip', 'deflate' and 'br' are supported`,
    );
  const decoder = create();
  req.once('error', (error) => decoder.destroy(error));
  decoder.once('error', () => req.unpipe(decoder).resume());
  return req.pipe(decoder);
}

/** True for what zlib throws on input that is no such stream, or a truncated one. */
export function isDecodingError(error: unknown): boolean {
  const code = error instanceof Error ? (error as NodeJS.ErrnoException).code : undefined;
  return code !== undefined && /^(?:Z_|ERR__?BROTLI|ERR_BUFFER_TOO_LARGE)/.test(code);
}
