/** Sets of address ranges: merged as big integers while they are built, looked up in a flat array of 32-bit words. */

/** First and last address, both inclusive. */
export type Range = readonly [start: bigint, end: bigint];

/** An address in unsigned 32-bit words, most significant first: one for IPv4, four for IPv6. */
export type Words = readonly number[];

/** Sorts ranges and joins those that overlap or touch. */
export function mergeRanges(ranges: readonly Range[]): Range[] {
  const merged: [bigint, bigint][] = [];
  for (const [start, end] of [...ranges].sort((a, b) => (a[0] < b[0] ? -1 : a[0] > b[0] ? 1 : 0))) {
    const last = merged.at(-1);
    if (last === undefined || start > last[1] + 1n) merged.push([start, end]);
    else if (end > last[1]) last[1] = end;
  }
  return merged;
}

/**
 * Writes ranges one after the other, each as the words of its start and then of its end; `width` is the words an
 * address has.
 */
export function flattenRanges(ranges: readonly Range[], width: number): number[] {
  return ranges.flat().flatMap((address) => toWords(address, width));
}

/** The words of an address as one big integer. */
export function toBigInt(words: Words): bigint {
  return words.reduce((value, word) => (value << 32n) | BigInt(word), 0n);
}

/**
 * Whether an address lies in a set of merged ranges written by `flattenRanges` with the address's width: a binary
 * search.
 */
export function inRanges(flat: Uint32Array, address: Words): boolean {
  const stride = 2 * address.length;
  const at = lastAtOrBefore(flat, address, stride);
  return at >= 0 && compare(address, flat, at * stride + address.length) <= 0;
}

/** Which of the ascending addresses that stand every `stride` words is the last one up to `address`; -1 for none. */
export function lastAtOrBefore(flat: Uint32Array, address: Words, stride: number): number {
  let low = 0;
  let high = flat.length / stride;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (compare(address, flat, middle * stride) < 0) high = middle;
    else low = middle + 1;
  }
  return low - 1;
}

/** An address as `width` words of 32 bits, the highest first. */
export function toWords(address: bigint, width: number): number[] {
  return Array.from({ length: width }, (_, i) => Number(BigInt.asUintN(32, address >> BigInt(32 * (width - 1 - i)))));
}

/** Negative, zero or positive as the address is below, at or above the one that starts at `offset`. */
function compare(address: Words, flat: Uint32Array, offset: number): number {
  for (let i = 0; i < address.length; i++) {
    const difference = (address[i] ?? 0) - (flat[offset + i] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
