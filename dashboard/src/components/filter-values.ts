/**
 * The values that a FilterBar offers: those that had something in the period, greatest first. They are asked for when
 * its form is opened for the first time.
 */
import { useQueries } from '@tanstack/react-query';
import { useState } from 'react';
import { reportQuery, type Question } from '../api/queries';
import { useProject } from '../session';

const OFFERED = 50;
/** Filtered by name, asked for by ID. */
const ASKED_AS: Readonly<Record<string, string>> = { campaign_name: 'campaign' };

type Range = Pick<Question, 'source' | 'from' | 'to'>;

/** As properties of FilterBar. */
export function useFilterValues({ source, from, to }: Range, dimensions: readonly string[]) {
  const { id } = useProject();
  const metrics = [source === 'app' ? 'installs' : 'visitors'];
  const [isWanted, setWanted] = useState(false);
  const values = useQueries({
    queries: dimensions.map((dimension) =>
      reportQuery(
        id,
        isWanted
          ? {
              source,
              metrics,
              dimensions: [ASKED_AS[dimension] ?? dimension],
              from,
              to,
              limit: OFFERED,
              include: [],
            }
          : undefined,
      ),
    ),
    combine: (answers) =>
      Object.fromEntries(
        answers.map(({ data }, at) => {
          const dimension = dimensions[at] as string;
          const rows = data?.results ?? [];
          const values = rows.map((row) => (dimension in ASKED_AS ? row.labels[0] : row.dimensions[0]) ?? '');
          return [dimension, [...new Set(values.filter((value) => value !== ''))]];
        }),
      ),
  });
  return { values, onOpen: () => setWanted(true) };
}
