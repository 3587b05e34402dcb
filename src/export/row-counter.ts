/** Counts the rows of a file as its bytes pass: a part that was cut off would look whole. */
import { Transform } from 'node:stream';
import type { Format } from '../files/formats';

const [NEWLINE, QUOTE] = [10, 34];
/** The end of a Parquet file, after its footer. */
const PARQUET_END = 'PAR1';

export interface RowCounter {
  readonly through: Transform;
  /** Whether a file of so many rows has passed; one of Parquet tells only that it has its end. */
  readonly isWhole: (rows: number) => boolean;
}

export const createRowCounter = (format: Format): RowCounter =>
  format === 'parquet' ? createEndFinder() : createLineCounter(format === 'csv');

function createLineCounter(isCsv: boolean): RowCounter {
  let lines = 0;
  let isQuoted = false;
  let last = NEWLINE;
  const count = (chunk: Buffer) => {
    if (!isQuoted && (!isCsv || !chunk.includes(QUOTE))) {
      for (let at = chunk.indexOf(NEWLINE); at >= 0; at = chunk.indexOf(NEWLINE, at + 1)) lines += 1;
      return;
    }
    // A quote within quotes is written twice, which comes to the same.
    for (const byte of chunk)
      if (byte === QUOTE) isQuoted = !isQuoted;
      else if (byte === NEWLINE && !isQuoted) lines += 1;
  };
  const through = passThrough((chunk) => {
    count(chunk);
    last = chunk.at(-1) ?? last;
  });
  // CSV has a header.
  return { through, isWhole: (rows) => !isQuoted && last === NEWLINE && lines === rows + (isCsv ? 1 : 0) };
}

function createEndFinder(): RowCounter {
  let end = Buffer.alloc(0);
  const through = passThrough((chunk) => {
    end = Buffer.concat([end, chunk.subarray(-PARQUET_END.length)]).subarray(-PARQUET_END.length);
  });
  return { through, isWhole: () => end.toString('latin1') === PARQUET_END };
}

const passThrough = (look: (chunk: Buffer) => void) =>
  new Transform({
    transform(chunk: Buffer, _encoding, done) {
      look(chunk);
      done(null, chunk);
    },
  });
