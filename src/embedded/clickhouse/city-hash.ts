/** CityHash128 of version 1.0.2, by which ClickHouse's compressed blocks are checked; later versions differ. */

const K0 = 0xc3a5c85c97cb3127n;
const K1 = 0xb492b66fbe98f273n;
const K2 = 0x9ae16a3b2f90404fn;
const K3 = 0xc949d7c7509e6557n;
const MULTIPLIER = 0x9ddfea08eb382d69n;

/** The engine compiles what is wrapped so to operations of machine words. */
const u64 = (value: bigint) => BigInt.asUintN(64, value);
const add = (a: bigint, b: bigint) => u64(a + b);
const multiply = (a: bigint, b: bigint) => u64(a * b);
const rotate = (value: bigint, by: bigint) => u64((value >> by) | u64(value << (64n - by)));
const shiftMix = (value: bigint) => value ^ (value >> 47n);

type Pair = readonly [bigint, bigint];

function hash16(low: bigint, high: bigint): bigint {
  const a = shiftMix(multiply(low ^ high, MULTIPLIER));
  return multiply(shiftMix(multiply(high ^ a, MULTIPLIER)), MULTIPLIER);
}

/** Hashes at most 16 bytes. */
function hashShort(bytes: DataView, start: number, length: number): bigint {
  const size = BigInt(length);
  if (length > 8) {
    const last = bytes.getBigUint64(start + length - 8, true);
    return hash16(bytes.getBigUint64(start, true), rotate(add(last, size), size)) ^ last;
  }
  if (length >= 4) {
    const first = BigInt(bytes.getUint32(start, true));
    return hash16(add(first << 3n, size), BigInt(bytes.getUint32(start + length - 4, true)));
  }
  if (length === 0) return K2;
  const y = BigInt(bytes.getUint8(start) + (bytes.getUint8(start + (length >> 1)) << 8));
  const z = BigInt(length + (bytes.getUint8(start + length - 1) << 2));
  return multiply(shiftMix(multiply(y, K2) ^ multiply(z, K3)), K2);
}

/** Hashes 32 bytes, with two seeds. */
function hashWeakly(bytes: DataView, at: number, seedA: bigint, seedB: bigint): Pair {
  const a = add(seedA, bytes.getBigUint64(at, true));
  const last = bytes.getBigUint64(at + 24, true);
  const b = rotate(add(add(seedB, a), last), 21n);
  const sum = add(add(a, bytes.getBigUint64(at + 8, true)), bytes.getBigUint64(at + 16, true));
  return [add(sum, last), add(add(b, rotate(sum, 44n)), a)];
}

/** Hashes fewer than 128 bytes. */
function murmur(bytes: DataView, start: number, length: number, [seedA, seedB]: Pair): Pair {
  let [a, b] = [seedA, seedB];
  let c: bigint;
  let d: bigint;
  if (length <= 16) {
    a = multiply(shiftMix(multiply(a, K1)), K1);
    c = add(multiply(b, K1), hashShort(bytes, start, length));
    d = shiftMix(add(a, length >= 8 ? bytes.getBigUint64(start, true) : c));
  } else {
    c = hash16(add(bytes.getBigUint64(start + length - 8, true), K1), a);
    d = hash16(add(b, BigInt(length)), add(c, bytes.getBigUint64(start + length - 16, true)));
    a = add(a, d);
    for (let at = start, left = length - 16; left > 0; at += 16, left -= 16) {
      a = multiply(a ^ multiply(shiftMix(multiply(bytes.getBigUint64(at, true), K1)), K1), K1);
      b ^= a;
      c = multiply(c ^ multiply(shiftMix(multiply(bytes.getBigUint64(at + 8, true), K1)), K1), K1);
      d ^= c;
    }
  }
  a = hash16(a, c);
  b = hash16(d, b);
  return [a ^ b, hash16(b, a)];
}

function hashSeeded(bytes: DataView, start: number, length: number, seeds: Pair): Pair {
  if (length < 128) return murmur(bytes, start, length, seeds);
  let [x, y] = seeds;
  let z = multiply(BigInt(length), K1);
  const v0 = add(multiply(rotate(y ^ K1, 49n), K1), bytes.getBigUint64(start, true));
  let v: Pair = [v0, add(multiply(rotate(v0, 42n), K1), bytes.getBigUint64(start + 8, true))];
  let w: Pair = [
    add(multiply(rotate(add(y, z), 35n), K1), x),
    multiply(rotate(add(x, bytes.getBigUint64(start + 88, true)), 53n), K1),
  ];
  let at = start;
  let left = length;
  for (; left >= 128; left -= 128)
    for (const end = at + 128; at < end; at += 64) {
      x = multiply(rotate(add(add(add(x, y), v[0]), bytes.getBigUint64(at + 16, true)), 37n), K1) ^ w[1];
      y = multiply(rotate(add(add(y, v[1]), bytes.getBigUint64(at + 48, true)), 42n), K1) ^ v[0];
      z = rotate(z ^ w[0], 33n);
      v = hashWeakly(bytes, at, multiply(v[1], K1), add(x, w[0]));
      w = hashWeakly(bytes, at + 32, add(z, w[1]), y);
      [x, z] = [z, x];
    }
  y = add(y, add(multiply(rotate(w[0], 37n), K0), z));
  x = add(x, multiply(rotate(add(v[0], z), 49n), K0));
  for (let done = 32; done < left + 32; done += 32) {
    y = add(multiply(rotate(u64(y - x), 42n), K0), v[1]);
    let w0 = add(w[0], bytes.getBigUint64(at + left - done + 16, true));
    x = add(multiply(rotate(x, 49n), K0), w0);
    w0 = add(w0, v[0]);
    w = [w0, w[1]];
    v = hashWeakly(bytes, at + left - done, v[0], v[1]);
  }
  x = hash16(x, v[0]);
  y = hash16(y, w[0]);
  return [add(hash16(add(x, v[1]), w[1]), y), hash16(add(x, w[1]), add(y, v[1]))];
}

/** The 16 bytes of the hash, the lower word first. */
export function cityHash128(data: Uint8Array): Buffer {
  const bytes = new DataView(data.buffer, data.byteOffset, data.byteLength);
  const { length } = data;
  const hash =
    length >= 16
      ? hashSeeded(bytes, 16, length - 16, [bytes.getBigUint64(0, true) ^ K3, bytes.getBigUint64(8, true)])
      : length >= 8
        ? hashSeeded(bytes, 0, 0, [
            bytes.getBigUint64(0, true) ^ multiply(BigInt(length), K0),
            bytes.getBigUint64(length - 8, true) ^ K1,
          ])
        : hashSeeded(bytes, 0, length, [K0, K1]);
  const text = Buffer.alloc(16);
  text.writeBigUInt64LE(hash[0], 0);
  text.writeBigUInt64LE(hash[1], 8);
  return text;
}
