/** Speaks to the web collector and web reporting of a running service. */
import { answered, type Service } from '../service';

export const BROWSER =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/128.0.0.0 Safari/537.36';
export const BOT = 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)';

export type Json = Record<string, unknown>;
export interface WebRow extends Json {
  readonly id: string | null;
  readonly visitors: number;
}
export interface ReportData {
  readonly campaigns: readonly WebRow[];
  readonly totals: Json;
  readonly pagination: {
    readonly total: number;
    readonly pages: number;
    readonly page: number;
    readonly limit: number;
    readonly truncated: boolean;
  };
  readonly [field: string]: unknown;
}

/** A batch to the collector, as the browser or, with `service-key`, as the project's server sends it. */
export async function collect(
  service: Pick<Service, 'request'>,
  headers: Record<string, string>,
  events: readonly unknown[],
): Promise<{ status: number; body: Json }> {
  const response = await service.request('/collect/v1/web', {
    method: 'POST',
    headers: { 'user-agent': BROWSER, ...headers },
    body: JSON.stringify({ events }),
  });
  return { status: response.status, body: (await response.json()) as Json };
}

/** A request for the report, whatever comes of it. */
export async function report(
  service: Service,
  key: string,
  query: string | Record<string, string> = '',
): Promise<{ status: number; body: Json & { data?: ReportData }; headers: Headers }> {
  const text = typeof query === 'string' ? query : new URLSearchParams(query).toString();
  const response = await service.request(`/api/v1/reporting/web-campaigns?${text}`, {
    headers: key === '' ? {} : { 'service-key': key },
  });
  return {
    status: response.status,
    body: (await response.json()) as Json & { data?: ReportData },
    headers: response.headers,
  };
}

/**
 * The answer to a report; one that a busy machine refuses with 503 is asked for again, as clients do. What the service
 * said of it is in the error.
 */
export async function reportGiven(service: Service, key: string, query: string | Record<string, string> = '') {
  return answered(() => report(service, key, query)).catch((error: Error) => {
    throw new Error(`${error.message}\n${service.output().slice(-5_000)}`);
  });
}

/** The data of a report that must succeed. */
export async function reportData(
  service: Service,
  key: string,
  query: string | Record<string, string> = '',
): Promise<ReportData> {
  const { status, body } = await reportGiven(service, key, query);
  if (status !== 200 || !body.data) throw new Error(`The report answered ${status}: ${JSON.stringify(body)}`);
  return body.data;
}

/** A document with one project, turned on for web campaigns; names and keys end in `suffix`. */
export const webWorkspace = (suffix: string, project: Json = {}) => ({
  accounts: [{ name: `Account ${suffix}` }],
  partners: [],
  projects: [
    {
      name: `Project ${suffix}`,
      account: `Account ${suffix}`,
      timezone: 'America/New_York',
      created_at: '2025-01-01T00:00:00Z',
      web_campaigns: true,
      website: 'https://acme.example',
      server_keys: [`server-key-of-${suffix}`],
      web_keys: [`web-key-of-${suffix}`],
      app_keys: [`app-key-of-${suffix}`],
      ...project,
    },
  ],
});
