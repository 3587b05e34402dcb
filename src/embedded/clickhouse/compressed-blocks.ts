/**
 * ClickHouse's compressed blocks (`compress=1`, `decompress=1`): a checksum of 16 bytes over what follows, the method,
 * the size of what is left with these nine bytes, the size of the data, and the data.
 */
import { cityHash128 } from './city-hash';
import { ClickHouseException } from './errors';

const NONE = 0x02;
const LZ4 = 0x82;
const CHECKSUM = 16;
const HEADER = 9;
/** How much data a block of ours holds. */
const OURS = 1024 * 1024;
/** The largest that is sent to us: clients make blocks of 10 MiB at most, and a checksum holds the process. */
const LARGEST = 16 * 1024 * 1024;

/** The data in blocks. Every client reads LZ4, and some nothing else; data that is not made smaller is LZ4 too. */
export function packBlocks(data: Buffer): Buffer {
  const blocks: Buffer[] = [];
  for (let at = 0; at < data.length; at += OURS) {
    const piece = data.subarray(at, at + OURS);
    const body = Buffer.concat([Buffer.alloc(HEADER), lz4Literals(piece.length), piece]);
    body.writeUInt8(LZ4, 0);
    body.writeUInt32LE(body.length, 1);
    body.writeUInt32LE(piece.length, 5);
    blocks.push(cityHash128(body), body);
  }
  return Buffer.concat(blocks);
}

/** What stands before data in LZ4 that repeats nothing: how many bytes it has. */
function lz4Literals(length: number): Buffer {
  if (length < 15) return Buffer.of(length << 4);
  const rest = length - 15;
  const whole = Math.floor(rest / 255);
  return Buffer.concat([Buffer.of(0xf0), Buffer.alloc(whole, 255), Buffer.of(rest % 255)]);
}

/** The data of blocks, each once its checksum is right. Throws for anything else. */
export async function* unpackBlocks(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let waiting: Buffer[] = [];
  let size = 0;
  let wanted = CHECKSUM + HEADER;
  for await (const chunk of chunks) {
    waiting.push(chunk);
    size += chunk.length;
    while (size >= wanted) {
      const bytes = waiting.length === 1 ? (waiting[0] as Buffer) : Buffer.concat(waiting);
      const end = readEnd(bytes);
      if (bytes.length >= end) yield unpack(bytes.subarray(0, CHECKSUM), bytes.subarray(CHECKSUM, end));
      const rest = bytes.length >= end ? bytes.subarray(end) : bytes;
      waiting = [rest];
      size = rest.length;
      wanted = bytes.length >= end ? CHECKSUM + HEADER : end;
    }
  }
  if (size > 0) throw unreadable('it ends early');
}

/** Where the block ends that begins with these bytes. */
function readEnd(bytes: Buffer): number {
  const size = bytes.readUInt32LE(CHECKSUM + 1);
  if (size < HEADER || size > LARGEST || bytes.readUInt32LE(CHECKSUM + 5) > LARGEST)
    throw unreadable('the size of a block');
  return CHECKSUM + size;
}

function unpack(checksum: Buffer, body: Buffer): Buffer {
  if (!cityHash128(body).equals(checksum))
    throw new ClickHouseException(40, 'CHECKSUM_DOESNT_MATCH', 'Checksum does not match: corrupted data', 400);
  const [method, size] = [body.readUInt8(0), body.readUInt32LE(5)];
  const packed = body.subarray(HEADER);
  if (method === LZ4) return unpackLz4(packed, size);
  if (method === NONE && packed.length === size) return packed;
  throw unreadable(`the method ${method}; it takes LZ4 and NONE`);
}

/** A block of LZ4: literals and repetitions of what is there already, in turns. */
function unpackLz4(packed: Buffer, size: number): Buffer {
  const data = Buffer.alloc(size);
  let [at, end] = [0, 0];
  const readLength = (short: number) => {
    let length = short;
    for (let more = short === 15 ? 255 : 0; more === 255; length += more) more = packed[at++] ?? 0;
    return length;
  };
  while (at < packed.length) {
    const token = packed[at++] as number;
    const literals = readLength(token >> 4);
    if (at + literals > packed.length || end + literals > size) throw unreadable('LZ4');
    packed.copy(data, end, at, at + literals);
    [at, end] = [at + literals, end + literals];
    if (at === packed.length) break;
    const offset = (packed[at] ?? 0) + ((packed[at + 1] ?? 0) << 8);
    at += 2;
    const until = end + readLength(token & 15) + 4;
    if (offset === 0 || offset > end || until > size) throw unreadable('LZ4');
    // What is repeated may reach into the repetition itself.
    while (end < until) end += data.copy(data, end, end - offset, Math.min(end, until - offset));
  }
  if (end !== size) throw unreadable('LZ4');
  return data;
}

const unreadable = (what: string) =>
  new ClickHouseException(271, 'CANNOT_DECOMPRESS', `The compressed body of the request cannot be read: ${what}`, 400);
