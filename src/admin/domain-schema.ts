/** Tracking domains, how they are checked and confirmed: for the OpenAPI document. */
import { errorReply, type Operation } from '../openapi/operation';
import { closed, list, named, nullable, choice, Type } from '../lib/schema';

const id = (name: string, what: string) =>
  ({ name, in: 'path', description: `The ${what}.`, schema: Type.Integer({ minimum: 1 }), example: 1 }) as const;

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

export const domainConfirmOperation: Operation = {
  method: 'post',
  path: '/admin/v1/projects/{id}/domains/{domain_id}/confirm',
  operationId: 'confirmDomain',
  summary: 'Confirm a tracking domain',
  description: 'Gives a pending domain to its project without a record in DNS. For operators.',
  security: ['adminToken'],
  parameters: [id('id', 'project'), id('domain_id', 'domain')],
  responses: {
    200: { description: 'The domain.', schema: domainSchema },
    401: errorReply(401, 'The admin token is missing or wrong.', 'Unauthorized access.'),
    404: errorReply(404, 'The project has no such domain.', 'Domain not found.'),
    409: errorReply(409, 'Another project has it.', 'This domain belongs to another project.'),
  },
};

export const domainCheckOperation: Operation = {
  method: 'post',
  path: '/admin/v1/projects/{id}/domains/{domain_id}/check',
  operationId: 'checkDomain',
  summary: 'Check the DNS record of a tracking domain',
  description:
    'Whether the domain is proven and leads to the service, by name or by address; one whose proof is there is the ' +
    "project's from then on. A name that leads inside is answered like one that nobody knows. Takes 3 seconds at most.",
  security: ['adminToken'],
  parameters: [id('id', 'project'), id('domain_id', 'domain')],
  responses: {
    200: {
      description: 'What DNS says.',
      schema: named(
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
          msg: Type.String({ description: 'What to do, for people.' }),
        }),
      ),
    },
    401: errorReply(401, 'The admin token is missing or wrong.', 'Unauthorized access.'),
    404: errorReply(404, 'The project has no such domain.', 'Domain not found.'),
  },
};
