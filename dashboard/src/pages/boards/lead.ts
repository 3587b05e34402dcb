/** Where the tiles of a board lead: their question on the explore page, for the same days. */
import { toPage } from '../../addresses';
import { readAsked } from '../../components/chart/answers';
import type { Lead } from '../../components/board/tile';
import { filterTo } from '../../drill';
import { readKept, type KeptQuestion } from '../explore/saved';

export const leadToExplore =
  (projectId: number): Lead =>
  (item, { filter, days } = {}) => {
    const { figures, chart } = item;
    if (!figures) return toPage('/projects/$projectId/explore', { projectId });
    const { from, to, compare } = readAsked(figures);
    const view = readKept({ ...figures.query, compare: undefined, chart: chart ?? 'table' } as KeptQuestion);
    return toPage(
      '/projects/$projectId/explore',
      { projectId },
      {
        ...view,
        ...{ from, to, ...days },
        ...(compare && !days && { compare: 'custom' as const, compare_from: compare.from, compare_to: compare.to }),
        ...(filter && { filters: filterTo(view.filters, ...filter) }),
      },
    );
  };
