/** `POST /admin/v1/exchange_rates`: a file of exchange rates (docs/contract/workspace.md). */
import type { ExportPlaces } from '../configuration/exports';
import type { ResolveTimezone } from '../configuration/timezones';
import { putInForce, type AdministrationParts } from '../http/administration';
import { readActor } from '../http/administrators';
import { admin } from '../http/auth-schemes';
import { textBody } from '../http/body';
import { endpoints, type BodyForm } from '../http/endpoint';
import { choice, closed, list, named, nullable, Type, withDefault } from '../lib/schema';
import type { Seals } from '../lib/seal';
import { answer } from '../openapi/administration';
import { errorReply, queryParameter } from '../openapi/operation';
import { applyWorkspace, previewWorkspace } from './apply';
import { MAX_RATES, readRateFile } from './rates';

interface RateParts extends AdministrationParts {
  readonly resolveTimezone: ResolveTimezone;
  readonly seals: Seals;
  readonly exportPlaces: ExportPlaces;
}

const BODY_LIMIT = '16mb';
const MAX_REFUSED = 1_000;

const file: BodyForm<string> = {
  type: 'text/csv',
  schema: Type.String(),
  example: 'date,currency,usd\n2026-03-05,EUR,1.0812\n',
  limit: BODY_LIMIT,
  read: textBody(BODY_LIMIT),
  parse: (body) => body as string,
};

const count = Type.Integer({ minimum: 0 });
const day = Type.String({ format: 'date' });
const uploaded = named(
  'UploadedRates',
  closed({
    dry_run: Type.Boolean(),
    format: choice(['csv', 'ecb'], { type: 'string' }),
    created: count,
    updated: count,
    unchanged: count,
    currencies: list(Type.String()),
    from: { ...nullable(day), description: 'The first day with a rate; null without any.' },
    to: nullable(day),
    refused: count,
    rows: {
      ...list(closed({ line: Type.Integer({ minimum: 1 }), msg: Type.String() })),
      description: `What was refused, the first ${MAX_REFUSED}.`,
    },
  }),
);

export const rateOperations = [
  endpoints<RateParts>()({
    method: 'post',
    path: '/admin/v1/exchange_rates',
    operationId: 'uploadExchangeRates',
    summary: 'Upload a file of exchange rates',
    description:
      'CSV with the columns date, currency and usd (what one unit was worth in US dollars), or a file as the ' +
      'European Central Bank publishes it, as CSV or XML: each currency and the euro get their rate of the day. Good ' +
      `rates are stored, whatever becomes of others. At most ${MAX_RATES} rates and 16 MB.`,
    auth: admin.installation,
    parameters: [
      queryParameter('dry_run', '`true`: nothing is stored.', withDefault(Type.Boolean(), false), true),
      queryParameter('from', 'Days before it are left out.', day, '2026-01-01'),
    ],
    body: file,
    responses: {
      200: answer('What was done.', uploaded),
      400: errorReply(400, 'The body is no file of rates.', 'Invalid CSV body: the columns usd are missing'),
      413: errorReply(413, `More than 16 MB, or more than ${MAX_RATES} rates.`, 'The body must be at most 16mb.'),
    },
    handle: async (ctx, parts, { readBody, readParameters }) => {
      const { dry_run: isDry, from = '' } = readParameters();
      const { format, rates, refused } = await readRateFile(readBody(), from);
      const document = { exchange_rates: [...rates] };
      const { resolveTimezone, seals, exportPlaces } = parts;
      const [given, actor] = [{ resolveTimezone, seals, exportPlaces }, readActor(ctx)];
      const done = isDry
        ? await previewWorkspace(parts.postgres, actor, document, given)
        : await putInForce(parts, applyWorkspace(parts.postgres, actor, document, given));
      const days = rates.map(({ date }) => date).sort();
      const { created, updated, unchanged } = done;
      return {
        dry_run: isDry,
        format,
        created,
        updated,
        unchanged,
        currencies: [...new Set(rates.map(({ currency }) => currency))].sort(),
        from: days[0] ?? null,
        to: days.at(-1) ?? null,
        refused: refused.length,
        rows: refused.slice(0, MAX_REFUSED),
      };
    },
  }),
];
