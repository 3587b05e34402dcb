/** The secrets in templates of postbacks (docs/contract/postbacks.md). */
import { SECRET_NAME } from '../configuration/postbacks/fields';
import { ApiError } from '../errors';
import { readActor } from '../http/administrators';
import { json } from '../http/endpoint';
import { closed, list, Type } from '../lib/schema';
import { answer, badField, missing } from '../openapi/administration';
import { errorReply, pathParameter } from '../openapi/operation';
import { operation, OWNERS } from './endpoint';
import { secretSchema, storedSecret } from './schema';
import { deleteSecret, listSecrets, putSecret } from './secrets';

const NAME = new RegExp(SECRET_NAME);

/** @throws ApiError 400 for what is no name of a secret. */
function readName({ params: { name = '' } }: { params: Record<string, string | undefined> }): string {
  if (!NAME.test(name)) throw new ApiError(400, 'name: must have 1 to 64 lower-case letters, digits and underscores');
  return name;
}

const nameParameter = pathParameter(
  'name',
  'The name of the secret, as templates have it: `{secret:api_key}`.',
  Type.String({ pattern: SECRET_NAME }),
  'api_key',
);

export const secretOperations = OWNERS.flatMap(({ what, path, parameter, maySee, mayChange, read }) => {
  const whose = what === 'Partner' ? 'Of its own templates.' : 'Of what the project overrides.';
  return [
    operation({
      method: 'get',
      path: `${path}/postback_secrets`,
      operationId: `list${what}PostbackSecrets`,
      summary: `List the secrets in postbacks of a ${what.toLowerCase()}`,
      description: `${whose} Their names, and when they were set; never what they are.`,
      auth: maySee,
      parameters: [parameter],
      responses: {
        200: answer('The names.', closed({ postback_secrets: list(storedSecret) })),
        404: missing(what),
      },
      handle: async (ctx, { postgres }) => ({ postback_secrets: await listSecrets(postgres, read(ctx)) }),
    }),
    operation({
      method: 'put',
      path: `${path}/postback_secrets/{name}`,
      operationId: `put${what}PostbackSecret`,
      summary: `Set a secret in postbacks of a ${what.toLowerCase()}`,
      description: `${whose} Makes or replaces what \`{secret:name}\` stands for. It is never shown again.`,
      auth: mayChange,
      parameters: [parameter, nameParameter],
      body: json({ schema: secretSchema, example: { value: 'secret-of-the-receiver' }, limit: '100kb' }),
      responses: { 200: answer('Its name.', storedSecret), 400: badField, 404: missing(what) },
      handle: (ctx, { postgres, seals }, { readBody }) => {
        const { value } = readBody();
        return putSecret(postgres, readActor(ctx), read(ctx), readName(ctx), value, seals);
      },
    }),
    operation({
      method: 'delete',
      path: `${path}/postback_secrets/{name}`,
      operationId: `delete${what}PostbackSecret`,
      summary: `Delete a secret in postbacks of a ${what.toLowerCase()}`,
      description: `${whose} Not while a template uses it.`,
      auth: mayChange,
      parameters: [parameter, nameParameter],
      responses: {
        204: { description: 'It is deleted.' },
        400: badField,
        404: missing('Postback secret'),
        409: errorReply(409, 'A template uses it.', 'The template of install uses it.'),
      },
      handle: (ctx, { postgres, seals }) => deleteSecret(postgres, readActor(ctx), read(ctx), readName(ctx), seals),
    }),
  ];
});
