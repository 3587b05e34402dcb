/** Plays random histories of touches and installs, and compares every decision with that of the model. */
import fc from 'fast-check';
import { readHistory, settings, type History } from './attribution-histories';
import { KEPT } from './attribution-kept';
import { attribute, type ModelDecision } from './attribution-model';
import { historyOfInstall, OF_HISTORIES, Play } from './attribution-play';
import type { Service } from '../service';

const PROJECTS = 12;
interface Row {
  readonly install_id: string;
  readonly rule: string;
  readonly campaign_name: string;
  readonly touch_type: string;
  readonly touch_id: string | null;
  readonly touch_ms: number | null;
  readonly window_seconds: number | null;
  readonly reinstall: number;
  readonly click_injection: number;
  readonly install_hijacking: number;
}

const toDecision = (row: Row): ModelDecision => ({
  rule: row.rule,
  campaign: row.campaign_name,
  touchType: row.touch_type,
  touchId: row.touch_id,
  touchTime: row.touch_ms === null ? null : Number(row.touch_ms),
  windowSeconds: row.window_seconds,
  reinstall: row.reinstall === 1,
  clickInjection: row.click_injection === 1,
  installHijacking: row.install_hijacking === 1,
});

/**
 * Plays `count` random histories, and those of ./attribution-kept, and expects every install to be decided as the model
 * does. SEED plays those of an earlier run again.
 */
export async function expectDecidedAsModel(service: Service, count: number): Promise<void> {
  const seed = Number(process.env.SEED ?? Math.floor(Math.random() * 2 ** 31));
  const random = {
    settings: fc.sample(settings, { numRuns: PROJECTS, seed }),
    histories: fc.sample(readHistory(PROJECTS), { numRuns: count, seed }),
  };
  const all = [...random.settings, ...KEPT.map((one) => one.settings)];
  const histories = [...random.histories, ...KEPT.map((one, i) => ({ ...one.history, project: PROJECTS + i }))];
  const worlds = await new Play(service, all, histories).run();
  const rows = await service.rows<Row>(
    `SELECT *, toUnixTimestamp64Milli(touch_time) AS touch_ms FROM analytics.installs WHERE ${OF_HISTORIES}`,
  );
  const decisions = new Map(rows.map((row) => [row.install_id, toDecision(row)]));
  const expected = new Map([...worlds.values()].flatMap((world) => [...attribute(world)]));
  expect(new Set(decisions.keys())).toEqual(new Set(expected.keys()));
  const wrong = [...expected].filter(
    ([id, decision]) => JSON.stringify(decisions.get(id), Object.keys(decision)) !== JSON.stringify(decision),
  );
  const told = wrong.slice(0, 3).map(([id, decision]) => {
    const history = histories[historyOfInstall(id)] as History;
    const name = KEPT[historyOfInstall(id) - count]?.name;
    return {
      id,
      ...(name ? { name } : {}),
      seed,
      decision: decisions.get(id),
      expected: decision,
      settings: JSON.stringify(all[history.project]),
      history: JSON.stringify(history),
      row: JSON.stringify(rows.find((row) => row.install_id === id)),
    };
  });
  expect({ wrong: wrong.length, told }).toEqual({ wrong: 0, told: [] });
  // Else the histories would show little.
  const rules = new Set([...expected.values()].map(({ rule }) => rule));
  expect([...rules].sort()).toEqual([
    'attribution',
    'ctv_impression',
    'device_click',
    'device_impression',
    'ip_click',
    'organic',
    'referrer',
  ]);
}
