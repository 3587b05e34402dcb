/** Partners, their tokens, and what projects switch on for them (docs/contract/workspace.md). */
import type Router from '@koa/router';
import { mustExist } from '../configuration/must-exist';
import { switchesSchema } from '../configuration/partner-switches';
import { configurationJson, listOfProject, putInForce, type AdministrationParts } from '../http/administration';
import { readActor, readPlaces } from '../http/administrators';
import { admin } from '../http/auth-schemes';
import { createRoutes, endpoints, type EndpointSection } from '../http/endpoint';
import { readId, readPartnerId, readProjectId } from '../http/ids';
import { closed, list } from '../lib/schema';
import { ADMINISTRATION, answer, badBody, idParameter, missing, partnerId, projectId } from '../openapi/administration';
import * as queries from './queries';
import * as schemas from './schema';
import { revokeTokens, rotateToken, setSwitches } from './service';

const operation = endpoints<AdministrationParts>();

const tokens = {
  path: '/admin/v1/partners/{id}/tokens' as const,
  auth: admin.partner('partner-tokens'),
  parameters: [partnerId],
};

export const partnersApi: EndpointSection<AdministrationParts> = {
  ...ADMINISTRATION,
  operations: [
    operation({
      method: 'get',
      path: '/admin/v1/partners',
      operationId: 'listPartners',
      summary: 'List partners',
      description: 'All partners of the installation.',
      auth: admin.known,
      responses: { 200: answer('The partners.', closed({ partners: list(schemas.partner) })) },
      handle: async (ctx, { postgres }) => {
        const partners = await queries.readPartners(postgres);
        return { partners: partners.filter(({ id }) => readPlaces(ctx).partner(id)) };
      },
    }),
    operation({
      ...tokens,
      method: 'get',
      operationId: 'listPartnerTokens',
      summary: 'List the tokens of a partner',
      description: 'Those that no longer work too. The tokens themselves are kept by nobody.',
      responses: { 200: answer('The tokens.', closed({ tokens: list(schemas.token) })), 404: missing('Partner') },
      handle: async (ctx, { postgres }) => {
        const partner = readPartnerId(ctx);
        await mustExist(postgres, 'partners', partner);
        return { tokens: await queries.readTokens(postgres, partner) };
      },
    }),
    operation({
      ...tokens,
      method: 'post',
      operationId: 'createPartnerToken',
      summary: 'Create or rotate a token',
      description: 'Each token before it works for another 24 hours from its own rotation.',
      idempotent: true,
      responses: { 201: answer('The token.', schemas.createdToken), 404: missing('Partner') },
      handle: (ctx, parts) =>
        putInForce(parts, rotateToken(parts.postgres, readActor(ctx), readPartnerId(ctx), parts.now())),
    }),
    operation({
      ...tokens,
      method: 'delete',
      operationId: 'revokePartnerTokens',
      summary: 'Revoke all tokens of a partner',
      description: 'At once, former ones too.',
      responses: { 204: { description: 'They are revoked.' }, 404: missing('Partner') },
      handle: (ctx, parts) => putInForce(parts, revokeTokens(parts.postgres, readActor(ctx), readPartnerId(ctx))),
    }),
    listOfProject('partners', schemas.projectPartner, queries.readSwitches),
    operation({
      method: 'put',
      path: '/admin/v1/projects/{id}/partners/{partner_id}',
      operationId: 'setPartnerSwitches',
      summary: 'Set the switches of a partner',
      description: 'What the advertiser turns on for the partner in the project; what is left out stays.',
      auth: admin.project('settings'),
      parameters: [projectId, idParameter('partner', 'partner_id')],
      body: configurationJson(switchesSchema, { s2s_clicks: true, view_window_hours: 12 }),
      responses: { 200: answer('All switches.', schemas.storedSwitches), 400: badBody, 404: missing('Partner') },
      handle: (ctx, parts, { readBody }) => {
        const [project, partner] = [readProjectId(ctx), readId(ctx.params.partner_id, 'Partner')];
        return putInForce(parts, setSwitches(parts.postgres, readActor(ctx), project, partner, readBody()));
      },
    }),
  ],
};

export const partnerRoutes = (parts: AdministrationParts): Router => createRoutes(partnersApi, parts);
