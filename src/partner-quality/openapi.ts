/** The quality of partners for the OpenAPI document (docs/contract/partners.md). */
import { errorReply, rateLimited, reportUnavailable, suspended, type ApiSection } from '../openapi/operation';
import { closed, instant, list, mapTo, named, nullable, Type } from '../lib/schema';
import { MAX_DAYS, MAX_ID } from './input';
import { MANY_INSTALLS } from './slots';

const count = Type.Integer({ minimum: 0 });
const percent = nullable(Type.Number({ description: 'In per cent; null of nothing.' }));
const day = Type.String({ format: 'date' });

const partner = named(
  'PartnerQuality',
  closed({
    partner_id: Type.Integer({ minimum: 1 }),
    partner: Type.String(),
    clicks: { ...count, description: 'Received first in the range, by S2S and by link.' },
    impressions: count,
    ctv_impressions: count,
    installs: { ...count, description: 'Credited to campaigns of the partner.' },
    conversion_rate: { ...percent, description: 'Installs by clicks, in per cent; null without clicks.' },
    suspicious: { ...count, description: 'Installs with suspected click injection or install hijacking.' },
    suspicious_share: percent,
    repeats: { ...count, description: 'Accepted S2S requests that repeated an earlier one.' },
    refused: mapTo(count, { description: 'Refused S2S requests that named the project, by reason.' }),
    installs_by_ip: closed({
      ips: { ...count, description: 'How many addresses installs have.' },
      most: { ...count, description: 'The most installs of one address.' },
      many: Type.Integer({ description: `More installs than this, ${MANY_INSTALLS}, are many.` }),
      ips_with_many: { ...count, description: 'How many addresses have many.' },
    }),
    click_to_install: list(
      closed({
        from: { ...count, description: 'Seconds from the click to the install, included.' },
        to: nullable({ ...count, description: 'Not included; null of the last.' }),
        installs: count,
      }),
      { description: 'Installs that are credited to a click, by the time from it.' },
    ),
  }),
);

export const partnerQualityApi: ApiSection = {
  tag: 'Quality of partners',
  description: 'What the traffic of each partner of a project is worth, with the server key of the project.',
  operations: [
    {
      method: 'get',
      path: '/api/v1/partner-quality',
      operationId: 'partnerQuality',
      summary: 'Show the quality of partners',
      description: "Every partner that works with the project. Days are those of the project's time zone.",
      security: ['serviceKey'],
      parameters: [
        {
          name: 'from',
          in: 'query',
          required: true,
          description: 'First day.',
          schema: day,
          example: '2026-03-01',
        },
        {
          name: 'to',
          in: 'query',
          required: true,
          description: `Last day; a range has at most ${MAX_DAYS} days.`,
          schema: day,
          example: '2026-03-31',
        },
        {
          name: 'partner_id',
          in: 'query',
          description: 'One partner; by default all.',
          schema: Type.Integer({ minimum: 1, maximum: MAX_ID }),
        },
      ],
      responses: {
        200: {
          description: 'The partners.',
          schema: closed({
            partners: list(partner),
            meta: closed({
              from: day,
              to: day,
              timezone: Type.String(),
              complete_until: nullable({
                ...instant,
                description: 'Everything accepted up to then is in the installs; null while that is not known.',
              }),
            }),
          }),
        },
        400: errorReply(400, 'A parameter is missing or malformed.', 'from: must be a day, written YYYY-MM-DD'),
        401: errorReply(401, 'The key is missing or invalid.', 'Unauthorized access.'),
        402: suspended,
        404: errorReply(404, 'The partner does not work with the project.', 'Partner not found.'),
        429: rateLimited,
        503: reportUnavailable,
      },
    },
  ],
};
