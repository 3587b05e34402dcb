/** The expressions of deploy/prometheus and deploy/grafana, and what each of them names. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import type { LRParser } from '@lezer/lr';
import { load } from 'js-yaml';
import { root } from '../paths';

// Its types are those of a module that cannot be required, though it can.
const { parser } = createRequire(__filename)('@prometheus-io/lezer-promql') as { parser: LRParser };
export const read = (file: string) => readFileSync(path.join(root, file), 'utf8');

export interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly for?: string;
  readonly labels: { readonly severity: string };
  readonly annotations: { readonly summary: string; readonly description: string };
}
const { groups } = load(read('deploy/prometheus/adtrail.rules.yml')) as { groups: { rules: Rule[] }[] };
export const rules = groups.flatMap((group) => group.rules);

export interface Panel {
  readonly id: number;
  readonly type: string;
  readonly title: string;
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number };
  readonly targets?: { readonly expr: string; readonly legendFormat: string }[];
}
export const { panels } = JSON.parse(read('deploy/grafana/adtrail.json')) as { panels: Panel[] };
const targets = panels.flatMap(({ title, targets: of = [] }) => of.map((target) => ({ title, ...target })));

/** By what they are for, each with its name. */
export const expressions = {
  alerts: rules.map(({ alert, expr }) => [alert, expr] as const),
  panels: targets.map(({ title, legendFormat, expr }) => [`${title}: ${legendFormat}`, expr] as const),
};

/** What an expression names: series, and the labels by which it chooses and groups. */
export function namesIn(expr: string) {
  const named = { errors: 0, series: [] as string[], labels: [] as string[] };
  const plain = expr.replaceAll('$__rate_interval', '5m');
  parser.parse(plain).iterate({
    enter({ type, from, to, node }) {
      const text = plain.slice(from, to);
      if (type.isError) named.errors += 1;
      if (type.name === 'Identifier' && node.parent?.type.name === 'VectorSelector') named.series.push(text);
      if (type.name === 'LabelName') named.labels.push(text);
    },
  });
  return named;
}
