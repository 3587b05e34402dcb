/** Files that a tracking domain has beside its links: their QR codes, and what tells of the apps that open them. */
import type Router from '@koa/router';
import type { Context } from 'koa';
import QRCode from 'qrcode';
import { shareableLink } from '../configuration/campaign-url';
import type { ConfigSnapshot } from '../configuration/config-snapshot';
import { ApiError, UnavailableError } from '../errors';
import { anybody } from '../http/auth-schemes';
import { createRoutes, endpoints, type Endpoint } from '../http/endpoint';
import { readHostName } from '../http/host';
import { closed, list, Type } from '../lib/schema';
import { errorReply, queryParameter, readAs, required } from '../openapi/operation';
import { appleAppSiteAssociation, assetLinks } from './presenter';

interface LinkFileParts {
  readonly snapshot: ConfigSnapshot;
}

const operation = endpoints<LinkFileParts>();

const text = Type.String();
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
const displayId = readAs(
  required(queryParameter('c', "The campaign's display ID.", text, 'AbC123')),
  (sent = '') => sent,
);
const noDomain = errorReply(404, 'The host is no tracking domain.', 'Not found.');

function readDomain(ctx: Context, { snapshot }: LinkFileParts) {
  if (snapshot.stale) throw new UnavailableError();
  return snapshot.domain(readHostName(ctx)) ?? ctx.throw(404);
}

/** `/qr?c=<display_id>` and the two documents under `/.well-known`. */
export const linkFileOperations: readonly Endpoint<LinkFileParts>[] = [
  operation({
    method: 'get',
    path: '/qr',
    operationId: 'getQrCode',
    summary: 'QR code of a tracking link',
    description: 'Of `https://<domain>/?c=<display_id>`.',
    auth: anybody,
    onTrackingDomain: true,
    parameters: [displayId],
    responses: {
      200: { description: 'The code.', type: 'image/svg+xml', schema: text },
      404: errorReply(
        404,
        'The project has no such active campaign, or the host is no tracking domain.',
        'Campaign not found.',
      ),
    },
    handle: async (ctx, parts, { readParameters }) => {
      const campaign = parts.snapshot.campaign(readDomain(ctx, parts).projectId, readParameters().c);
      if (!campaign?.live) throw new ApiError(404, 'Campaign not found.');
      const code = await QRCode.toString(shareableLink(readHostName(ctx), campaign.displayId), { type: 'svg' });
      ctx.type = 'image/svg+xml';
      return code;
    },
  }),
  operation({
    method: 'get',
    path: '/.well-known/apple-app-site-association',
    operationId: 'getAppleAppSiteAssociation',
    summary: "Apple's universal links",
    description: 'The iOS apps of the project that have a team and a bundle, for every path.',
    auth: anybody,
    onTrackingDomain: true,
    responses: {
      200: {
        description: 'The file.',
        schema: appleFile,
        example: { applinks: { details: [{ appIDs: ['TEAM123456.com.acme.shop'], components: [{ '/': '*' }] }] } },
      },
      404: noDomain,
    },
    handle: (ctx, parts) => appleAppSiteAssociation(parts.snapshot.listApps(readDomain(ctx, parts).projectId)),
  }),
  operation({
    method: 'get',
    path: '/.well-known/assetlinks.json',
    operationId: 'getAssetLinks',
    summary: "Android's digital asset links",
    description: 'The Android apps of the project that have certificate fingerprints.',
    auth: anybody,
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
      404: noDomain,
    },
    handle: (ctx, parts) => assetLinks(parts.snapshot.listApps(readDomain(ctx, parts).projectId)),
  }),
];

export const linkFileRoutes = (parts: LinkFileParts): Router => createRoutes({ operations: linkFileOperations }, parts);
