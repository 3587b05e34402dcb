/** Previews of links for the OpenAPI document (docs/contract/tracking-links.md). */
import { errorReply, rateLimited, type ApiSection, type Parameter } from '../openapi/operation';
import { closed, list, named, nullable, choice, Type } from '../lib/schema';
import { ORIGINS } from './target';

const text = Type.String();
const displayId: Parameter = {
  name: 'display_id',
  in: 'path',
  description: "The campaign's display ID.",
  schema: text,
  example: 'AbC123',
};
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
const common = {
  401: errorReply(401, 'The key is missing or invalid.', 'Unauthorized access.'),
  404: errorReply(404, 'The project has no such campaign.', 'Campaign not found.'),
  429: rateLimited,
};

export const linkPreviewApi: ApiSection = {
  tag: 'Links',
  description: 'What the links of campaigns do, for those who make them.',
  operations: [
    {
      method: 'get',
      path: '/api/v1/links/{display_id}/preview',
      operationId: 'previewLink',
      summary: 'Preview the link of a campaign',
      description: 'Where it leads on iOS, Android and desktop, and why. No click is recorded.',
      security: ['serviceKey'],
      parameters: [displayId],
      responses: { 200: { description: 'What the link does.', schema: preview }, ...common },
    },
    {
      method: 'get',
      path: '/api/v1/links/{display_id}/qr',
      operationId: 'getLinkQrCode',
      summary: 'QR code of the link of a campaign',
      description: 'The same as on the tracking domain.',
      security: ['serviceKey'],
      parameters: [displayId],
      responses: { 200: { description: 'The code.', type: 'image/svg+xml', schema: text }, ...common },
    },
  ],
};
