/** What the descriptions of administration share. */
import { errorReply, pathParameter, type Response, type Schema } from './operation';

/** The chapter of the configuration, to which several features add. */
export const ADMINISTRATION = {
  tag: 'Administration',
  description: 'The configuration, with the admin token or for persons whose role allows it.',
};
/** The same of what partners and advertisers are told. */
export const MESSAGES = {
  tag: 'Postbacks and webhooks',
  description: 'What partners and advertisers are told of installs and events, and where.',
};

/** A number in the path. */
export const idParameter = (what: string, name = 'id') =>
  pathParameter(name, `ID of the ${what}, as its list gives it.`);
export const projectId = idParameter('project');
export const partnerId = idParameter('partner');
export const missing = (what: string) =>
  errorReply(404, `There is no such ${what.toLowerCase()}.`, `${what} not found.`);
export const answer = (description: string, schema: Schema): Response => ({ description, schema });
export const badBody = errorReply(
  400,
  'The body is no JSON object, or a field is invalid.',
  'body: "kind" is required',
);
/** The same where the body is a template or a webhook. */
export const badField = errorReply(
  400,
  'A field is invalid; the message names it.',
  'url: there is no macro {clickid}',
);
