/** The quality of partners as JSON Schema (docs/contract/partners.md). */
import { closed, instant, list, mapTo, named, nullable, Type } from '../lib/schema';
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

export const qualitySchema = closed({
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
});
