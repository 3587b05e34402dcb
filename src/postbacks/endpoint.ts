/** What the endpoints of postbacks share. */
import type { Owner } from '../configuration/postbacks/stored-secrets';
import type { AdministrationParts } from '../http/administration';
import { admin } from '../http/auth-schemes';
import { endpoints } from '../http/endpoint';
import { readPartnerId, readProjectId } from '../http/ids';
import type { Seals } from '../lib/seal';
import { partnerId, projectId } from '../openapi/administration';

export interface PostbacksParts extends Omit<AdministrationParts, 'now'> {
  readonly seals: Seals;
}

export const operation = endpoints<PostbacksParts>();

export const settings = admin.project('settings');
export const seePartner = admin.partner('partner');
export const changePartner = admin.partner('partner-postbacks');

/** Headers of templates are sealed for this. */
export const headerSeal = ({ seals }: PostbacksParts) => seals.of('postback headers');

type InPath = Parameters<typeof readPartnerId>[0];

/** Who has templates and secrets, and who may see and change them. */
export const OWNERS = [
  {
    what: 'Partner',
    path: '/admin/v1/partners/{id}',
    parameter: partnerId,
    maySee: seePartner,
    mayChange: changePartner,
    read: (ctx: InPath): Owner => ({ partnerId: readPartnerId(ctx) }),
  },
  {
    what: 'Project',
    path: '/admin/v1/projects/{id}',
    parameter: projectId,
    maySee: settings,
    mayChange: settings,
    read: (ctx: InPath): Owner => ({ projectId: readProjectId(ctx) }),
  },
] as const;
