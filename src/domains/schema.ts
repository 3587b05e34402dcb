/** Tracking domains, and what a check of one says. */
import { choice, closed, instant, list, named, nullable, Type } from '../lib/schema';

const status = choice(['proven', 'pending'], { type: 'string', description: 'Nothing is served on a pending one.' });
const proof = nullable(
  closed(
    { type: choice(['TXT'], { type: 'string' }), name: Type.String(), value: Type.String() },
    { description: 'The record that proves a pending domain.' },
  ),
);

const lastCheck = nullable(
  closed(
    {
      state: choice(['works', 'elsewhere', 'no_certificate', 'unknown'], {
        type: 'string',
        description:
          'Whether it leads to the service over HTTPS: `works`, `elsewhere` by its DNS record, `no_certificate` that ' +
          'browsers accept, or `unknown`.',
      }),
      msg: Type.String({ description: 'The same in words, with what to do.' }),
      checked_at: instant,
    },
    { description: 'What the service last found; null before its first look, and of a pending domain.' },
  ),
);

export const domainSchema = named(
  'Domain',
  closed({
    id: Type.Integer(),
    name: Type.String(),
    primary: Type.Boolean(),
    status,
    proof,
    last_check: lastCheck,
  }),
);

export const checkSchema = named(
  'DomainCheck',
  closed({
    ok: Type.Boolean({ description: 'Whether it is proven and leads to the service.' }),
    status,
    proof,
    records: list(closed({ type: choice(['CNAME', 'A', 'AAAA'], { type: 'string' }), value: Type.String() }), {
      description: 'What the domain has now.',
    }),
    expected: Type.String({ description: 'The record to set, for example `CNAME links.acme.example`.' }),
    addresses: list(Type.String(), {
      description: "Addresses of the service's host, for a domain that cannot have a CNAME.",
    }),
    certificate: nullable(
      closed(
        { ok: Type.Boolean(), msg: Type.String() },
        { description: 'Whether browsers accept its certificate; null for a domain that leads elsewhere.' },
      ),
    ),
    msg: Type.String({ description: 'What to do, for people.' }),
  }),
);
