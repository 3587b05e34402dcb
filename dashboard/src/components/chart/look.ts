/** How charts look in light and dark. */
import { useComputedColorScheme } from '@mantine/core';
import type { EChartsOption } from 'echarts';
import { SERIES } from '../../theme';

export interface Look {
  readonly scheme: 'light' | 'dark';
  /** The colours of series, in their order. */
  readonly colors: readonly string[];
  readonly text: string;
  readonly muted: string;
  readonly line: string;
  readonly surface: string;
  /** What is bad news. */
  readonly bad: string;
}

const FONT = 'ui-sans-serif, system-ui, -apple-system, "Segoe UI", Roboto, Arial, sans-serif';

const LOOKS = {
  light: { text: '#1f2630', muted: '#5b6573', line: '#e3e6eb', surface: '#ffffff', bad: '#b42318' },
  dark: { text: '#e3e7ed', muted: '#a1abba', line: '#2c3440', surface: '#222933', bad: '#ff8a80' },
} as const;

export function useLook(): Look {
  const scheme = useComputedColorScheme('light');
  return { scheme, colors: SERIES[scheme], ...LOOKS[scheme] };
}

/** The tooltip is drawn, not HTML: the Content-Security-Policy allows no style in it. */
export const tooltipLook = ({ text, line, surface }: Look) => ({
  renderMode: 'richText' as const,
  confine: true,
  backgroundColor: surface,
  borderColor: line,
  borderWidth: 1,
  padding: [8, 12],
  textStyle: { color: text, fontSize: 12, fontFamily: FONT, lineHeight: 18 },
});

/** What all charts have in common. */
export const baseOption = (look: Look): EChartsOption => ({
  animation: false,
  color: [...look.colors],
  textStyle: { fontFamily: FONT, fontSize: 11 },
  grid: { left: 8, right: 16, top: 16, bottom: 4, containLabel: true },
  tooltip: tooltipLook(look),
});

/** The look of an axis, for options of one's own. */
export const axisLook = ({ muted, line }: Look) => ({
  axisLabel: { color: muted, hideOverlap: true },
  axisLine: { lineStyle: { color: line } },
  axisTick: { show: false },
  splitLine: { lineStyle: { color: line } },
});

/** So many letters of names have room beside each other, also on a phone. */
const LETTERS_BESIDE = 48;

/** Each name can be read: where there is no room beside each other they are turned. */
export const nameAxisLook = ({ muted }: Look, names: readonly string[]) => ({
  ...{ color: muted, hideOverlap: false, interval: 0, width: 110, overflow: 'truncate' as const },
  rotate: names.join('').length > LETTERS_BESIDE ? 40 : 0,
});
