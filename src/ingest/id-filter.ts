/** A Bloom filter over record IDs, which says of most IDs that they are definitely new. */

/** Bits for each ID: with 6 probes about 1 ID in 1,000 is looked up in vain. */
const BITS_PER_ID = 16;
const PROBES = 6;

/**
 * A set of record IDs that never forgets one and sometimes claims one that it does not have. IDs are hashes already,
 * so their own bits are the probes: a general package would hash each again, at many times the cost.
 */
export class IdFilter {
  private readonly bits: Uint32Array;
  private readonly mask: number;

  /** Sized for `capacity` IDs; beyond it, it stays right and claims more. */
  constructor(capacity: number) {
    const size = 2 ** Math.min(32, Math.max(16, Math.ceil(Math.log2(Math.max(1, capacity) * BITS_PER_ID))));
    this.bits = new Uint32Array(size / 32);
    this.mask = size - 1;
  }

  /** Adds the ID made of two 32-bit halves of its hash. */
  add(a: number, b: number): void {
    for (let i = 0; i < PROBES; i++) {
      const bit = this.probe(a, b, i);
      this.bits[bit >>> 5] = (this.bits[bit >>> 5] as number) | (1 << (bit & 31));
    }
  }

  has(a: number, b: number): boolean {
    for (let i = 0; i < PROBES; i++) {
      const bit = this.probe(a, b, i);
      if (((this.bits[bit >>> 5] as number) & (1 << (bit & 31))) === 0) return false;
    }
    return true;
  }

  // Kirsch and Mitzenmacher: two halves of one hash give as many probes as are needed.
  private probe(a: number, b: number, i: number): number {
    return ((a + Math.imul(i, b | 1)) & this.mask) >>> 0;
  }
}

/**
 * The two halves of an ID that the filter works on, from its text: the first 8 and the last 8 digits, which are pure
 * hash.
 */
export function halvesOfId(id: string): [number, number] {
  return [parseInt(id.slice(0, 8), 16) | 0, parseInt(id.slice(28, 36), 16) | 0];
}

/**
 * The same two halves from the 16 bytes that ClickHouse writes for a UUID in RowBinary: two little-endian 64-bit
 * words.
 */
export function halvesOfBytes(bytes: Buffer, offset: number): [number, number] {
  return [bytes.readInt32LE(offset + 4), bytes.readInt32LE(offset + 8)];
}

const UUID_BYTES = 16;

/** Adds every ID of a stream of UUIDs in RowBinary; a stream that broke off must not pass for a complete list. */
export async function readIdsInto(filter: Pick<IdFilter, 'add'>, stream: AsyncIterable<Buffer>): Promise<void> {
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of stream) {
    const bytes = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk;
    const whole = bytes.length - (bytes.length % UUID_BYTES);
    for (let offset = 0; offset < whole; offset += UUID_BYTES) filter.add(...halvesOfBytes(bytes, offset));
    rest = bytes.subarray(whole);
  }
  if (rest.length > 0) throw new Error('A list of known IDs broke off');
}
