/**
 * Tracking domains for the OpenAPI document: links, their QR codes, and the files for apps
 * (docs/contract/tracking-links.md).
 */
import { Type, closed, list } from '../lib/schema';
import { UUID } from '../ingest/device-id';
import { errorReply, type ApiSection, type Operation, type Parameter, type Response } from '../openapi/operation';
import { MAX_CHARACTERS, nameForTarget, PARAMETERS } from './input';

const text = Type.String();
const uuid = { ...text, pattern: UUID.source.replaceAll('a-f', 'A-Fa-f') };
const query = (name: string, description: string, schema: Parameter['schema'] = text): Parameter => ({
  name,
  in: 'query',
  description,
  schema,
});

const c: Parameter = { ...query('c', "The campaign's display ID."), example: 'AbC123' };
const displayId: Parameter = {
  name: 'display_id',
  in: 'path',
  description: "The campaign's display ID.",
  schema: text,
  example: 'AbC123',
};

/** What a link may carry; nothing in it is ever refused. */
const CARRIED: readonly Parameter[] = [
  query('tid', "The caller's unique ID of the click: sent again, it gives the same click, which is stored once."),
  query('click_id', 'Another name of `tid`, which wins over it.'),
  query('s2', 'Passthrough value.'),
  query('s3', 'Passthrough value.'),
  query('s4', 'Passthrough value.'),
  query('gaid', 'Google advertising ID; anything else is ignored.', uuid),
  query('idfa', 'Apple advertising identifier; anything else is ignored.', uuid),
  ...Object.values(PARAMETERS).map((spelling) =>
    query(
      spelling,
      nameForTarget(spelling.toLowerCase())
        ? 'Stored with the click, and passed on to web pages.'
        : 'Stored with the click.',
    ),
  ),
];

const REDIRECT: Response = {
  description: 'On to where the campaign leads on this platform; without a campaign, to the website of the project.',
  headers: {
    Location: 'The target: its scheme, host and path come from configuration only.',
    'Cache-Control': 'Always `no-store`.',
  },
};
const NO_DOMAIN = errorReply(404, 'The host is no tracking domain.', 'Not found.');

const describeLink = (
  operation: Pick<Operation, 'path' | 'operationId' | 'summary' | 'description' | 'parameters'>,
): Operation => ({
  ...operation,
  method: 'get',
  security: [],
  responses: {
    302: REDIRECT,
    404: errorReply(404, 'There is nowhere to go, or the host is no tracking domain.', 'Not found.'),
  },
  onTrackingDomain: true,
});

const LEADS =
  'Records a click, except for HEAD requests, bots and prefetches, and leads to the target of the platform that the ' +
  'user agent names. Names of parameters other than `c` are read in any case. ' +
  `Of each value the first ${MAX_CHARACTERS} characters are stored; one with a macro that was never replaced is not. ` +
  'A browser that loads a page ahead as a navigation (`Sec-Purpose` with `Sec-Fetch-Mode: navigate`) is answered ' +
  '503, and opens the link when it is clicked.';
const appleFile = closed({
  applinks: closed({ details: list(closed({ appIDs: list(text), components: list(closed({ '/': text })) })) }),
});
const androidFile = list(
  closed({
    relation: list(text),
    target: closed({
      namespace: { ...text, const: 'android_app' },
      package_name: text,
      sha256_cert_fingerprints: list(text),
    }),
  }),
);

export const linksApi: ApiSection = {
  tag: 'Tracking links',
  description: 'What the tracking domains of projects answer, to anybody.',
  operations: [
    describeLink({
      path: '/',
      operationId: 'openLink',
      summary: 'Open a tracking link',
      description: `${LEADS} Every other path of the domain does the same with \`c\`.`,
      parameters: [c, ...CARRIED],
    }),
    describeLink({
      path: '/{display_id}',
      operationId: 'openShortLink',
      summary: 'Open a tracking link by its path',
      description: `${LEADS} \`c\` in the query wins over the path.`,
      parameters: [displayId, ...CARRIED],
    }),
    {
      method: 'get',
      path: '/qr',
      operationId: 'getQrCode',
      summary: 'QR code of a tracking link',
      description: 'Of `https://<domain>/?c=<display_id>`.',
      security: [],
      onTrackingDomain: true,
      parameters: [{ ...c, required: true }],
      responses: {
        200: { description: 'The code.', type: 'image/svg+xml', schema: text },
        404: errorReply(
          404,
          'The project has no such active campaign, or the host is no tracking domain.',
          'Campaign not found.',
        ),
      },
    },
    {
      method: 'get',
      path: '/.well-known/apple-app-site-association',
      operationId: 'getAppleAppSiteAssociation',
      summary: "Apple's universal links",
      description: 'The iOS apps of the project that have a team and a bundle, for every path.',
      security: [],
      onTrackingDomain: true,
      responses: {
        200: {
          description: 'The file.',
          schema: appleFile,
          example: { applinks: { details: [{ appIDs: ['TEAM123456.com.acme.shop'], components: [{ '/': '*' }] }] } },
        },
        404: NO_DOMAIN,
      },
    },
    {
      method: 'get',
      path: '/.well-known/assetlinks.json',
      operationId: 'getAssetLinks',
      summary: "Android's digital asset links",
      description: 'The Android apps of the project that have certificate fingerprints.',
      security: [],
      onTrackingDomain: true,
      responses: {
        200: {
          description: 'The file.',
          schema: androidFile,
          example: [
            {
              relation: ['delegate_permission/common.handle_all_urls'],
              target: {
                namespace: 'android_app',
                package_name: 'com.acme.shop',
                sha256_cert_fingerprints: [Array(32).fill('AB').join(':')],
              },
            },
          ],
        },
        404: NO_DOMAIN,
      },
    },
  ],
};
