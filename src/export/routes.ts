/** `GET /api/v1/export/...`: the records of a project as files (docs/contract/exports.md). */
import type Router from '@koa/router';
import type { RateLimiterAbstract } from 'rate-limiter-flexible';
import type { Postgres } from '../db/postgres';
import { ApiError } from '../errors';
import type { ExportRunner } from '../files/export-runner';
import { RECORD_KINDS } from '../files/kinds';
import { bomParameter, FILE_TYPES, formatParameter } from '../files/openapi';
import { readCaller, type Access } from '../http/auth';
import { serviceKey } from '../http/auth-schemes';
import { createRoutes, endpoints, type EndpointSection } from '../http/endpoint';
import { chooseFormat, sendFile } from '../http/files';
import { withRateLimit } from '../http/limits';
import { requestIdIn } from '../http/request-id';
import type { DayRange } from '../lib/parameters';
import { choice, Type } from '../lib/schema';
import { addDays, daysInRange, isDay } from '../lib/time';
import {
  errorReply,
  pathParameter,
  queryParameter,
  readAs,
  rateLimited,
  reportUnavailable,
  required,
} from '../openapi/operation';
import { openRecords, readCompleteUntil, selectRecords } from './records';

export interface ExportParts {
  readonly access: Access;
  readonly files: ExportRunner;
  readonly postgres: Postgres;
  /** Up to which receipt time, in milliseconds, everything that any process has accepted is in ClickHouse. */
  readonly settled: () => Promise<number>;
  readonly limiter: RateLimiterAbstract | undefined;
  readonly now: () => number;
}

const MAX_DAYS = 31;

const dayOfReceipt = <const Name extends string>(name: Name, description: string, example: string) =>
  readAs(required(queryParameter(name, description, Type.String({ format: 'date' }), example)), (sent) => {
    if (sent === undefined) throw new ApiError(400, `${name} is missing: a day of receipt, UTC, written YYYY-MM-DD.`);
    if (!isDay(sent)) throw new ApiError(400, `Invalid ${name} '${sent}'. A date is written YYYY-MM-DD.`);
    return sent;
  });

/** In order: the key, billing, what is asked for, the limit of the key, then the file. */
export const exportApi: EndpointSection<ExportParts> = {
  tag: 'Exports',
  description: 'The records of a project, each once, as files.',
  operations: [
    endpoints<ExportParts>()({
      method: 'get',
      path: '/api/v1/export/{kind}',
      operationId: 'exportRecords',
      summary: 'Export records',
      description:
        `The rows of the view of that name in ClickHouse, by the day of receipt (UTC), at most ${MAX_DAYS} days a ` +
        'request; postbacks are attempts, by the day on which they began. Values are exactly as they are stored, in ' +
        'CSV too; IDs in Parquet are texts. The header Complete-Until says up to which ' +
        'receipt time everything accepted is in the file. A file that breaks off is not ended, so that no client ' +
        'takes it for the whole; days that are there need not be asked for again.',
      auth: serviceKey('installs', { paid: true }),
      parameters: [
        pathParameter('kind', 'What to export.', choice(RECORD_KINDS, { type: 'string' }), 'clicks'),
        dayOfReceipt('from', 'First day of receipt, UTC.', '2026-03-01'),
        dayOfReceipt('to', 'Last day of receipt, UTC.', '2026-03-31'),
        formatParameter('ndjson'),
        bomParameter,
      ],
      responses: {
        200: { description: 'The file.', files: FILE_TYPES },
        400: errorReply(400, 'A parameter is invalid.', "Invalid from '2026-02-30'. A date is written YYYY-MM-DD."),
        404: errorReply(404, 'There is no such export.', 'There is no export of that name. Legal: clicks, installs.'),
        429: rateLimited,
        503: reportUnavailable,
      },
      handle: async (ctx, parts, { readParameters }) => {
        const { project, key } = readCaller(ctx);
        const kind = RECORD_KINDS.find((one) => one === ctx.params.kind);
        if (!kind) throw new ApiError(404, `There is no export of that name. Legal: ${RECORD_KINDS.join(', ')}.`);
        const query = readParameters();
        checkRange(query);
        const format = chooseFormat(ctx, query) ?? 'ndjson';
        const name = `${kind}-${query.from}-${query.to}`;
        const { files } = parts;
        const { stream, completeUntil } = await withRateLimit(parts.limiter, key, async () => ({
          // Before the statement begins: what is there by now is in the file.
          completeUntil: await readCompleteUntil(kind, parts),
          stream: await files.open({ kind, name, requestId: requestIdIn(ctx.res) }, () =>
            openRecords(files, kind, format, selectRecords(kind, project.id, ...toMoments(query)), query.bom),
          ),
        }));
        sendFile(ctx, name, format, stream, new Date(completeUntil).toISOString());
      },
    }),
  ],
};

export const exportRoutes = (parts: ExportParts): Router => createRoutes(exportApi, parts);

/** From the beginning of the first day until the end of the last one. */
const toMoments = ({ from, to }: DayRange) => [Date.parse(from), Date.parse(addDays(to, 1))] as const;

/** @throws ApiError 400 for a range of no day, or of too many. */
function checkRange({ from, to }: DayRange): void {
  if (from > to) throw new ApiError(400, 'from must not be after to.');
  if (daysInRange(from, to) > MAX_DAYS)
    throw new ApiError(400, `from and to must be at most ${MAX_DAYS} days apart, both included.`);
}
