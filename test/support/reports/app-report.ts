/** Speaks to app reporting, and sends histories to a running service over HTTP. */
import { eventually, type Service } from '../service';
import { collectApp, type Json } from '../collect/collect-client';

export interface ReportAnswer {
  readonly status: number;
  readonly body: Json;
  readonly headers: Headers;
  readonly campaigns: Json[];
  readonly data: Json;
}

export async function report(
  service: Pick<Service, 'request'>,
  key: string,
  query: Record<string, string> | string = {},
): Promise<ReportAnswer> {
  const response = await service.request(
    `/api/v1/reporting/campaigns?${typeof query === 'string' ? query : new URLSearchParams(query).toString()}`,
    { headers: { 'service-key': key } },
  );
  const body = (await response.json()) as Json;
  const data = (body.data ?? {}) as Json;
  return {
    status: response.status,
    body,
    headers: response.headers,
    data,
    campaigns: (data.campaigns ?? []) as Json[],
  };
}

/** Posts events in batches, and insists that all are taken. */
export async function postEvents(service: Service, key: string, events: readonly Json[]): Promise<void> {
  for (let i = 0; i < events.length; i += 1000) {
    const answer = await collectApp(service, events.slice(i, i + 1000), { 'service-key': key });
    expect({ status: answer.status, rejected: answer.rejected }).toEqual({ status: 202, rejected: [] });
  }
}

export async function putSpend(service: Pick<Service, 'request'>, key: string, rows: readonly Json[]): Promise<Json> {
  const response = await service.request('/collect/v1/spend', {
    method: 'PUT',
    headers: { 'service-key': key, 'Content-Type': 'application/json' },
    body: JSON.stringify({ rows }),
  });
  expect(response.status).toBe(200);
  return (await response.json()) as Json;
}

/** Waits until so many installs of a project are decided. */
export async function decided(service: Service, projectId: number, installs: number): Promise<void> {
  await eventually(`${installs} installs of project ${projectId} are decided`, async () => {
    const [row] = await service.rows<{ n: number }>(
      `SELECT toUInt32(count()) AS n FROM analytics.installs WHERE project_id = ${projectId}`,
    );
    return row && row.n >= installs ? true : undefined;
  });
}
