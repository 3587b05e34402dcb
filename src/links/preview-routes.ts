/** Previews of links and their QR codes, for those who make them (docs/contract/tracking-links.md). */
import type Router from '@koa/router';
import QRCode from 'qrcode';
import type { RateLimiterAbstract } from 'rate-limiter-flexible';
import type { Postgres } from '../db/postgres';
import { readCaller, type Access } from '../http/auth';
import { serviceKey } from '../http/auth-schemes';
import { createRoutes, endpoints, type EndpointSection } from '../http/endpoint';
import { withRateLimit } from '../http/limits';
import { choice, closed, list, named, nullable, Type } from '../lib/schema';
import { errorReply, pathParameter, rateLimited } from '../openapi/operation';
import { linkOfCode, previewLink } from './preview';
import { ORIGINS } from './target';

export interface PreviewParts {
  readonly postgres: Postgres;
  readonly access: Access;
  readonly limiter: RateLimiterAbstract | undefined;
}

const operation = endpoints<PreviewParts>();

const text = Type.String();
const onPlatform = named(
  'LinkOnPlatform',
  closed({
    location: nullable(Type.String({ description: 'Where the link leads; null for nowhere, which is 404.' })),
    kind: choice(['web', 'store', null]),
    from: choice([...ORIGINS, null], { description: 'What of the configuration says so.' }),
    why: Type.String({ description: 'The same in words.' }),
    opens_apps: list(text, { description: 'Apps that the link opens instead, where one is installed.' }),
  }),
);
const preview = named(
  'LinkPreview',
  closed({
    display_id: text,
    name: text,
    active: Type.Boolean({ description: 'False: the link counts no clicks.' }),
    domain: nullable(Type.String({ description: 'Null for a project without any domain.' })),
    link: nullable(text),
    short_link: nullable(text),
    qr: nullable(Type.String({ description: 'The QR code on the tracking domain.' })),
    configured: closed(
      {
        deeplink: nullable(text),
        website: nullable(text),
        ios_web_redirect: nullable(text),
        android_web_redirect: nullable(text),
      },
      { description: "The campaign's own targets, as they are set." },
    ),
    platforms: closed({ ios: onPlatform, android: onPlatform, desktop: onPlatform }),
  }),
);
const auth = serviceKey('reports');
const displayId = pathParameter('display_id', "The campaign's display ID.", text, 'AbC123');
const refusals = {
  404: errorReply(404, 'The project has no such campaign.', 'Campaign not found.'),
  429: rateLimited,
};

/** In order: the key, the limit of the key, then the work. */
export const linkPreviewApi: EndpointSection<PreviewParts> = {
  tag: 'Links',
  description: 'What the links of campaigns do, for those who make them.',
  operations: [
    operation({
      method: 'get',
      path: '/api/v1/links/{display_id}/preview',
      operationId: 'previewLink',
      summary: 'Preview the link of a campaign',
      description: 'Where it leads on iOS, Android and desktop, and why. No click is recorded.',
      auth,
      parameters: [displayId],
      responses: { 200: { description: 'What the link does.', schema: preview }, ...refusals },
      handle: (ctx, { postgres, access, limiter }) => {
        const { project, key } = readCaller(ctx);
        return withRateLimit(limiter, key, () =>
          previewLink(postgres, access.snapshot, project, ctx.params.display_id as string),
        );
      },
    }),
    operation({
      method: 'get',
      path: '/api/v1/links/{display_id}/qr',
      operationId: 'getLinkQrCode',
      summary: 'QR code of the link of a campaign',
      description: 'The same as on the tracking domain.',
      auth,
      parameters: [displayId],
      responses: { 200: { description: 'The code.', type: 'image/svg+xml', schema: text }, ...refusals },
      handle: async (ctx, { postgres, access, limiter }) => {
        const { project, key } = readCaller(ctx);
        const link = await withRateLimit(limiter, key, () =>
          linkOfCode(postgres, access.snapshot, project, ctx.params.display_id as string),
        );
        const code = await QRCode.toString(link, { type: 'svg' });
        ctx.type = 'image/svg+xml';
        return code;
      },
    }),
  ],
};

export const linkPreviewRoutes = (parts: PreviewParts): Router => createRoutes(linkPreviewApi, parts);
