/** Reads and writes the ingest log of a service that is stopped, as a process that is gone has left it. */
import crypto from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { headerLine, segmentName } from '../../../src/ingest/log/segment';
import { Receipts } from '../../../src/ingest/receipts';
import { recordId } from '../../../src/ingest/record-id';
import { CLICK } from '../../../src/s2s/definitions';
import { rowEncoder } from '../../../src/ingest/row-encoder';
import { listColumns } from '../../../src/s2s/row';
import { eventually, type Service } from '../service';

const { columns, encode } = rowEncoder(listColumns(CLICK));

export const logFolder = (service: Service) => path.join(service.dataDir, 'ingest');

/** The segments that processes have left, as paths. */
export function leftSegments(service: Service): string[] {
  const root = logFolder(service);
  if (!fs.existsSync(root)) return [];
  return fs
    .readdirSync(root)
    .filter((name) => /^[0-9a-f-]{36}$/.test(name))
    .flatMap((name) =>
      fs
        .readdirSync(path.join(root, name))
        .filter((file) => file.endsWith('.ndjson'))
        .map((file) => path.join(root, name, file)),
    );
}

/** Waits until everything that the service has accepted so far is in ClickHouse. */
export async function everythingStored(service: Service, ms = 60_000): Promise<void> {
  const until = Date.now();
  await eventually(
    'what was accepted is in ClickHouse',
    async () => {
      const { processes } = (await service.admin('GET', '/ingest')).body as { processes: { received_up_to: string }[] };
      return processes.every((one) => Date.parse(one.received_up_to) >= until) ? true : undefined;
    },
    ms,
  );
}

export interface LeftClick {
  readonly tid: string;
  readonly s2?: string;
  readonly gaid?: string;
  /** When it was received, in milliseconds. */
  readonly at: number;
}

/** The row of a click of the workspace's campaign AbC123 as S2S writes it; `ids` are those of project and campaign. */
export function clickRow(ids: { project: number; campaign: number }, { tid, s2 = '', gaid, at }: LeftClick): string {
  const receipt = new Receipts(() => at).next();
  const values: Record<string, unknown> = {
    click_id: recordId('click', ids.campaign, tid),
    click_time: at,
    project_id: ids.project,
    bucket: receipt.day,
    campaign_id: ids.campaign,
    received_at: at,
    partner_id: 1,
    app_id: 'com.acme.shop',
    d: '',
    ip: '',
    version: receipt.version,
    kind: 's2s',
    gaid: gaid ?? crypto.randomUUID(),
    idfa: null,
    tid,
    s2,
  };
  return encode(Object.fromEntries(columns.map((column) => [column, column in values ? values[column] : ''])));
}

/** Leaves rows of clicks in the log as a process that is gone; `change` may damage the bytes. */
export function leaveSegment(
  service: Service,
  rows: readonly string[],
  change: (bytes: Buffer) => Buffer = (bytes) => bytes,
): string {
  const folder = path.join(logFolder(service), crypto.randomUUID());
  fs.mkdirSync(folder, { recursive: true });
  const file = path.join(folder, segmentName(1, CLICK.table));
  const text = headerLine({ table: CLICK.table, columns }) + rows.map((row) => `${row}\n`).join('');
  fs.writeFileSync(file, change(Buffer.from(text)));
  return file;
}
