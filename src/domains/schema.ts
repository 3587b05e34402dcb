/** Tracking domains, and what a check of one says. */
import { choice, closed, list, named, nullable, Type } from '../lib/schema';

const status = choice(['proven', 'pending'], { type: 'string', description: 'Nothing is served on a pending one.' });
const proof = nullable(
  closed(
    { type: choice(['TXT'], { type: 'string' }), name: Type.String(), value: Type.String() },
    { description: 'The record that proves a pending domain.' },
  ),
);

export const domainSchema = named(
  'Domain',
  closed({ id: Type.Integer(), name: Type.String(), primary: Type.Boolean(), status, proof }),
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
