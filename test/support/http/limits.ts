/** Requests for limits: a workspace with campaigns that nobody has used, bursts of clicks, and their answers. */
import type { OwnNames } from '../workspace/own-names';
import type { Service } from '../service';

const CAMPAIGNS = 60;

/** A project with sixty campaigns `limited-0` and so on, of a partner whose clicks count; `keys` beside its four. */
export const limitedWorkspace = (own: OwnNames, keys: readonly string[] = []) =>
  own.document({
    accounts: [{ name: 'Limited' }],
    partners: [{ name: 'Limited Ads', tokens: ['token'] }],
    projects: [
      {
        name: 'Limited',
        account: 'Limited',
        timezone: 'UTC',
        website: 'https://limited.example/',
        server_keys: ['key-1', 'key-2', 'key-3', 'key-4', ...keys],
        app_keys: ['app', 'app-2', 'app-3', 'app-4'],
        web_keys: ['web', 'web-2', 'web-3'],
        web_campaigns: true,
        apps: [{ platform: 'ANDROID', app_id: 'com.limited' }],
        domains: [{ name: 'go.limited.example' }],
        partner_switches: [
          {
            partner: 'Limited Ads',
            s2s_clicks: true,
            s2s_traffic: true,
            view_through: true,
            ctv_apps: ['com.limited'],
          },
        ],
        campaigns: Array.from({ length: CAMPAIGNS }, (_, i) => ({
          display_id: `limited-${i}`,
          name: `Campaign ${i}`,
          partner: 'Limited Ads',
        })),
      },
    ],
  });

export interface ClickAnswer {
  readonly status: number;
  /** `accepted`, the reason of the rejection, or the error of a request that got no answer. */
  readonly outcome: string;
  readonly retryAfter: string | null;
}

let sent = 0;

/** One click; `tid` is a text of its own that begins with `prefix`. */
export async function click(
  service: Service,
  own: OwnNames,
  campaign: string,
  query = 'ip=203.0.113.7',
  prefix = 'limits',
): Promise<ClickAnswer> {
  try {
    const at = `/v1/click/com.limited?c=${campaign}&tid=${prefix}-${sent++}&${query}`;
    const response = await service.request(at, { headers: { 'X-Service-Token': own('token') } });
    const body = (await response.json()) as { status: string; reason?: string };
    return {
      status: response.status,
      outcome: body.reason ?? body.status,
      retryAfter: response.headers.get('retry-after'),
    };
  } catch (error) {
    return { status: 0, outcome: String((error as { cause?: unknown }).cause ?? error), retryAfter: null };
  }
}

export const times = <T>(n: number, make: (i: number) => T) => Array.from({ length: n }, (_, i) => make(i));

/**
 * Sends `count` clicks for a campaign that nobody has used, spread over the services, all within one window: a burst
 * that took longer than the window says nothing about the limit and is made again with another campaign. Every `tid`
 * begins with `id`.
 */
export async function burst(
  services: readonly Service[],
  count: number,
  seconds: number,
  campaigns: { readonly own: OwnNames; next: number },
): Promise<{ campaign: string; id: string; answers: ClickAnswer[] }> {
  for (let attempt = 0; attempt < 10; attempt++) {
    if (campaigns.next >= CAMPAIGNS) throw new Error('Out of campaigns that no test has used');
    const campaign = `limited-${campaigns.next++}`;
    const id = campaigns.own(`burst-of-${campaign}`);
    const started = performance.now();
    const answers = await Promise.all(
      times(count, (i) => click(services[i % services.length] as Service, campaigns.own, campaign, undefined, id)),
    );
    if (performance.now() - started < seconds * 900) return { campaign, id, answers };
  }
  throw new Error(`No burst of ${count} requests fitted into ${seconds} s`);
}

/** How often each outcome occurred. */
export function readCount(answers: readonly ClickAnswer[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { outcome } of answers) counts[outcome] = (counts[outcome] ?? 0) + 1;
  return counts;
}

/** How often each status occurred. */
export async function readStatuses(requests: readonly Promise<{ status: number }>[]): Promise<Record<number, number>> {
  const counts: Record<number, number> = {};
  for (const { status } of await Promise.all(requests)) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

/** Some were accepted and the others limited, who learn to wait for `seconds` at most. */
export function expectOnlyLimited(answers: readonly ClickAnswer[], seconds: number): void {
  expect(Object.keys(readCount(answers)).sort()).toEqual(['accepted', 'rate_limited']);
  for (const { status, outcome, retryAfter } of answers) {
    expect(status).toBe(outcome === 'accepted' ? 200 : 429);
    if (outcome === 'accepted') expect(retryAfter).toBeNull();
    else expect(retryAfter).toMatch(/^[1-9]\d*$/);
    expect(Number(retryAfter)).toBeLessThanOrEqual(seconds);
  }
}
