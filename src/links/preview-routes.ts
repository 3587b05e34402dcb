/** Previews of links and their QR codes, for those who make them (docs/contract/tracking-links.md). */
import type Router from '@koa/router';
import QRCode from 'qrcode';
import type { RateLimiterAbstract } from 'rate-limiter-flexible';
import { ORIGINS } from '../configuration/link-target';
import type { Postgres } from '../db/postgres';
import { readCaller, type Access } from '../http/auth';
import { serviceKey } from '../http/auth-schemes';
import { createRoutes, endpoints, type EndpointSection } from '../http/endpoint';
import { withRateLimit } from '../http/limits';
import { wrong } from '../lib/parameters';
import { choice, closed, list, named, nullable, Type, withDefault } from '../lib/schema';
import { errorReply, pathParameter, queryParameter, rateLimited, readAs } from '../openapi/operation';
import { linkOfCode, previewLink } from './preview';

export interface PreviewParts {
  readonly postgres: Postgres;
  readonly access: Access;
  readonly limiter: RateLimiterAbstract | undefined;
  readonly now: () => number;
}

const operation = endpoints<PreviewParts>();

const text = Type.String();
const onPlatform = named(
  'LinkOnPlatform',
  closed({
    location: nullable(Type.String({ description: 'Where the link leads; null for nowhere, which is 404.' })),
    kind: choice(['web', 'store', null]),
    from: choice([...ORIGINS, 'expired_target', null], { description: 'What of the configuration says so.' }),
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

const size = withDefault(Type.Integer({ minimum: 100, maximum: 2_000 }), 1_200);
const colour = Type.String({ pattern: '^[0-9A-Fa-f]{6}$' });
const colourParameter = <const Name extends string>(name: Name, text: string, example: string, otherwise: string) =>
  readAs(queryParameter(name, text, colour, example), (sent = otherwise) => {
    if (!/^[\da-f]{6}$/i.test(sent)) throw wrong(name, 'must be six hexadecimal digits');
    return `#${sent}`;
  });

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
      handle: (ctx, { postgres, access, limiter, now }) => {
        const { project, key } = readCaller(ctx);
        return withRateLimit(limiter, key, () =>
          previewLink(postgres, access.snapshot, project, ctx.params.display_id, now()),
        );
      },
    }),
    operation({
      method: 'get',
      path: '/api/v1/links/{display_id}/qr',
      operationId: 'getLinkQrCode',
      summary: 'QR code of the link of a campaign',
      description:
        'The same code as on the tracking domain, as SVG or PNG, in colours. Scanners want a dark code on a light ' +
        'ground, in a contrast of 4 or more.',
      auth,
      parameters: [
        displayId,
        colourParameter('dark', 'Colour of the code: six hexadecimal digits, black unless sent.', '1a1b4b', '000000'),
        colourParameter('light', 'Colour of the ground, white unless sent.', 'ffffff', 'ffffff'),
        queryParameter('size', 'Width and height of a PNG, in pixels.', size, 1200),
        queryParameter('format', 'What it is drawn as.', withDefault(choice(['svg', 'png']), 'svg'), 'png'),
      ],
      responses: {
        200: { description: 'The code.', type: 'image/svg+xml', schema: text, files: ['image/png'] },
        400: errorReply(400, 'A parameter is wrong.', 'dark: must be six hexadecimal digits'),
        ...refusals,
      },
      handle: async (ctx, { postgres, access, limiter }, { readParameters }) => {
        const { project, key } = readCaller(ctx);
        const { format, size: width, ...color } = readParameters();
        const link = await withRateLimit(limiter, key, () =>
          linkOfCode(postgres, access.snapshot, project, ctx.params.display_id),
        );
        const code =
          format === 'png'
            ? await QRCode.toBuffer(link, { type: 'png', width, color })
            : await QRCode.toString(link, { type: 'svg', color });
        ctx.type = format === 'png' ? 'image/png' : 'image/svg+xml';
        return code;
      },
    }),
  ],
};

export const linkPreviewRoutes = (parts: PreviewParts): Router => createRoutes(linkPreviewApi, parts);
