/**
 * Attribution of installs written plainly over events in memory, from docs/contract/attribution.md and independently
 * of the service's SQL.
 */

const SECOND = 1_000;
const HOUR = 3_600_000;
const DAY = 24 * HOUR;

export interface ModelSwitches {
  readonly s2sClicks: boolean;
  readonly s2sTraffic: boolean;
  readonly viewThrough: boolean;
  readonly ctvApps: readonly string[];
  readonly viewWindowHours: number;
}

export interface ModelProject {
  readonly clickWindowDays: Readonly<Record<string, number>>;
  readonly ipClickWindowHours: number;
  readonly viewWindowHours: number;
  readonly ctvWindowHours: number;
  readonly reinstallWindowDays: number;
  readonly switches: Readonly<Record<string, ModelSwitches>>;
  readonly campaigns: Readonly<Record<string, { readonly partner?: string; readonly network?: string }>>;
}

export interface ModelTouch {
  readonly id: string;
  readonly kind: 's2s' | 'link' | 'import' | 'impression' | 'ctv';
  readonly campaign: string;
  readonly time: number;
  /** When the service received it; of an import its own time. */
  readonly received: number;
  /** The app that it named; empty for none. */
  readonly app: string;
  readonly gaid: string;
  readonly idfa: string;
  readonly ip: string;
  readonly os: string;
  readonly lookbackHours: number | null;
}

export interface ModelEvent {
  readonly installId: string;
  readonly app: string;
  readonly time: number;
  readonly received: number;
  readonly gaid: string;
  readonly idfa: string;
}

export interface ModelInstall extends ModelEvent {
  readonly platform: 'ANDROID' | 'IOS';
  readonly ip: string;
  readonly os: string;
  readonly referrerClickId: string | null;
  readonly referrerClickTime: number | null;
  readonly installBeginTime: number | null;
  readonly attribution: {
    readonly campaign: string;
    readonly touchType: 'click' | 'impression';
    readonly touchedAt: number | null;
  } | null;
}

export interface ModelDecision {
  readonly rule: string;
  readonly campaign: string;
  readonly touchType: string;
  readonly touchId: string | null;
  readonly touchTime: number | null;
  readonly windowSeconds: number | null;
  readonly reinstall: boolean;
  readonly clickInjection: boolean;
  readonly installHijacking: boolean;
}

export interface ModelWorld {
  readonly project: ModelProject;
  readonly touches: readonly ModelTouch[];
  readonly installs: readonly ModelInstall[];
  /** Everything that apps sent, installs included. */
  readonly events: readonly ModelEvent[];
}

const TYPES = {
  s2s: 'click',
  link: 'click',
  import: 'click',
  impression: 'impression',
  ctv: 'ctv_impression',
} as const;
const same = (a: string, b: string) => a !== '' && a === b;
const sameDevice = (a: ModelEvent, b: { gaid: string; idfa: string }) => same(a.gaid, b.gaid) || same(a.idfa, b.idfa);
/** What a system may be that a user agent names: iPads say Mac, and Android in desktop mode Linux. */
const MAY_BE: Readonly<Record<string, string>> = { macos: 'ios', linux: 'android' };
const mayBe = (os: string) => MAY_BE[os] ?? os;
const byReceipt = (a: ModelInstall, b: ModelInstall) => a.received - b.received || (a.installId < b.installId ? -1 : 1);

/** What becomes of each install, by its ID: in the order in which they were received. */
export function attribute(world: ModelWorld): Map<string, ModelDecision> {
  const used = new Set<string>();
  return new Map(
    [...world.installs].sort(byReceipt).map((install) => [install.installId, decide(world, install, used)]),
  );
}

/**
 * Windows in milliseconds of the touches that a rule finds for an install; undefined: it is not a candidate by this
 * rule.
 */
type Rule = (touch: ModelTouch) => number | undefined;

function readRules({ project }: ModelWorld, install: ModelInstall, used: ReadonlySet<string>): Record<string, Rule> {
  const { clickWindowDays, ipClickWindowHours, viewWindowHours, ctvWindowHours } = project;
  const readPartner = (touch: ModelTouch) => project.campaigns[touch.campaign]?.partner;
  const readSwitches = (touch: ModelTouch) => project.switches[readPartner(touch) ?? ''];
  const clickWindow = (touch: ModelTouch) => {
    const network = readPartner(touch) ? undefined : project.campaigns[touch.campaign]?.network;
    return Number(clickWindowDays[network ?? 'default'] ?? clickWindowDays.default) * DAY;
  };
  const isClick = (touch: ModelTouch) =>
    TYPES[touch.kind] === 'click' && (touch.kind !== 's2s' || readSwitches(touch)?.s2sClicks);
  const viewsOn = (touch: ModelTouch) => readSwitches(touch)?.s2sTraffic && readSwitches(touch)?.viewThrough;
  const viewWindow = (touch: ModelTouch, hours: number) =>
    Math.min(24, hours, readSwitches(touch)?.viewWindowHours ?? 24, touch.lookbackHours ?? 24) * HOUR;
  const sharesKindOfId = (touch: ModelTouch) =>
    (touch.gaid !== '' && install.gaid !== '') || (touch.idfa !== '' && install.idfa !== '');
  const otherOs = (touch: ModelTouch) => touch.os !== '' && install.os !== '' && mayBe(touch.os) !== mayBe(install.os);
  return {
    referrer: (touch) => (isClick(touch) && touch.id === install.referrerClickId ? clickWindow(touch) : undefined),
    device_click: (touch) => (isClick(touch) && sameDevice(install, touch) ? clickWindow(touch) : undefined),
    ip_click: (touch) =>
      isClick(touch) &&
      ipClickWindowHours > 0 &&
      same(touch.ip, install.ip) &&
      !otherOs(touch) &&
      !sharesKindOfId(touch)
        ? ipClickWindowHours * HOUR
        : undefined,
    device_impression: (touch) =>
      touch.kind === 'impression' && viewsOn(touch) && sameDevice(install, touch) && !used.has(touch.id)
        ? viewWindow(touch, viewWindowHours)
        : undefined,
    ctv_impression: (touch) =>
      touch.kind === 'ctv' &&
      viewsOn(touch) &&
      readSwitches(touch)?.ctvApps.includes(install.app) &&
      same(touch.ip, install.ip)
        ? viewWindow(touch, ctvWindowHours)
        : undefined,
  };
}

function decide(world: ModelWorld, install: ModelInstall, used: Set<string>): ModelDecision {
  const common = {
    reinstall: isReinstall(world, install),
    installHijacking:
      install.referrerClickTime !== null &&
      install.installBeginTime !== null &&
      install.referrerClickTime > install.installBeginTime,
  };
  const { attribution } = install;
  if (attribution) {
    const { campaign, touchType, touchedAt } = attribution;
    return {
      rule: 'attribution',
      campaign,
      touchType,
      touchId: null,
      touchTime: touchedAt,
      windowSeconds: null,
      ...common,
      clickInjection: isInjected(install, touchType, touchedAt),
    };
  }
  for (const [rule, readWindow] of Object.entries(readRules(world, install, used))) {
    const found = world.touches.filter((touch) => {
      const window = readWindow(touch);
      const age = install.time - touch.time;
      return (
        window !== undefined &&
        (age >= 0 || rule === 'referrer') &&
        age <= window &&
        touch.received < install.received &&
        (touch.app === '' || touch.app === install.app)
      );
    });
    const [touch] = found.sort((a, b) => b.time - a.time || b.received - a.received || (a.id < b.id ? 1 : -1));
    if (!touch) continue;
    const touchType = TYPES[touch.kind];
    const windowSeconds = (readWindow(touch) as number) / SECOND;
    if (rule === 'device_impression') used.add(touch.id);
    return {
      rule,
      campaign: touch.campaign,
      touchType,
      touchId: touch.id,
      touchTime: touch.time,
      windowSeconds,
      ...common,
      clickInjection: isInjected(install, touchType, touch.time),
    };
  }
  return {
    rule: 'organic',
    campaign: '',
    touchType: '',
    touchId: null,
    touchTime: null,
    windowSeconds: null,
    ...common,
    clickInjection: isInjected(install, '', null),
  };
}

/**
 * Whether the device had an event in the same app within the window before the install, as was known when the install
 * was received.
 */
function isReinstall({ project, events }: ModelWorld, install: ModelInstall): boolean {
  const known = events.filter(
    ({ received, installId }) => received <= install.received && installId !== install.installId,
  );
  const onDevice = new Set(known.filter((event) => sameDevice(install, event)).map(({ installId }) => installId));
  return known.some(
    (event) =>
      onDevice.has(event.installId) &&
      event.app === install.app &&
      event.time < install.time &&
      install.time - event.time <= project.reinstallWindowDays * DAY,
  );
}

function isInjected(
  { platform, time, referrerClickTime }: ModelInstall,
  touchType: string,
  touchTime: number | null,
): boolean {
  if (platform !== 'ANDROID') return false;
  const isWithin = (before: number | null, span: number) =>
    before !== null && time - before >= 0 && time - before < span;
  return isWithin(referrerClickTime, 3 * SECOND) || (touchType === 'click' && isWithin(touchTime, 10 * SECOND));
}
