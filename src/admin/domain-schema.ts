/** Checks of tracking domains: the operation of the OpenAPI document. */
import { errorReply, type Operation } from '../openapi/operation';
import { closed, list, named, oneOf, Type } from '../schema';

const id = (name: string, what: string) =>
  ({ name, in: 'path', description: `The ${what}.`, schema: Type.Integer({ minimum: 1 }), example: 1 }) as const;

export const domainCheckOperation: Operation = {
  method: 'post',
  path: '/admin/v1/projects/{id}/domains/{domain_id}/check',
  operationId: 'checkDomain',
  summary: 'Check the DNS record of a tracking domain',
  description:
    'Whether the domain leads to the host that the request is sent to, by name or by address. Takes 3 seconds at most.',
  security: ['adminToken'],
  parameters: [id('id', 'project'), id('domain_id', 'domain')],
  responses: {
    200: {
      description: 'What DNS says.',
      schema: named(
        'DomainCheck',
        closed({
          ok: Type.Boolean(),
          records: list(closed({ type: oneOf(['CNAME', 'A', 'AAAA'], { type: 'string' }), value: Type.String() }), {
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
