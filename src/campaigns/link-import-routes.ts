/** The endpoint that makes links of a file (docs/contract/tracking-links.md). */
import { Readable } from 'node:stream';
import { FORMATS } from '../files/formats';
import { serviceKey } from '../http/auth-schemes';
import { textBody } from '../http/body';
import { endpoints, type BodyForm } from '../http/endpoint';
import { sendFile } from '../http/files';
import { choice, Type, withDefault } from '../lib/schema';
import { errorReply, queryParameter, rateLimited } from '../openapi/operation';
import { IMPORT_COLUMNS, importLinks, readLinkFile, type Imported } from './link-import';
import * as schema from './link-schema';
import { changed, toLinkParts, type CampaignsParts } from './parts';

const operation = endpoints<CampaignsParts>();

const BODY_LIMIT = '1mb';
const file: BodyForm<string> = {
  type: 'text/csv',
  schema: Type.String(),
  example: 'name,display_id,website,tags,utm_source\nPoster,poster,https://acme.example/,print,poster\n',
  limit: BODY_LIMIT,
  read: textBody(BODY_LIMIT),
  parse: (body) => body as string,
};

const CSV_COLUMNS = (['line', 'name', 'outcome', 'display_id', 'short_url', 'msg'] as const).map((name) => ({
  name,
  type: name === 'line' ? ('integer' as const) : ('text' as const),
}));
const toCsv = ({ rows }: Imported) =>
  FORMATS.csv.encode(CSV_COLUMNS, Readable.from(rows.map((row) => CSV_COLUMNS.map(({ name }) => row[name]))), {});

export const importOperation = operation({
  method: 'post',
  path: '/api/v1/link-imports',
  operationId: 'importLinks',
  summary: 'Create links from a file',
  description:
    `CSV with a header, separated by commas, semicolons or tabs. Columns: ${IMPORT_COLUMNS.join(', ')}; only name ` +
    'is required, and others are ignored. Of tags and store_listing_ids several are separated by a comma, a ' +
    'semicolon or a bar. All rows are made, or none: where one is refused, `created` is 0. At most ' +
    `${schema.LINK_LIMITS.rows} rows and 1 MB. ` +
    '`format=csv` answers with the rows as a file.',
  auth: serviceKey('links'),
  parameters: [
    queryParameter('dry_run', '`true`: nothing is made.', withDefault(Type.Boolean(), false), true),
    queryParameter('format', '`csv`: the rows as a file.', withDefault(choice(['json', 'csv']), 'json'), 'csv'),
  ],
  body: file,
  responses: {
    200: { description: 'What became of each row.', schema: schema.importedSchema, files: ['text/csv'] },
    400: errorReply(400, 'The body is no CSV of links.', 'Invalid CSV body: there are no rows'),
    413: errorReply(413, 'More than 1 MB, or than 1,000 rows.', 'A file has at most 1000 rows.'),
    429: rateLimited,
  },
  handle: async (ctx, parts, { readBody, readParameters }) => {
    const { dry_run: isDry, format } = readParameters();
    const rows = await readLinkFile(readBody());
    const imported = await changed(ctx, parts, (found) => importLinks(toLinkParts(parts), found, rows, isDry));
    if (format === 'json') return imported;
    sendFile(ctx, 'links', 'csv', toCsv(imported), null);
  },
});
