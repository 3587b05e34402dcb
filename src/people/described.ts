/** What the endpoints of people share: their form, as it is described (docs/contract/people.md). */
import { json } from '../http/endpoint';
import { Type, type TSchema } from '../lib/schema';
import { errorReply, rateLimited, type Operation } from '../openapi/operation';

export const example = { email: 'ann@acme.example', password: 'correct horse battery' };

export const body = <S extends TSchema>(schema: S, example: unknown) => json({ schema, example, limit: '10kb' });

/** What all of them answer, the status first; without a schema there is nothing to say. */
export const answers = (
  status: number,
  schema?: TSchema,
  also: Operation['responses'] = {},
): Operation['responses'] => ({
  [status]: schema ? { description: 'Done.', schema } : { description: 'Done; there is nothing to say.' },
  400: errorReply(400, 'The body or a parameter is invalid.', 'body: "password" is required'),
  403: errorReply(403, 'Asked for by another site, or the role does not allow it.', 'Your role does not allow this.'),
  429: rateLimited,
  ...also,
});

/** Where the second factor may be missing, which the answer says besides. */
export const wrongProof = {
  ...errorReply(401, 'The address, the password or the code is wrong.', 'The code is wrong.'),
  schema: Type.Object({ msg: Type.String(), status: Type.Integer() }),
};
