/** What the pages of partners ask, and what the shape of the time to install says. */
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import { api, unwrapData, projectApi } from '../../api/client';
import type { components } from '@adtrail/client';
import { texts } from '../../texts';
import { partners as partnersTexts } from '../../texts/partners';
import { curlCall } from '../../shell';

export type Quality = components['schemas']['PartnerQuality'];
export type Slot = Quality['click_to_install'][number];

interface Days {
  readonly from: string;
  readonly to: string;
}

/** The quality of all partners of a project, or of one. */
export const useQuality = (projectId: number, { from, to }: Days, partnerId?: number) =>
  useQuery({
    queryKey: ['partner-quality', projectId, from, to, partnerId],
    queryFn: ({ signal }) => {
      const query = { from, to, ...(partnerId !== undefined && { partner_id: partnerId }) };
      return unwrapData(projectApi(projectId).GET('/api/v1/partner-quality', { params: { query }, signal }));
    },
    placeholderData: keepPreviousData,
  });

/** The switches of all partners of a project that have any. */
export const switchesQuery = (projectId: number) =>
  queryOptions({
    queryKey: ['partner-switches', projectId],
    queryFn: ({ signal }) =>
      unwrapData(api.GET('/admin/v1/projects/{id}/partners', { params: { path: { id: projectId } }, signal })),
  });

/** All partners of the installation. */
export const allPartnersQuery = queryOptions({
  queryKey: ['partners'],
  queryFn: ({ signal }) => unwrapData(api.GET('/admin/v1/partners', { signal })),
});

export const appsQuery = (projectId: number) =>
  queryOptions({
    queryKey: ['apps', projectId],
    queryFn: ({ signal }) =>
      unwrapData(api.GET('/admin/v1/projects/{id}/apps', { params: { path: { id: projectId } }, signal })),
  });

/** What a partner has of which nothing was ever switched. */
export const NOTHING_ON = {
  s2s_clicks: false,
  s2s_traffic: false,
  view_through: false,
  ctv_apps: [] as string[],
  view_window_hours: 24,
};

/** The call as somebody with a key of the project makes it. */
export const buildCurl = ({ from, to }: Days, partnerId?: number): string =>
  curlCall(
    `${window.location.origin}/api/v1/partner-quality?from=${from}&to=${to}` +
      (partnerId === undefined ? '' : `&partner_id=${partnerId}`),
    { headers: [`service-key: ${texts.tools.keyPlaceholder}`] },
  );

export const countRefused = ({ refused }: Pick<Quality, 'refused'>): number =>
  Object.values(refused).reduce((sum, count) => sum + count, 0);

const [MINUTE, HOUR, DAY] = [60, 3600, 86_400];

/** `10–30 s`, `1–6 h`. */
export function slotName({ from, to }: Slot): string {
  const { slot } = partnersTexts.time;
  const by = (unit: number) => [from / unit, (to ?? 0) / unit].map(String) as [string, string];
  if (to === null) return slot.last(String(from / DAY));
  if (to <= MINUTE) return slot.seconds(...by(1));
  if (to <= HOUR) return slot.minutes(...by(MINUTE));
  return to <= DAY ? slot.hours(...by(HOUR)) : slot.days(...by(DAY));
}

export type Verdict = 'good' | 'early' | 'late' | 'few';

const FEW = 20;
/** Shares from which a shape is suspicious. */
const [EARLY, LATE] = [0.05, 0.4];

/** Whether the time to install looks like people, and the share that says so. */
export function judgeTraffic(slots: readonly Slot[]): { verdict: Verdict; share: number } {
  const sum = (which: (slot: Slot) => boolean) =>
    slots.filter(which).reduce((total, { installs }) => total + installs, 0);
  const all = sum(() => true);
  if (all < FEW) return { verdict: 'few', share: 0 };
  const early = sum(({ to }) => to !== null && to <= 10) / all;
  if (early >= EARLY) return { verdict: 'early', share: early };
  const late = sum(({ from }) => from >= DAY) / all;
  return late >= LATE ? { verdict: 'late', share: late } : { verdict: 'good', share: 0 };
}
