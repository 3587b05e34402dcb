/** Requests of partners as they are pasted into an ad server: with macros, which it replaces. */

export const S2S_KINDS = ['click', 'impression', 'ctv'] as const;
export type S2sKind = (typeof S2S_KINDS)[number];

const COMMON = 'tid={touch_id}';
const DEVICE = 'gaid={gaid}&idfa={idfa}&ip={ip}&ua={user_agent}';
const REQUESTS: Readonly<Record<S2sKind, readonly [path: string, query: string]>> = {
  click: ['/v1/click', `${COMMON}&${DEVICE}&click_time={timestamp}`],
  impression: ['/v1/impression', `${COMMON}&${DEVICE}&impression_time={timestamp}`],
  ctv: ['/v1/ctv/impression', `${COMMON}&ip={ip}&ua={user_agent}&impression_time={timestamp}&site_id={publisher}`],
};

/** The URL of a request for a campaign; `app` is an app ID, or a macro for it. */
export function buildS2sUrl(kind: S2sKind, campaign: string, app: string): string {
  const [path, query] = REQUESTS[kind];
  return `${window.location.origin}${path}?app_id=${app}&c=${campaign}&${query}`;
}
