/** The values of dimensions, with names and counts, to choose from and to name filters by. */
import { keepPreviousData, queryOptions, useQueries, useQuery } from '@tanstack/react-query';
import { projectApi, unwrapData } from '../api/client';
import type { Source } from '../drill';
import { valueName } from '../names';
import type { Filter } from '../search';
import { useProject } from '../session';

export interface DimensionValue {
  readonly value: string;
  readonly name: string;
  readonly count: number;
}

/** What somebody who reads the page calls an ID: the service tells. */
const NAMED_BY_SERVICE = ['campaign', 'ad_set', 'ad', 'keyword'];
const FRESH_MS = 300_000;

const valuesQuery = (projectId: number, source: Source, dimension: string, search: string, enabled = true) =>
  queryOptions({
    queryKey: ['values', projectId, source, dimension, search],
    queryFn: async ({ signal }) => {
      const query = { source, dimension, ...(search !== '' && { search }) };
      const { values } = await unwrapData(
        projectApi(projectId).GET('/api/v1/reporting/values', { params: { query }, signal }),
      );
      return values.map(({ value, label, count }): DimensionValue => ({
        value,
        count,
        name: valueName(source, dimension, value, label),
      }));
    },
    staleTime: FRESH_MS,
    enabled,
    placeholderData: keepPreviousData,
  });

/** Those that contain the search in their value or name, most first; in any case. */
export function findValues(
  common: readonly DimensionValue[],
  searched: readonly DimensionValue[],
  search: string,
): DimensionValue[] {
  const wanted = search.trim().toLowerCase();
  const isWanted = ({ value, name }: DimensionValue) => `${value}\n${name}`.toLowerCase().includes(wanted);
  const found = new Map([...common.filter(isWanted), ...searched].map((one) => [one.value, one]));
  return [...found.values()].sort((a, b) => b.count - a.count);
}

/** The values of a dimension to choose from: by what is typed, among the most frequent ones and by the service. */
export function useDimensionValues(source: Source, dimension: string, search: string, isOpen: boolean) {
  const { id } = useProject();
  const common = useQuery(valuesQuery(id, source, dimension, '', isOpen));
  const wanted = search.trim();
  const searched = useQuery(valuesQuery(id, source, dimension, wanted, isOpen && wanted !== ''));
  // An answer to another search, or to another dimension, is none to this one.
  const data = (answer: typeof common) => (answer.isPlaceholderData ? [] : (answer.data ?? []));
  return {
    values: findValues(data(common), wanted === '' ? [] : data(searched), wanted),
    isPending: isOpen && (common.isPending || common.isPlaceholderData),
    error: common.error ?? searched.error,
  };
}

/** A function that says what the values of filters are called. */
export function useFilterNames(source: Source, filters: readonly Filter[]) {
  const { id } = useProject();
  const dimensions = [...new Set(filters.map(([, dimension]) => dimension))].filter((one) =>
    NAMED_BY_SERVICE.includes(one),
  );
  const names = useQueries({
    queries: dimensions.map((dimension) => valuesQuery(id, source, dimension, '')),
    combine: (answers) =>
      new Map(
        answers.flatMap(({ data }, at) => (data ?? []).map((one) => [`${dimensions[at]} ${one.value}`, one.name])),
      ),
  });
  return (dimension: string, value: string) =>
    names.get(`${dimension} ${value}`) ?? valueName(source, dimension, value);
}
