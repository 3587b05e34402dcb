/**
 * Plays histories against a running service, and gives the model what happened: what was sent, and when the service
 * says it received it.
 */
import {
  AGENTS,
  CAMPAIGNS,
  type App,
  type CampaignName,
  type EventPlan,
  type History,
  type InstallPlan,
  type Settings,
  type TouchPlan,
} from './attribution-histories';
import type { ModelEvent, ModelInstall, ModelProject, ModelTouch, ModelWorld } from './attribution-model';
import { collectApp, type Json } from '../collect/collect-client';
import { openLink } from '../links/links';
import { idByName } from '../s2s/s2s-client';
import { answered, eventually, type Service } from '../service';

const PARTNERS = ['Mobi Ads', 'Other Ads'] as const;
const APPS = { android: 'com.history', ios: 'id99000' } as const;

const key = (project: number) => `server-key-${project}`;
const readToken = (partner: string) => `token-of-${partner.replace(' ', '-')}`;
const readApp = (project: number, app: App) => `${APPS[app]}${project}`;
const readCampaign = (project: number, campaign: CampaignName) => `${campaign}${project}`;
const readDomain = (project: number) => `go${project}.history.example`;

/** The workspace while touches arrive, with everything on, or by settings, as it is when installs are decided. */
function makeWorkspace(all: readonly Settings[], decisive: boolean): object {
  return {
    accounts: [{ name: 'History' }],
    partners: PARTNERS.map((name) => ({ name, tokens: [readToken(name)] })),
    projects: all.map((settings, p) => ({
      name: `History ${p}`,
      account: 'History',
      timezone: 'UTC',
      website: 'https://history.example',
      server_keys: [key(p)],
      domains: [{ name: readDomain(p), primary: true }],
      apps: [
        { platform: 'ANDROID', app_id: readApp(p, 'android') },
        { platform: 'IOS', app_id: readApp(p, 'ios') },
      ],
      attribution: {
        click_window_days: { default: settings.clickDays, GOOGLE: settings.googleDays, META: settings.metaDays },
        ip_click_window_hours: settings.ipHours,
        view_window_hours: settings.viewHours,
        ctv_window_hours: settings.ctvHours,
        reinstall_window_days: settings.reinstallDays,
      },
      partner_switches: PARTNERS.map((partner) => {
        const { ctv, ...rest } = settings.switches[partner];
        const apps = (decisive ? ctv : (['android', 'ios'] as const)).map((app) => readApp(p, app));
        return {
          partner,
          ...rest,
          ...(decisive ? {} : { s2s_clicks: true, s2s_traffic: true, view_through: true }),
          ctv_apps: apps,
        };
      }),
      campaigns: Object.entries(CAMPAIGNS).map(([name, more]) => ({
        display_id: readCampaign(p, name as CampaignName),
        name: readCampaign(p, name as CampaignName),
        ...more,
        ...('network' in more ? { network_campaign_id: `${name}-n` } : {}),
      })),
    })),
  };
}

function modelProject(settings: Settings, p: number): ModelProject {
  return {
    clickWindowDays: { default: settings.clickDays, GOOGLE: settings.googleDays, META: settings.metaDays },
    ipClickWindowHours: settings.ipHours,
    viewWindowHours: settings.viewHours,
    ctvWindowHours: settings.ctvHours,
    reinstallWindowDays: settings.reinstallDays,
    switches: Object.fromEntries(
      PARTNERS.map((partner) => {
        const {
          s2s_clicks: s2sClicks,
          s2s_traffic: s2sTraffic,
          view_through: viewThrough,
          ctv,
          view_window_hours: viewWindowHours,
        } = settings.switches[partner];
        return [
          partner,
          { s2sClicks, s2sTraffic, viewThrough, viewWindowHours, ctvApps: ctv.map((app) => readApp(p, app)) },
        ];
      }),
    ),
    campaigns: Object.fromEntries(
      Object.entries(CAMPAIGNS).map(([name, more]) => [readCampaign(p, name as CampaignName), more]),
    ),
  };
}

const hex = (n: number, digits: number) => n.toString(16).padStart(digits, '0');
/** Identifiers that no other history has. */
const makeGaid = (h: number, n: 0 | 1 | null) => (n === null ? '' : `${hex(h, 8)}-0000-4000-8000-00000000000${n}`);
const readIdfa = (h: number, n: 0 | 1 | null) => (n === null ? '' : `${hex(h, 8)}-0000-4000-9000-00000000000${n}`);
const readIp = (h: number, n: 0 | 1 | null) => (n === null ? '' : `11.${h >> 8}.${h & 255}.${n + 1}`);
const readTid = (h: number, t: number) => `h${h}-t${t}`;
const readInstallId = (h: number, i: number) => `h${h}-i${i}`;
/** The condition of rows that are of histories. */
export const OF_HISTORIES = "match(install_id, '^h[0-9]+-i[0-9]+$')";

/** A touch as it can be sent: S2S needs a partner and an identifier, a link has no app and is opened by a browser. */
function sendable(plan: TouchPlan): TouchPlan {
  let { campaign, gaid, ip, agent, app } = plan;
  const { kind, idfa } = plan;
  if (kind !== 'link' && kind !== 'import' && !('partner' in CAMPAIGNS[campaign])) campaign = 'mobi';
  if ((kind === 'impression' || ip === null) && gaid === null && idfa === null) gaid = 0;
  if (kind === 'ctv') ip ??= 0;
  if (kind === 'link') [app, agent] = ['', Math.max(2, agent)];
  return { ...plan, campaign, gaid, ip, agent, app };
}

interface Fact {
  readonly id: string;
  readonly time: number;
  readonly received: number;
}

/** Everything about one play: what is sent is made of the plans, times and IDs are those that the service shows. */
export class Play {
  private readonly base: number;
  private readonly touches: TouchPlan[][];
  private facts = new Map<string, Fact>();
  /**
   * The clicks that installs named in their referrers, by install: of one that was not there yet nobody knew the ID.
   */
  private readonly referred = new Map<string, string>();

  constructor(
    private readonly service: Service,
    private readonly all: readonly Settings[],
    private readonly histories: readonly History[],
  ) {
    this.base = Date.now() - 3 * 3_600_000;
    this.touches = histories.map((history) => history.touches.map(sendable));
  }

  private readBase(h: number): number {
    return this.histories[h]?.old ? Date.UTC(2024, 2, 5, 10) + h * 1_000 : this.base;
  }

  private project(h: number): number {
    return this.histories[h]?.project as number;
  }

  /**
   * Sends everything, in its rounds, and waits until every install is decided. Resolves with a world for each project.
   */
  async run(): Promise<Map<number, ModelWorld>> {
    await this.service.apply(makeWorkspace(this.all, false));
    await this.sendTouches((touch) => !touch.late, false);
    await this.sendTouches((touch) => !touch.late && touch.repeated, true);
    await this.readTouches();
    await this.service.apply(makeWorkspace(this.all, true));
    await this.sendEvents(1);
    await this.sendTouches((touch) => touch.late && touch.kind !== 'import', false);
    await this.sendEvents(2);
    await this.readTouches();
    await this.allDecided();
    return this.worlds();
  }

  private async sendTouches(filter: (touch: TouchPlan) => boolean, again: boolean): Promise<void> {
    const wanted = this.touches.flatMap((touches, h) =>
      touches.flatMap((touch, t) => (filter(touch) ? [{ h, t, touch }] : [])),
    );
    const imports = wanted.filter(({ touch }) => touch.kind === 'import');
    for (const p of new Set(imports.map(({ h }) => this.project(h))))
      await this.sendImports(
        p,
        imports.filter(({ h }) => this.project(h) === p),
        again,
      );
    const others = wanted.filter(({ touch }) => touch.kind !== 'import').values();
    await Promise.all(
      Array.from({ length: 24 }, async () => {
        for (const { h, t, touch } of others)
          await (touch.kind === 'link' ? this.openLink(h, t, touch, again) : this.report(h, t, touch, again));
      }),
    );
  }

  private fields(h: number, t: number, touch: TouchPlan, again: boolean): Record<string, string> {
    const { gaid, idfa, ip, agent, campaign } = touch;
    const all = {
      c: readCampaign(this.project(h), campaign),
      tid: readTid(h, t),
      gaid: makeGaid(h, gaid),
      idfa: readIdfa(h, idfa),
      ip: again ? readIp(h, 1) : readIp(h, ip),
      ua: AGENTS[agent]?.[0] ?? '',
    };
    return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== ''));
  }

  private async sendImports(
    p: number,
    all: readonly { h: number; t: number; touch: TouchPlan }[],
    again: boolean,
  ): Promise<void> {
    const clicks = all.map(({ h, t, touch }) => ({
      ...this.fields(h, t, touch, again),
      click_time: this.readBase(h) + touch.offset - (again ? 1_000 : 0),
      ...(touch.app ? { app_id: readApp(p, touch.app) } : {}),
    }));
    const { body } = await this.service.admin(
      'POST',
      `/projects/${await idByName(this.service, 'projects', `History ${p}`)}/clicks`,
      { clicks },
    );
    expect(body).toEqual({ accepted: clicks.length, rejected: [] });
  }

  private async openLink(h: number, t: number, touch: TouchPlan, again: boolean): Promise<void> {
    const { c, ip, ua = '', ...rest } = this.fields(h, t, touch, again);
    const query = new URLSearchParams({ c: c as string, ...rest });
    const { status } = await openLink(this.service, `/?${query.toString()}`, {
      host: readDomain(this.project(h)),
      ua,
      headers: ip ? { 'X-Forwarded-For': ip } : {},
    });
    expect(status).toBe(302);
  }

  private async report(h: number, t: number, touch: TouchPlan, again: boolean): Promise<void> {
    const { kind, app, campaign, lookback } = touch;
    const p = this.project(h);
    const time = again
      ? {}
      : { [kind === 's2s' ? 'click_time' : 'impression_time']: String(this.readBase(h) + touch.offset) };
    const query = new URLSearchParams({
      ...this.fields(h, t, touch, again),
      ...time,
      ...(kind === 'ctv' ? { ua: 'Tizen' } : {}),
      ...(kind !== 's2s' && lookback ? { vt_lookback: `${lookback}h` } : {}),
      ...(app ? { app_id: readApp(p, app) } : { d: readDomain(p) }),
    });
    const path = { s2s: 'click', impression: 'impression', ctv: 'ctv/impression' }[kind as 's2s'];
    const headers = { 'X-Service-Token': readToken((CAMPAIGNS[campaign] as { partner: string }).partner) };
    const response = await answered(() => this.service.request(`/v1/${path}?${query.toString()}`, { headers }));
    const { reason } = (await response.json()) as { reason?: string };
    // A late one may come when its partner is switched off already.
    if (response.status !== 200 && !(touch.late && response.status === 403)) throw new Error(`h${h} t${t}: ${reason}`);
  }

  private async sendEvents(round: 1 | 2): Promise<void> {
    const byProject = new Map<number, Json[]>();
    const add = (h: number, event: Json) =>
      byProject.set(this.project(h), [...(byProject.get(this.project(h)) ?? []), event]);
    for (const [h, history] of this.histories.entries()) {
      for (const [i, install] of history.installs.entries()) {
        if (install.round === round) add(h, this.installEvent(h, i, install, false));
        if (install.repeated && install.round === 1 && round === 2) add(h, this.installEvent(h, i, install, true));
        for (const [e, event] of install.events.entries())
          if (event.round === round)
            add(h, { ...this.eventFields(h, i, event), event_id: `h${h}-i${i}-e${e}`, type: 'open' });
      }
    }
    for (const [p, events] of byProject) {
      // Neighbours of a history are in one request or in several, in both orders.
      const shuffled = p % 2 === 0 ? events : events.reverse();
      for (let from = 0; from < shuffled.length; from += 37) {
        const batch = shuffled.slice(from, from + 37);
        const { accepted, body } = await collectApp(this.service, [...batch, ...batch.slice(0, 3)], {
          'service-key': key(p),
        });
        expect({ accepted, rejected: body.rejected }).toEqual({
          accepted: Math.min(batch.length, 3) + batch.length,
          rejected: [],
        });
      }
    }
  }

  private eventFields(h: number, i: number, { offset, app, gaid, idfa }: EventPlan): Json {
    return {
      install_id: readInstallId(h, i),
      time: new Date(this.readBase(h) + offset).toISOString(),
      app_id: readApp(this.project(h), app),
      gaid: makeGaid(h, gaid),
      idfa: readIdfa(h, idfa).toUpperCase(),
    };
  }

  private installEvent(h: number, i: number, install: InstallPlan, again: boolean): Json {
    const { ip, agent, referrer, sinceClick, sinceBegin, attribution } = install;
    const time = this.readBase(h) + install.offset;
    const clickId = again ? null : this.referredBy(h, install);
    if (clickId) this.referred.set(readInstallId(h, i), clickId);
    const iso = (ms: number | null) => (ms === null ? null : new Date(time - ms).toISOString());
    const event = {
      ...this.eventFields(h, i, install),
      event_id: `h${h}-i${i}`,
      type: 'install',
      ip: readIp(h, ip),
      ua: AGENTS[agent]?.[0],
      referrer_click_time: iso(sinceClick),
      install_begin_time: iso(sinceBegin),
      referrer:
        clickId &&
        (referrer?.encoded ? encodeURIComponent(`utm_source=x&svc_ia_id=${clickId}`) : `svc_ia_id=${clickId}`),
      attribution: attribution && {
        ...(attribution.campaign === 'synced'
          ? { network: 'TIKTOK', network_campaign_id: 't1', network_campaign_name: 'synced' }
          : { campaign_display_id: readCampaign(this.project(h), attribution.campaign) }),
        touch_type: attribution.type,
        touched_at: iso(attribution.since),
      },
    };
    return again
      ? { ...event, event_id: `h${h}-i${i}-again`, gaid: makeGaid(h, 1), idfa: '', ip: readIp(h, 1), attribution: null }
      : event;
  }

  /** The ID of the click that the referrer names; null where that touch is none, or has not been sent. */
  private referredBy(h: number, { referrer }: InstallPlan): string | null {
    if (!referrer) return null;
    const of = referrer.of === 'this' ? h : Math.max(0, h - 1);
    return this.facts.get(readTid(of, referrer.touch))?.id ?? null;
  }

  private async readTouches(): Promise<void> {
    const sql = (view: string, id: string, time: string) =>
      `SELECT tid, toString(${id}) AS id, toUnixTimestamp64Milli(${time}) AS time,
         toUnixTimestamp64Milli(received_at) AS received
       FROM analytics.${view}`;
    const rows = await this.service.rows<Fact & { tid: string }>(
      `${sql('clicks', 'click_id', 'click_time')} UNION ALL ` +
        `${sql('impressions', 'impression_id', 'impression_time')} UNION ALL ` +
        `${sql('ctv_impressions', 'impression_id', 'impression_time')}`,
    );
    this.facts = new Map(
      rows.map(({ tid, id, time, received }) => [tid, { id, time: Number(time), received: Number(received) }]),
    );
  }

  private async allDecided(): Promise<void> {
    const total = this.histories.reduce((sum, { installs }) => sum + installs.length, 0);
    await eventually(
      `${total} installs are decided`,
      async () =>
        Number(
          (
            await this.service.rows<{ n: string }>(`SELECT count() AS n FROM analytics.installs WHERE ${OF_HISTORIES}`)
          )[0]?.n,
        ) >= total
          ? true
          : undefined,
      60_000,
    );
  }

  private async worlds(): Promise<Map<number, ModelWorld>> {
    const rows = await this.service.rows<{ event_id: string; received: string }>(
      `SELECT event_id, toUnixTimestamp64Milli(received_at) AS received
       FROM analytics.app_events
       WHERE ${OF_HISTORIES}`,
    );
    const readReceived = new Map(rows.map(({ event_id, received }) => [event_id, Number(received)]));
    const worlds = new Map(
      this.all.map((settings, p) => [
        p,
        {
          project: modelProject(settings, p),
          touches: [] as ModelTouch[],
          installs: [] as ModelInstall[],
          events: [] as ModelEvent[],
        },
      ]),
    );
    for (const [h, history] of this.histories.entries()) {
      const world = worlds.get(history.project) as NonNullable<ReturnType<typeof worlds.get>>;
      for (const [t, touch] of (this.touches[h] ?? []).entries()) {
        const fact = this.facts.get(readTid(h, t));
        if (fact) world.touches.push(this.modelTouch(h, touch, fact));
      }
      for (const [i, install] of history.installs.entries()) {
        const received = (id: string) => readReceived.get(id) as number;
        const event = (plan: EventPlan, id: string): ModelEvent => ({
          installId: readInstallId(h, i),
          app: readApp(history.project, plan.app),
          time: Math.min(this.readBase(h) + plan.offset, received(id)),
          received: received(id),
          gaid: makeGaid(h, plan.gaid),
          idfa: readIdfa(h, plan.idfa),
        });
        const first = this.modelInstall(h, install, event(install, `h${h}-i${i}`));
        world.installs.push(first);
        world.events.push(first, ...install.events.map((one, e) => event(one, `h${h}-i${i}-e${e}`)));
      }
    }
    return worlds;
  }

  private modelTouch(h: number, touch: TouchPlan, { id, time, received }: Fact): ModelTouch {
    const { kind, campaign, app, gaid, idfa, ip, agent, offset, lookback } = touch;
    const p = this.project(h);
    return {
      id,
      kind,
      campaign: readCampaign(p, campaign),
      app: app && readApp(p, app),
      gaid: makeGaid(h, gaid),
      idfa: readIdfa(h, idfa),
      ip: readIp(h, ip),
      os: AGENTS[agent]?.[1] ?? '',
      lookbackHours: kind === 'link' ? null : lookback,
      time: kind === 'link' ? time : Math.min(this.readBase(h) + offset, kind === 'import' ? Infinity : received),
      received: kind === 'import' ? this.readBase(h) + offset : received,
    };
  }

  private modelInstall(h: number, install: InstallPlan, event: ModelEvent): ModelInstall {
    const { app, ip, agent, sinceClick, sinceBegin, attribution } = install;
    // An event in the future counts as now, and all its times move with it.
    const { time } = event;
    return {
      ...event,
      platform: app === 'android' ? 'ANDROID' : 'IOS',
      ip: readIp(h, ip),
      os: AGENTS[agent]?.[1] ?? '',
      referrerClickId: this.referred.get(event.installId) ?? null,
      referrerClickTime: sinceClick === null ? null : time - sinceClick,
      installBeginTime: sinceBegin === null ? null : time - sinceBegin,
      attribution: attribution && {
        campaign: attribution.campaign === 'synced' ? 'synced' : readCampaign(this.project(h), attribution.campaign),
        touchType: attribution.type ?? 'click',
        touchedAt: attribution.since === null ? null : time - attribution.since,
      },
    };
  }
}

/** The history that an install is of. */
export const historyOfInstall = (installId: string) => Number(/^h(\d+)-/.exec(installId)?.[1]);
