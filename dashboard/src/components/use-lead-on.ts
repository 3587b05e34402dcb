/** What points of charts lead to: their figure on the explore page, by what it is made of. */
import { useNavigate } from '@tanstack/react-router';
import { useCallback, useMemo } from 'react';
import { toExplore, type Exploration } from '../drill';
import { useProject } from '../session';
import { dimensionText, texts } from '../texts';
import { notes as text } from '../texts/notes';
import type { PointAction } from './chart/Drawing';

/** Opens the explore page with a question. */
export function useExplore(): (view: Exploration) => void {
  const { id } = useProject();
  const navigate = useNavigate();
  return useCallback((view: Exploration) => void navigate(toExplore(id, view)), [id, navigate]);
}

/** What a figure by day since install is taken apart by. */
const PARTS = ['campaign', 'country'];

interface DayAsked extends Pick<Exploration, 'filters' | 'days'> {
  readonly metrics: readonly string[];
}

/** What the day of a curve leads to; `ask` says what is asked of that day, or of the series that was pressed. */
export function useDayActions(ask: (day: number, series: string) => DayAsked, days: readonly number[]) {
  const explore = useExplore();
  return useMemo(
    () =>
      (at: number, series: string): PointAction[] => {
        const day = days[at];
        if (day === undefined) return [];
        const { metrics, ...asked } = ask(day, series);
        const filtered = asked.filters?.map(([, dimension]) => dimension) ?? [];
        return PARTS.filter((part) => !filtered.includes(part)).map((part) => ({
          label: text.partsBy(texts.dayN(day), dimensionText(part).toLowerCase()),
          run: () => explore({ source: 'app', metrics, by: [part], over: 'rows', ...asked }),
        }));
      },
    [ask, days, explore],
  );
}
