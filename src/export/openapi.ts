/** Exports for the OpenAPI document (docs/contract/exports.md). */
import { choice, Type } from '../lib/schema';
import {
  errorReply,
  rateLimited,
  reportUnavailable,
  suspended,
  type ApiSection,
  type Parameter,
} from '../openapi/operation';
import { bomParameter, FILE_TYPES, formatParameter } from '../files/openapi';
import { RECORD_KINDS } from './kinds';
import { MAX_DAYS } from './routes';

const day = (name: string, description: string, example: string): Parameter => ({
  name,
  in: 'query',
  description,
  required: true,
  schema: Type.String({ format: 'date' }),
  example,
});

export const exportApi: ApiSection = {
  tag: 'Exports',
  description: 'The records of a project, each once, as files.',
  operations: [
    {
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
      security: ['serviceKey'],
      parameters: [
        {
          name: 'kind',
          in: 'path',
          description: 'What to export.',
          schema: choice(RECORD_KINDS, { type: 'string' }),
          example: 'clicks',
        },
        day('from', 'First day of receipt, UTC.', '2026-03-01'),
        day('to', 'Last day of receipt, UTC.', '2026-03-31'),
        formatParameter('ndjson'),
        bomParameter,
      ],
      responses: {
        200: { description: 'The file.', files: FILE_TYPES },
        400: errorReply(400, 'A parameter is invalid.', "Invalid from '2026-02-30'. A date is written YYYY-MM-DD."),
        401: errorReply(401, 'The key is missing or invalid.', 'Unauthorized access.'),
        402: suspended,
        404: errorReply(404, 'There is no such export.', 'There is no export of that name. Legal: clicks, installs.'),
        429: rateLimited,
        503: reportUnavailable,
      },
    },
  ],
};
