/** The charts of the page that can be downloaded as images. */
import { useSyncExternalStore } from 'react';

export interface ChartImage {
  readonly title: string;
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
