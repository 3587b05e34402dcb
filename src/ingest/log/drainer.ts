/**
 * Brings the rows of the log to ClickHouse: oldest first, in large blocks, one insert at a time for each table. A block
 * that failed is tried again as it is until ClickHouse has taken it; a segment goes once all its rows are stored.
 *
 * Killed between an insert and the end of its segment, the same rows come again: a record meets itself in the table's
 * key, or is found by its ID.
 */
import fs from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { DrainerOptions } from './drainer-options';
import { BLOCK, listSegments, SegmentReader, tableOfSegment } from './segment';
import { TableDrainer, type Segment } from './table-drainer';

export class Drainer {
  private readonly tables = new Map<string, TableDrainer>();
  private readonly adopted = new Map<string, number>();
  private stopped = false;

  constructor(private readonly options: DrainerOptions) {}

  /** Rows have been written to a segment of this process. */
  written(folder: string, segment: string): void {
    this.findTable(segment)?.add(folder, segment, false);
  }

  /** No more rows will be written to it. */
  sealed(folder: string, segment: string): void {
    this.findTable(segment)?.add(folder, segment, true);
  }

  /** Drains what a process has left that is gone; its segments come before those of this one. */
  async adopt(folder: string): Promise<void> {
    const names = await listSegments(path.join(this.options.root, folder));
    this.adopted.set(folder, names.length);
    for (const name of names) {
      const table = tableOfSegment(name) as string;
      this.options.events.onBacklog({ folder, table, ...(await measure(path.join(this.options.root, folder, name))) });
    }
    for (const name of names) this.findTable(name)?.add(folder, name, true);
    if (names.length === 0) this.emptied(folder);
  }

  /** Somebody waits for what has been written. */
  drainNow(): void {
    for (const table of this.tables.values()) table.cutPauseShort();
  }

  /** Continues until everything is drained, for `ms` at most. */
  async stop(ms: number): Promise<void> {
    const all = [...this.tables.values()];
    for (const table of all) table.hurry();
    const drained = Promise.all(all.map((table) => table.drained()));
    await Promise.race([drained, sleep(ms, undefined, { ref: false })]);
    this.stopped = true;
    await Promise.all(all.map((table) => table.stop()));
  }

  private findTable(segment: string): TableDrainer | undefined {
    const name = tableOfSegment(segment);
    const deduplicator = name === undefined ? undefined : this.options.findDeduplicator(name);
    if (name === undefined || !deduplicator) return undefined;
    const known = this.tables.get(name);
    if (known) return known;
    const table = new TableDrainer(name, deduplicator, this.options, (segment) => this.removed(segment));
    this.tables.set(name, table);
    return table;
  }

  private removed({ folder }: Segment): void {
    const left = this.adopted.get(folder);
    if (left === undefined) return;
    this.adopted.set(folder, left - 1);
    if (left === 1 && !this.stopped) this.emptied(folder);
  }

  private emptied(folder: string): void {
    this.adopted.delete(folder);
    this.options.events.onEmptied(folder);
  }
}

async function measure(file: string): Promise<{ rows: number; bytes: number; since: number }> {
  const since = await fs.stat(file).then(
    ({ birthtimeMs }) => birthtimeMs,
    () => Date.now(),
  );
  const reader = await SegmentReader.open(file).catch(() => undefined);
  if (!reader) return { rows: 0, bytes: 0, since };
  const first = reader.offset;
  let rows = 0;
  try {
    for (let block = await reader.read(BLOCK); block; block = await reader.read(BLOCK)) {
      rows += block.starts.length;
      reader.offset = block.end;
    }
  } catch {
    // What cannot be read is told when it is drained.
  }
  await reader.close();
  return { rows, bytes: reader.offset - first, since };
}
