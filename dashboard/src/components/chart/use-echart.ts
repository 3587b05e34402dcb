/** An ECharts instance in an element, and which of its points are chosen. */
import type { EChartsOption } from 'echarts';
import type { EChartsType } from 'echarts/core';
import { useEffect, useRef, useState } from 'react';
import { baseOption, type Look } from './look';

export type MakeOption = (look: Look) => EChartsOption;

/** A point of a chart: the place of its label, the series where one was hit, and where it is in the element. */
export interface Point {
  readonly at: number;
  readonly series: string;
  readonly x: number;
  readonly y: number;
}

/** `chart` is there once ECharts is loaded; it is drawn anew for another look or option, and fits its element. */
export function useEChart(look: Look, option: MakeOption) {
  const element = useRef<HTMLDivElement>(null);
  const [chart, setChart] = useState<EChartsType>();
  useEffect(() => {
    const target = element.current;
    if (!target) return undefined;
    let made: EChartsType | undefined;
    let isGone = false;
    void import('./echarts').then(({ init }) => {
      if (isGone) return;
      made = init(target);
      setChart(made);
    });
    const observer = new ResizeObserver(() => made?.resize());
    observer.observe(target);
    return () => {
      isGone = true;
      observer.disconnect();
      made?.dispose();
    };
  }, []);
  useEffect(() => {
    chart?.setOption({ ...baseOption(look), ...option(look) }, { notMerge: true });
  }, [chart, look.scheme, option]);
  return { element, chart };
}

interface Axis {
  readonly type?: string;
  readonly data?: readonly unknown[];
  readonly axisLabel?: { readonly formatter?: string | ((value: number) => string) };
}

/** For an axis of numbers: where its points are, for keys and presses. */
export const placePoints = (numbers: readonly number[]): object => ({ data: [...numbers] });

/** The place of the number that is nearest. */
const findNearest = (numbers: readonly number[], wanted: number): number =>
  numbers.reduce((best, one, at) => (Math.abs(one - wanted) < Math.abs((numbers[best] ?? 0) - wanted) ? at : best), 0);

/**
 * The labels of a chart: below it, or of bars that lie, beside it; and where they are on their axis. An axis of numbers
 * says it by `placePoints`.
 */
function findLabels(chart: EChartsType) {
  const option = chart.getOption() as Record<'xAxis' | 'yAxis', Axis[]> | undefined;
  const [below, beside] = [option?.xAxis?.[0], option?.yAxis?.[0]];
  const isVertical = beside?.type === 'category';
  const { type, data = [], axisLabel } = (isVertical ? beside : below) ?? {};
  if (type !== 'value')
    return { isVertical, names: data.map(String), toPlace: (at: number) => at, toIndex: Math.round };
  const numbers = data.map(Number);
  const write = axisLabel?.formatter;
  return {
    isVertical,
    names: numbers.map((one) => (typeof write === 'function' ? write(one) : String(one))),
    toPlace: (at: number) => numbers[at] ?? 0,
    toIndex: (place: number) => findNearest(numbers, place),
  };
}

/** Wherever it is pressed above a label, not only on the thin line of a series. Returns what ends it. */
export function listenToPresses(chart: EChartsType, press: (point: Point) => void): () => void {
  type Pressed = { dataIndex?: number; seriesName?: string };
  // The chart tells first which series it is, if any; then it is known where that was.
  let hit: Pressed | undefined;
  const listen = (pressed: Pressed) => {
    hit = pressed;
  };
  const listenAbove = ({ offsetX, offsetY }: { offsetX: number; offsetY: number }) => {
    const { dataIndex, seriesName = '' } = hit ?? {};
    hit = undefined;
    if (dataIndex === undefined && !chart.containPixel('grid', [offsetX, offsetY])) return;
    const { isVertical, toIndex } = findLabels(chart);
    const place = chart.convertFromPixel('grid', [offsetX, offsetY])[isVertical ? 1 : 0];
    const at = dataIndex ?? (place === undefined ? undefined : toIndex(place));
    if (at !== undefined) press({ at, series: seriesName, x: offsetX, y: offsetY });
  };
  chart.on('click', listen);
  chart.getZr().on('click', listenAbove);
  return () => {
    chart.off('click', listen);
    if (!chart.isDisposed()) chart.getZr().off('click', listenAbove);
  };
}

/** What a key leads to: the point next to `from`, the first or the last one, or `from` itself, which it presses. */
export function findPoint(chart: EChartsType, key: string, from: number | undefined) {
  const { names, isVertical, toPlace } = findLabels(chart);
  if (names.length === 0) return undefined;
  const last = names.length - 1;
  const [back, on] = isVertical ? ['ArrowUp', 'ArrowDown'] : ['ArrowLeft', 'ArrowRight'];
  const next = { [back]: (from ?? last + 1) - 1, [on]: (from ?? -1) + 1, Home: 0, End: last }[key];
  const isPressed = next === undefined && (key === 'Enter' || key === ' ');
  const at = next === undefined ? from : Math.min(last, Math.max(0, next));
  if (at === undefined || (next === undefined && !isPressed)) return undefined;
  const place = Number(chart.convertToPixel(isVertical ? { yAxisIndex: 0 } : { xAxisIndex: 0 }, toPlace(at)));
  const point: Point = { at, series: '', ...(isVertical ? { x: 24, y: place } : { x: place, y: 24 }) };
  return { isPressed, label: names[at] ?? '', point };
}
