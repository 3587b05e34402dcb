/**
 * The format Native as clients want it that name their version of the protocol (`client_protocol_version`,
 * clickhouse-go for one): more is said before each block and column. The engine writes version 0 only, so that its
 * output is read to find where columns begin.
 */
import { ClickHouseException } from './errors';

/** From this version on a byte before a column says whether it is written in a special way; ours never is. */
const SAYS_SERIALIZATION = 54_454;
/** What stands before a block: no aggregate is in overflow, and there is no bucket. */
const BLOCK_INFO = Buffer.from([1, 0, 2, 0xff, 0xff, 0xff, 0xff, 0]);
const ORDINARY = Buffer.of(0);

/** A step of reading: it ends where it needs bytes that are not there yet. */
type Reading<Result = void> = Generator<void, Result, void>;

export class NativeProtocol {
  private input: Buffer = Buffer.alloc(0);
  /** Up to where the input is read, and handed on. */
  private at = 0;
  private handedOn = 0;
  private output: Buffer[] = [];
  private readonly reading: Reading;

  constructor(version: number) {
    this.reading = this.readBlocks(version);
  }

  /** What is to be sent of the output so far. Throws for a type that is not known. */
  write(chunk: Buffer): Buffer {
    this.input = Buffer.concat([this.input.subarray(this.at), chunk]);
    this.at = 0;
    this.handedOn = 0;
    this.output = [];
    this.reading.next();
    this.insert();
    return Buffer.concat(this.output);
  }

  private *readBlocks(version: number): Reading {
    for (;;) {
      while (this.at === this.input.length) yield;
      this.insert(BLOCK_INFO);
      const columns = yield* this.readNumber();
      const rows = yield* this.readNumber();
      for (let column = 0; column < columns; column += 1) {
        yield* this.skipText();
        const type = yield* this.readText();
        if (version >= SAYS_SERIALIZATION) this.insert(ORDINARY);
        if (rows > 0) yield* this.skipColumn(parseType(type), rows);
      }
    }
  }

  private *skipColumn(type: Type, rows: number): Reading {
    yield* this.skip(8 * countDictionaries(type));
    yield* this.skipValues(type, rows);
  }

  private *skipValues(type: Type, rows: number): Reading {
    if (rows === 0) return;
    if (typeof type === 'number') return yield* this.skip(type * rows);
    if (type.kind === 'text') {
      for (let row = 0; row < rows; row += 1) if (!this.skipShortText()) yield* this.skipText();
    } else if (type.kind === 'nullable') {
      yield* this.skip(rows);
      yield* this.skipValues(type.of, rows);
    } else if (type.kind === 'array') {
      yield* this.skip(8 * (rows - 1));
      yield* this.skipValues(type.of, yield* this.readUInt64());
    } else if (type.kind === 'tuple') {
      for (const element of type.of) yield* this.skipValues(element, rows);
    } else yield* this.skipDictionary(type.of);
  }

  /** One dictionary of the values of the block, then for each row its place there. */
  private *skipDictionary(of: Type): Reading {
    const bytesOfPlace = 1 << ((yield* this.readUInt64()) & 0xff);
    yield* this.skipValues(of, yield* this.readUInt64());
    yield* this.skip(bytesOfPlace * (yield* this.readUInt64()));
  }

  private *skip(bytes: number): Reading {
    let left = bytes;
    while (left > this.input.length - this.at) {
      left -= this.input.length - this.at;
      this.at = this.input.length;
      yield;
    }
    this.at += left;
  }

  private *skipText(): Reading {
    yield* this.skip(yield* this.readNumber());
  }

  /** False for a text of 128 bytes or more, and one that is not there as a whole. */
  private skipShortText(): boolean {
    const length = this.input[this.at] ?? 0x80;
    const end = this.at + 1 + length;
    if (length >= 0x80 || end > this.input.length) return false;
    this.at = end;
    return true;
  }

  private *readText(): Reading<string> {
    const length = yield* this.readNumber();
    while (this.input.length - this.at < length) yield;
    const text = this.input.toString('utf8', this.at, this.at + length);
    this.at += length;
    return text;
  }

  /** A number in groups of seven bits, the lowest first. */
  private *readNumber(): Reading<number> {
    let [value, factor, end] = [0, 1, this.at];
    for (;;) {
      while (end === this.input.length) {
        end -= this.at;
        yield;
      }
      const byte = this.input[end++] as number;
      value += (byte & 0x7f) * factor;
      factor *= 128;
      if (byte < 0x80) break;
    }
    this.at = end;
    return value;
  }

  private *readUInt64(): Reading<number> {
    while (this.input.length - this.at < 8) yield;
    const value = Number(this.input.readBigUInt64LE(this.at));
    this.at += 8;
    return value;
  }

  /** Hands on what is read, and then `bytes`. */
  private insert(bytes?: Buffer): void {
    this.output.push(this.input.subarray(this.handedOn, this.at));
    if (bytes) this.output.push(bytes);
    this.handedOn = this.at;
  }
}

/** What of a type matters: a number stands for values of that many bytes. */
type Type =
  | number
  | { kind: 'text' }
  | { kind: 'nullable' | 'array' | 'dictionary'; of: Type }
  | { kind: 'tuple'; of: readonly Type[] };

const SIZES: Readonly<Record<string, number>> = {
  ...{ Int8: 1, UInt8: 1, Bool: 1, Enum8: 1, Nothing: 1 },
  ...{ Int16: 2, UInt16: 2, Enum16: 2, Date: 2, BFloat16: 2 },
  ...{ Int32: 4, UInt32: 4, Float32: 4, Date32: 4, DateTime: 4, Time: 4, IPv4: 4, Decimal32: 4 },
  ...{ Int64: 8, UInt64: 8, Float64: 8, DateTime64: 8, Time64: 8, Decimal64: 8 },
  ...{ Int128: 16, UInt128: 16, UUID: 16, IPv6: 16, Decimal128: 16 },
  ...{ Int256: 32, UInt256: 32, Decimal256: 32 },
};

const POINT: Type = { kind: 'tuple', of: [8, 8] };
const list = (of: Type): Type => ({ kind: 'array', of });
const SHAPES: Readonly<Record<string, Type>> = {
  String: { kind: 'text' },
  Point: POINT,
  Ring: list(POINT),
  LineString: list(POINT),
  Polygon: list(list(POINT)),
  MultiLineString: list(list(POINT)),
  MultiPolygon: list(list(list(POINT))),
};

function parseType(text: string): Type {
  const [, name = '', , inside = ''] = /^([A-Za-z0-9]+)(\(([^]*)\))?$/.exec(text) ?? [];
  const parts = splitArguments(inside);
  const first = parts[0] ?? '';
  const shape = SHAPES[name] ?? SIZES[name];
  if (shape !== undefined) return shape;
  if (name.startsWith('Interval')) return 8;
  if (name === 'FixedString') return Number(inside);
  if (name === 'Decimal') return sizeOfDecimal(Number(first));
  if (name === 'Nullable') return { kind: 'nullable', of: parseType(inside) };
  // A dictionary has a place for null instead of a flag for each row.
  if (name === 'LowCardinality')
    return { kind: 'dictionary', of: parseType(inside.replace(/^Nullable\(([^]*)\)$/, '$1')) };
  if (name === 'Array') return list(parseType(inside));
  if (name === 'Map') return list({ kind: 'tuple', of: parts.map(parseType) });
  if (name === 'Tuple' && parts.length > 0) return { kind: 'tuple', of: parts.map(withoutName).map(parseType) };
  if (name === 'Nested') return list({ kind: 'tuple', of: parts.map(withoutName).map(parseType) });
  if (name === 'SimpleAggregateFunction') return parseType(parts.at(-1) ?? '');
  throw new ClickHouseException(
    48,
    'NOT_IMPLEMENTED',
    `The embedded ClickHouse does not send the type ${text.slice(0, 64)} in Native to clients with a protocol version`,
  );
}

const sizeOfDecimal = (precision: number) => (precision <= 9 ? 4 : precision <= 18 ? 8 : precision <= 38 ? 16 : 32);

/** `a UInt8` of a tuple: its type. Names that are no words stand in backticks. */
const withoutName = (part: string) => part.replace(/^(?:[A-Za-z_][A-Za-z0-9_]*|`(?:[^`\\]|\\.)*`) (?=[A-Z])/, '');

/** What commas part outside of brackets and quotation marks. */
function splitArguments(text: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let begin = 0;
  for (const { 0: token, index } of text.matchAll(/'(?:[^'\\]|\\[^])*'?|`(?:[^`\\]|\\[^])*`?|[(),]/g)) {
    if (token === '(') depth += 1;
    else if (token === ')') depth -= 1;
    else if (token === ',' && depth === 0) {
      parts.push(text.slice(begin, index).trim());
      begin = index + 1;
    }
  }
  if (text !== '') parts.push(text.slice(begin).trim());
  return parts;
}

/** Dictionaries of a column each begin it with their version. */
function countDictionaries(type: Type): number {
  if (typeof type === 'number' || type.kind === 'text') return 0;
  if (type.kind === 'tuple') return type.of.reduce<number>((sum, element) => sum + countDictionaries(element), 0);
  return countDictionaries(type.of) + (type.kind === 'dictionary' ? 1 : 0);
}
