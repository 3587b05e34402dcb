/** URLs to paste for ad networks and trackers, by the service's own list of macros. */
import { TEMPLATES } from '../../api/generated-templates';
import { buildS2sUrl, S2S_KINDS, type S2sKind } from '../../s2s-requests';

export interface Template {
  readonly id: string;
  readonly name: string;
  readonly sort: 'network' | 'tracker';
  readonly click?: Macros;
  readonly impression?: Macros;
  readonly link?: Macros;
  readonly postback?: string;
  readonly note?: string;
  readonly source: string;
}
type Macros = Readonly<Record<string, string>>;

export const templates: readonly Template[] = TEMPLATES;

/** What a URL is for. */
export type UrlKind = S2sKind | 'link' | 'postback';
export interface PastedUrl {
  readonly kind: UrlKind;
  readonly url: string;
}

/** The campaign that URLs are for; without an app a macro stands for it. */
export interface Target {
  readonly code: string;
  readonly app: string | undefined;
  readonly trackingLink: string | null;
}

const PATHS = { click: '/v1/click', impression: '/v1/impression' } as const;
const ANY_APP = '{app_id}';
export const TOKEN = 'YOUR_TOKEN';

/** An App Store ID has digits alone, with `id` before them or without. */
const isIos = (app: string) => /^(?:id)?\d+$/.test(app);

/** Macros are written as they are: the network replaces them before it calls the URL. */
const writePairs = (macros: Macros) => Object.entries(macros).map(([name, macro]) => `${name}=${macro}`);

/** A device has one of the two advertising IDs: the other parameter would get it as well. */
function fitToApp(macros: Macros, app: string | undefined): Macros {
  if (app === undefined) return macros;
  const foreign = isIos(app) ? 'gaid' : 'idfa';
  return Object.fromEntries(Object.entries(macros).filter(([name]) => name !== foreign));
}

/** The URLs of a template for a campaign; of none, with words in braces for any ad server. */
export function buildUrls(template: Template | undefined, { code, app, trackingLink }: Target): PastedUrl[] {
  if (!template) return S2S_KINDS.map((kind) => ({ kind, url: buildS2sUrl(kind, code, app ?? ANY_APP) }));
  const urls: PastedUrl[] = [];
  for (const kind of ['click', 'impression'] as const) {
    const macros = template[kind];
    if (!macros) continue;
    const pairs = [`app_id=${app ?? ANY_APP}`, `c=${code}`, ...writePairs(fitToApp(macros, app)), `svc_token=${TOKEN}`];
    urls.push({ kind, url: `${window.location.origin}${PATHS[kind]}?${pairs.join('&')}` });
  }
  if (template.link && trackingLink !== null)
    urls.push({ kind: 'link', url: [trackingLink, ...writePairs(template.link)].join('&') });
  if (template.postback !== undefined) urls.push({ kind: 'postback', url: template.postback });
  return urls;
}
