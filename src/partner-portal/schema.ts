/** What a partner is answered about itself (docs/contract/partners.md). */
import { choice, closed, instant, list, mapTo, named, nullable, Type } from '../lib/schema';
import { GRANULARITIES } from './input';

const count = Type.Integer({ minimum: 0 });
const id = Type.Integer({ minimum: 1 });
const text = Type.String();
const flag = Type.Boolean();
export const day = Type.String({ format: 'date' });
export const completeUntil = nullable({
  ...instant,
  description: 'Everything accepted up to then is in the credited figures; null while that is not known.',
});

export const campaignSchema = named(
  'PartnerCampaign',
  closed({
    display_id: text,
    name: text,
    project_id: id,
    project: text,
    account: text,
    active: flag,
    paused: flag,
    created_at: instant,
    apps: list(text, { description: 'IDs of the apps of the project.' }),
    tracking_link: nullable(Type.String({ description: 'Null where the project has no domain.' })),
    switches: closed({
      s2s_clicks: flag,
      s2s_traffic: flag,
      view_through: flag,
      ctv_apps: list(text),
      view_window_hours: count,
    }),
  }),
);
const figures = {
  clicks: { ...count, description: 'Clicks by S2S, each once.' },
  impressions: count,
  ctv_impressions: count,
  link_clicks: { ...count, description: 'Clicks on tracking links.' },
  repeats: { ...count, description: 'Accepted S2S requests that repeated an earlier one.' },
  installs: { ...count, description: 'Credited installs, by their own time.' },
  reinstalls: count,
  reengagements: count,
  signups: { ...count, description: 'Events of credited installs and reinstalls, by their own time.' },
  payments: count,
  events: count,
  refused: mapTo(count, { description: 'Refused S2S requests by reason.' }),
};
export const trafficSchema = named(
  'PartnerTraffic',
  closed({
    from: day,
    to: day,
    granularity: choice(GRANULARITIES, { type: 'string' }),
    buckets: list(closed({ time: { ...instant, description: 'When the bucket begins.' }, ...figures })),
    totals: closed(figures),
    complete_until: completeUntil,
  }),
);
export const trafficByProjectSchema = named(
  'PartnerTrafficByProject',
  closed({
    from: day,
    to: day,
    projects: list(closed({ project_id: id, project: text, account: text, ...figures })),
    complete_until: completeUntil,
  }),
);
export const trafficByCampaignSchema = named(
  'PartnerTrafficByCampaign',
  closed({
    from: day,
    to: day,
    campaigns: list(
      closed({
        display_id: text,
        name: text,
        project_id: id,
        project: text,
        ...figures,
        conversion: nullable(
          Type.Number({ minimum: 0, description: 'Installs per click by S2S or link, per cent; null without clicks.' }),
        ),
      }),
      { description: 'That with most installs first.' },
    ),
    total: { ...count, description: 'How many campaigns had anything.' },
    complete_until: completeUntil,
  }),
);
const sent = (description: string) => nullable(Type.String({ description }));
export const creditedSchema = named(
  'CreditedInstall',
  closed({
    install_time: instant,
    kind: choice(['install', 'reinstall'], { type: 'string' }),
    project_id: id,
    display_id: text,
    campaign: text,
    touch_type: text,
    rule: { ...text, description: 'Rule that decided.' },
    touch_time: { ...nullable(instant), description: 'When the ad was clicked or shown.' },
    tid: sent('As the partner sent it with the touch; null where none of its touches is credited.'),
    s2: sent('Passthrough value.'),
    s3: sent('Passthrough value.'),
    s4: sent('Passthrough value.'),
    country: { ...text, description: 'ISO 3166-1 alpha-2; empty if unknown.' },
    platform: text,
    suspicious: flag,
  }),
);
