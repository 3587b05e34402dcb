/** Records of one project that every example of the SQL page finds something in, and what was sent of them. */
import type { Json } from '../collect/collect-client';
import { postEvents, putSpend } from '../reports/app-report';
import { post } from '../collect/collect-client';
import type { Service } from '../service';

const HOUR = 3_600_000;
const AMERICAN = '8.8.8.8';
const GERMAN = '217.80.10.1';
/** Installs of the past; between two of them there are so many hours, so that days of each zone begin among them. */
const INSTALLS = 60;
const STEP_HOURS = 13;
/** So many clicks come from one address: a sign of machines. */
export const REPEATED_CLICKS = 11;

export interface Sender {
  readonly service: Service;
  readonly key: string;
  readonly token: string;
  readonly appId: string;
  /** One is owned by an ad network, the other a partner's. */
  readonly campaigns: { readonly network: string; readonly networkId: string; readonly partner: string };
  /** Makes IDs that nothing else has. */
  readonly id: (text: string) => string;
  readonly gaid: (n: number) => string;
  readonly now: number;
  /** A day of the project. */
  readonly day: string;
}

/** How many installs and reinstalls a project has. */
export const DECISIONS = INSTALLS + 3;

function eventsOfInstall({ id, appId, now, gaid, campaigns }: Sender, n: number): Json[] {
  const at = now - n * STEP_HOURS * HOUR;
  const time = (hours: number) => new Date(at + hours * HOUR).toISOString();
  const base = { app_id: appId, install_id: id(`i${n}`) };
  const attribution = {
    ...{ network: 'META', network_campaign_id: campaigns.networkId, touch_type: 'click', touched_at: time(-(n % 5)) },
  };
  const paid = { payment_type: 'purchase', amount: 1.25, currency: 'EUR' };
  return [
    {
      ...base,
      ...{ type: 'install', event_id: id(`install${n}`), time: time(0), ip: n % 4 === 0 ? GERMAN : AMERICAN },
      ...(n === INSTALLS && { gaid: gaid(1) }),
      ...(n % 3 !== 0 && { attribution }),
    },
    { ...base, ...paid, type: 'payment', event_id: id(`payment${n}`), time: time(1) },
    ...(n % 2 === 0 ? [{ ...base, type: 'signup', event_id: id(`signup${n}`), time: time(0) }] : []),
    // On the day after, and of some a week later; that an app is removed is no activity.
    { ...base, type: 'event', name: 'level', event_id: id(`level${n}`), time: time(n % 3 === 0 ? 24 : 7 * 24) },
    { ...base, type: 'uninstall', event_id: id(`uninstall${n}`), time: time(n % 2 === 0 ? 24 : 30 * 24) },
  ].filter((event) => Date.parse(event.time) < now);
}

async function request({ service, token, campaigns, appId, id }: Sender, kind: string, tid: string, more: Json) {
  const query = new URLSearchParams({ app_id: appId, c: campaigns.partner, tid: id(tid), ...(more as object) });
  const response = await service.request(`/v1/${kind}?${query.toString()}`, { headers: { 'X-Service-Token': token } });
  return response.status;
}

/** Clicks of one address, one of a device and some that are refused; an install that follows, and one again. */
async function sendTouches(sender: Sender): Promise<Json[]> {
  const { service, key, id, appId, gaid, now } = sender;
  const ua = 'Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 Mobile';
  for (let n = 0; n < REPEATED_CLICKS; n++)
    expect(await request(sender, 'click', `click${n}`, { ip: AMERICAN, ua, gaid: gaid(100 + n) })).toBe(200);
  expect(await request(sender, 'click', 'german', { ip: GERMAN, ua, gaid: gaid(2) })).toBe(200);
  expect(await request(sender, 'impression', 'refused1', { gaid: gaid(3) })).toBe(403);
  expect(await request(sender, 'impression', 'refused2', { gaid: gaid(3) })).toBe(403);
  const install = (name: string, more: Json) => ({
    ...{ type: 'install', app_id: appId, install_id: id(name), event_id: id(`${name}-install`) },
    ...{ time: new Date(now).toISOString(), ...more },
  });
  const events = [
    install('credited', { gaid: gaid(2), time: new Date().toISOString() }),
    install('unknown', {}),
    install('again', { gaid: gaid(1) }),
  ];
  await postEvents(service, key, events);
  return events;
}

async function sendVisits({ service, key, id, now }: Sender): Promise<void> {
  const events = Array.from({ length: 30 }, (_, n) => ({
    ...{
      event_id: id(`view${n}`),
      type: 'page_view',
      visitor_id: id(`visitor${n % 7}`),
      session_id: id(`session${n}`),
    },
    ...{
      time: new Date(now - n * 11 * HOUR).toISOString(),
      url: `https://shop.example/${n % 3 === 0 ? 'cart' : 'home'}`,
    },
  }));
  const answer = await post(service, JSON.stringify({ events }), { 'service-key': key }, '/collect/v1/web');
  expect(answer).toMatchObject({ status: 202, accepted: events.length });
}

/** Sends all of it; resolves with the events of the app. */
export async function sendRecords(sender: Sender): Promise<Json[]> {
  const { service, key, campaigns, day } = sender;
  const events = Array.from({ length: INSTALLS }, (_, n) => eventsOfInstall(sender, n + 1)).flat();
  await postEvents(service, key, events);
  await putSpend(service, key, [{ campaign_id: campaigns.network, date: day, spend: '12.5', currency: 'EUR' }]);
  await sendVisits(sender);
  return [...events, ...(await sendTouches(sender))];
}
