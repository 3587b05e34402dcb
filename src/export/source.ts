/** What scheduled exports are written from. */
import type { Readable } from 'node:stream';
import type { FileReads } from '../files/export-runner';
import type { Format } from '../files/formats';
import type { QueryOptions } from '../questions/answer';
import type { Period } from './periods';
import type { CompleteParts } from './records';

/** How many rows a period has, and what they come to, in any order: others come to something else. */
export interface Sum {
  readonly rows: number;
  readonly fingerprint: string;
}

export interface Source {
  /** In which days begin. */
  readonly timezone: string;
  readonly columns: () => Promise<readonly { readonly name: string; readonly type: string }[]>;
  /** Up to when everything is in what it is read from, in milliseconds. */
  readonly completeUntil: () => Promise<number>;
  /** The sums of neighbouring periods, by their names. */
  readonly sums: (periods: readonly Period[]) => Promise<ReadonlyMap<string, Sum>>;
  /** How many rows each part has. */
  readonly countRows: (period: Period, parts: number, rows: number) => Promise<readonly number[]>;
  readonly open: (period: Period, format: Format, part: number, parts: number) => Promise<Readable>;
  /** The first rows, as they are. */
  readonly sample: (period: Period, most: number) => Promise<readonly object[]>;
}

export interface SourceParts extends QueryOptions, CompleteParts {
  readonly files: FileReads;
  /** Rows that a part may have, about. */
  readonly partRows: number;
}

export const NOTHING: Sum = { rows: 0, fingerprint: '0' };
