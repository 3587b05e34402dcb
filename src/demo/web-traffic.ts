/** Visitors of the demo's website: where they land, what they look at, and who signs up and buys (pure). */
import { iso, type Sent } from './app-traffic';
import { DAY_MS, MINUTE_MS } from '../lib/time';
import type { Calendar } from './calendar';
import { ORIGINS, whereabouts, type Origin } from './market';
import type { Random } from './random';

const SITE = 'https://shop.example';
const PAGES = ['/shoes', '/bags', '/sale', '/basket', '/about'] as const;
/** Share of visits after which there is another one. */
const RETURN = 0.4;
const SIGNUP = 0.05;
const PURCHASE = 0.04;

/** Everything that a visitor does until the end of the demo, in the order of time. */
export function visitorEvents(random: Random, calendar: Calendar, number: number): Sent[] {
  const visitor = `demo-visitor-${number}`;
  const from = whereabouts(number);
  const events: Sent[] = [];
  let time = calendar.moment(random);
  for (let visit = 0; time <= calendar.until; visit++) {
    const origin = random.pick(ORIGINS);
    for (const fields of visitEvents(random, origin, time))
      events.push({
        event_id: `${visitor}-${events.length}`,
        visitor_id: visitor,
        session_id: `${visitor}-${visit}`,
        ...from,
        ...(fields.name ? { user_id: `user-of-${visitor}` } : {}),
        ...fields,
      });
    if (!random.chance(RETURN)) break;
    time += random.between(0.2, 8) * DAY_MS;
  }
  return events.filter((event) => (event.time as string) <= iso(calendar.until));
}

function visitEvents(random: Random, origin: Origin, start: number): Sent[] {
  let time = start;
  const views: Sent[] = [
    {
      type: 'page_view',
      time: iso(time),
      url: `${SITE}/${origin.query}`,
      ...(origin.referrer ? { referrer: origin.referrer } : {}),
    },
  ];
  const at = () => iso((time += random.between(0.2, 4) * MINUTE_MS));
  const page = () => `${SITE}${PAGES[random.below(PAGES.length)]}`;
  while (views.length < 12 && random.chance(0.68)) views.push({ type: 'page_view', time: at(), url: page() });
  const signup = random.chance(SIGNUP * origin.quality)
    ? [{ type: 'event', name: 'signup', time: at(), url: `${SITE}/account` }]
    : [];
  const isBought = random.chance(PURCHASE * origin.quality);
  const purchase = isBought
    ? [
        {
          type: 'event',
          name: 'purchase',
          time: at(),
          url: `${SITE}/basket`,
          revenue: Math.round(100 * random.between(15, 120)) / 100,
        },
      ]
    : [];
  return [...views, ...signup, ...purchase];
}
