/** Speaks to app reporting, and brings histories into a running service over HTTP. */
import { eventually, type RunningService } from './service';
import { collectApp, type Json } from './collect-client';

export interface ReportAnswer {
  readonly status: number;
  readonly body: Json;
  readonly headers: Headers;
  readonly campaigns: Json[];
  readonly data: Json;
}

export async function report(service: Pick<RunningService, 'request'>, key: string, query: Record<string, string> | string = {}): Promise<ReportAnswer> {
  const response = await service.request(`/api/v1/reporting/campaigns?${typeof query === 'string' ? query : new URLSearchParams(query).toString()}`, { headers: { 'service-key': key } });
  const body = (await response.json()) as Json;
  const data = (body.data ?? {}) as Json;
  return { status: response.status, body, headers: response.headers, data, campaigns: (data.campaigns ?? []) as Json[] };
}

/** Posts events in batches, and insists that all are taken. */
export async function postEvents(service: RunningService, key: string, events: readonly Json[]): Promise<void> {
  for (let i = 0; i < events.length; i += 1000) {
    const answer = await collectApp(service, events.slice(i, i + 1000), { 'service-key': key });
    expect({ status: answer.status, rejected: answer.rejected }).toEqual({ status: 202, rejected: [] });
  }
}

export async function putSpend(service: Pick<RunningService, 'request'>, key: string, rows: readonly Json[]): Promise<Json> {
  const response = await service.request('/collect/v1/spend', { method: 'PUT', headers: { 'service-key': key, 'Content-Type': 'application/json' }, body: JSON.stringify({ rows }) });
  expect(response.status).toBe(200);
  return (await response.json()) as Json;
}

/** Waits until so many installs of a project are decided. */
export async function decided(service: RunningService, projectId: number, installs: number): Promise<void> {
  await eventually(`${installs} installs of project ${projectId} are decided`, async () => {
    await decideByHand(service);
    const [row] = await service.rows<{ n: number }>(`SELECT toUInt32(count()) AS n FROM analytics.installs WHERE project_id = ${projectId}`);
    return row && row.n >= installs ? true : undefined;
  });
}

async function decideByHand(service: RunningService): Promise<void> {
  await service.clickhouse.command({ query: `
    INSERT INTO adtrail.installs (project_id, install_id, event_id, install_time, received_at, decided_at, app_id, platform, reinstall, gaid, rule, campaign_id, touch_type, ad_set_id, ad_set_name, ad_id, ad_name, ad_type, keyword_id, keyword_name, v)
    WITH (SELECT groupArray((project_id, app_id, assumeNotNull(gaid), install_id, time)) FROM adtrail.app_events WHERE gaid IS NOT NULL) AS seen
    SELECT project_id, install_id, event_id, time, received_at, now64(3), app_id, platform,
      arrayExists(x -> x.1 = project_id AND x.2 = app_id AND x.3 = assumeNotNull(gaid) AND x.4 != install_id AND x.5 < time AND x.5 > time - INTERVAL 90 DAY, seen), gaid, 'attribution',
      if(JSONExtractUInt(attribution, 'campaign_id') > 0, JSONExtractUInt(attribution, 'campaign_id'), (SELECT any(campaign_id) FROM adtrail.campaigns FINAL WHERE network_campaign_id = '0')),
      JSONExtractString(attribution, 'touch_type'), JSONExtractString(attribution, 'ad_set_id'), JSONExtractString(attribution, 'ad_set_name'), JSONExtractString(attribution, 'ad_id'),
      JSONExtractString(attribution, 'ad_name'), JSONExtractString(attribution, 'ad_type'), JSONExtractString(attribution, 'keyword_id'), JSONExtractString(attribution, 'keyword_name'), 1
    FROM adtrail.app_events FINAL
    WHERE type = 'install' AND (project_id, install_id) NOT IN (SELECT project_id, install_id FROM adtrail.installs)` });
}
