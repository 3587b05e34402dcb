/** What the pages of postbacks and webhooks ask (docs/contract/postbacks.md). */
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api, unwrapData } from './client';
import type { components } from '@adtrail/client';

type Schemas = components['schemas'];
export type Webhook = Schemas['StoredWebhook'];
export type WebhookSettings = Schemas['Webhook'];
export type Postback = Schemas['StoredPostback'];
export type PostbackRequest = Schemas['PostbackRequest'];
/** A request as it goes over the wire. */
export type RenderedRequest = Schemas['TestedDestination']['request'];
export type Override = Schemas['StoredPostbackOverride'];
export type OverrideSettings = Schemas['PostbackOverride'];

/** The keys of a project's own begin as those of its settings do. */
export const webhooksQuery = (id: number) =>
  queryOptions({
    queryKey: ['project', id, 'webhooks'],
    queryFn: async ({ signal }) =>
      (await unwrapData(api.GET('/admin/v1/projects/{id}/webhooks', { params: { path: { id } }, signal }))).webhooks,
  });

export const overridesQuery = (id: number) =>
  queryOptions({
    queryKey: ['project', id, 'postback_overrides'],
    queryFn: async ({ signal }) => {
      const answer = api.GET('/admin/v1/projects/{id}/postback_overrides', { params: { path: { id } }, signal });
      return (await unwrapData(answer)).postback_overrides;
    },
  });

export const postbacksQuery = (id: number) =>
  queryOptions({
    queryKey: ['partner-postbacks', id],
    queryFn: async ({ signal }) =>
      (await unwrapData(api.GET('/admin/v1/partners/{id}/postbacks', { params: { path: { id } }, signal }))).postbacks,
  });

/** Whose template it is: an override of a project, or of a partner. */
export interface TemplatePlace {
  readonly area: 'project' | 'partner';
  readonly id: number;
}

export const secretsQuery = ({ area, id }: TemplatePlace) =>
  queryOptions({
    queryKey: ['postback secrets', area, id],
    queryFn: async ({ signal }) => {
      const params = { path: { id } };
      const answer =
        area === 'partner'
          ? api.GET('/admin/v1/partners/{id}/postback_secrets', { params, signal })
          : api.GET('/admin/v1/projects/{id}/postback_secrets', { params, signal });
      return (await unwrapData(answer)).postback_secrets;
    },
  });

export function putSecret({ area, id }: TemplatePlace, name: string, value: string) {
  const [params, body] = [{ path: { id, name } }, { value }];
  return area === 'partner'
    ? unwrapData(api.PUT('/admin/v1/partners/{id}/postback_secrets/{name}', { params, body }))
    : unwrapData(api.PUT('/admin/v1/projects/{id}/postback_secrets/{name}', { params, body }));
}

export function deleteSecret({ area, id }: TemplatePlace, name: string) {
  const params = { path: { id, name } };
  return area === 'partner'
    ? api.DELETE('/admin/v1/partners/{id}/postback_secrets/{name}', { params })
    : api.DELETE('/admin/v1/projects/{id}/postback_secrets/{name}', { params });
}

/**
 * The request that a template makes of sample values, or of what is sent about an install of the project. Without a
 * URL there is none to ask for.
 */
export const previewQuery = ({ area, id }: TemplatePlace, body: PostbackRequest, install: string) =>
  queryOptions({
    queryKey: ['postback preview', area, id, body, install],
    queryFn: async ({ signal }): Promise<RenderedRequest> => {
      const params = { path: { id } };
      if (area === 'partner')
        return unwrapData(api.POST('/admin/v1/partners/{id}/postbacks/preview', { params, body, signal }));
      if (install === '')
        return unwrapData(api.POST('/admin/v1/projects/{id}/postback_overrides/preview', { params, body, signal }));
      const test = { template: body, install_id: install, dry_run: true };
      return (await unwrapData(api.POST('/admin/v1/projects/{id}/postbacks/test', { params, body: test, signal })))
        .request;
    },
    enabled: body.url !== '',
    staleTime: Infinity,
    // The request of before stays until the new one is there: nothing jumps.
    placeholderData: keepPreviousData,
  });
