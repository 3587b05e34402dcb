/** The charts of the page that can be downloaded as images. */
import { useSyncExternalStore } from 'react';
import { composeImage, type LegendItem } from './compose-image';
import type { Look } from './look';

export interface ChartImage {
  readonly title: string;
  /** What has its title and legend in it already has none. */
  readonly legend: readonly LegendItem[] | undefined;
  /** The chart as it is now, as a data URL. */
  readonly image: () => string;
}

let offered: readonly ChartImage[] = [];
const listeners = new Set<() => void>();

function change(next: readonly ChartImage[]): void {
  offered = next;
  for (const listener of listeners) listener();
}

/** Offers a chart's image, until the function that it returns is called. */
export function offerImage(image: ChartImage): () => void {
  change([...offered, image]);
  return () => change(offered.filter((one) => one !== image));
}

export const useChartImages = (): readonly ChartImage[] =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => offered,
  );

/** A chart as a file: with what it is about, by whom and of which days, and its legend. */
export const drawImage = async ({ title, legend, image }: ChartImage, about: string, look: Look): Promise<string> =>
  legend ? composeImage({ chart: image(), title, about, legend, look }) : image();
