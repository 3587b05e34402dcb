/** Forgetting for the OpenAPI document. */
import { closed, instant, list, named, nullable, choice, Type } from '../lib/schema';
import { errorReply, type ApiSection, type Parameter } from '../openapi/operation';

const project: Parameter = {
  name: 'id',
  in: 'path',
  description: 'The project.',
  schema: Type.Integer({ minimum: 1 }),
  example: 1,
};
const receipt = named(
  'Receipt',
  closed({
    id: Type.Integer(),
    kind: choice(['gaid', 'idfa', 'user']),
    requested_at: instant,
    hidden_at: {
      ...nullable(instant),
      description: 'Since when no endpoint and no view shows anything of the person.',
    },
    removed_at: { ...nullable(instant), description: 'Since when nothing of them is on disk.' },
    failure: {
      ...nullable(Type.String()),
      description: 'Why the request is set aside for a while; null where it is not.',
    },
  }),
);
const unauthorized = errorReply(401, 'The admin token is missing or wrong.', 'Unauthorized access.');

export const erasureApi: ApiSection = {
  tag: 'Forgetting',
  description:
    'Identifiers, addresses and user data of a person, hidden within a minute and removed within a day; counts stay.',
  operations: [
    {
      method: 'delete',
      path: '/admin/v1/projects/{id}/devices/{kind}/{value}',
      operationId: 'forgetPerson',
      summary: 'Forget a person',
      security: ['adminToken'],
      description: 'Every install that any event connects with the identifier, and the touches of its devices.',
      parameters: [
        project,
        {
          name: 'kind',
          in: 'path',
          description: 'What `value` is.',
          schema: choice(['gaid', 'idfa', 'user']),
          example: 'gaid',
        },
        {
          name: 'value',
          in: 'path',
          description: "An advertising ID in any case, or the user's identifier.",
          schema: Type.String({ minLength: 1 }),
          example: '38400000-8cf0-11bd-b23e-10b96e40000d',
        },
      ],
      responses: {
        202: { description: 'The receipt, which later shows when it was done.', schema: receipt },
        400: errorReply(400, 'No such kind, or no advertising ID.', 'value: a gaid is a UUID, and not all zero'),
        401: unauthorized,
        404: errorReply(404, 'No such project.', 'Project not found.'),
      },
    },
    {
      method: 'get',
      path: '/admin/v1/projects/{id}/forgotten',
      operationId: 'listReceipts',
      summary: 'List receipts',
      description: 'The latest first.',
      security: ['adminToken'],
      parameters: [project],
      responses: {
        200: { description: 'All receipts of the project.', schema: closed({ forgotten: list(receipt) }) },
        401: unauthorized,
        404: errorReply(404, 'No such project.', 'Project not found.'),
      },
    },
    {
      method: 'get',
      path: '/admin/v1/projects/{id}/forgotten/{receipt_id}',
      operationId: 'getReceipt',
      summary: 'Get a receipt',
      description: 'Both times are null until then.',
      security: ['adminToken'],
      parameters: [
        project,
        {
          name: 'receipt_id',
          in: 'path',
          description: 'The receipt.',
          schema: Type.Integer({ minimum: 1 }),
          example: 1,
        },
      ],
      responses: {
        200: { description: 'The receipt.', schema: receipt },
        401: unauthorized,
        404: errorReply(404, 'No such receipt.', 'Receipt not found.'),
      },
    },
  ],
};
