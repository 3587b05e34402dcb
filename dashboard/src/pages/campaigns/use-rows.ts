/** What the list shows: the answers as rows, narrowed, sorted, and cut into pages. */
import { useMemo } from 'react';
import { useCampaigns } from '../../api/campaigns';
import { useReport } from '../../api/queries';
import { usePeriod } from '../../period';
import type { Static } from '../../search';
import { useProject } from '../../session';
import { listMetrics, listQuestion, partsQuestion, readFigures } from './questions';
import { campaignRows, narrowed, sorted, type Row } from './rows';
import type { campaignsSearch } from './search';
import { useParts } from './use-parts';

const ON_PAGE = 50;
export const DEFAULT_SORT = '-spend';

const countCampaigns = (rows: readonly Row[] = []) => rows.filter(({ kind }) => kind === 'campaign').length;

/** `shown`: the columns, which say what is asked. */
export function useRows(view: Static<typeof campaignsSearch>, shown: readonly string[]) {
  const { filters, state, search, sort = DEFAULT_SORT, page, open = [] } = view;
  const [period] = usePeriod();
  const { id } = useProject();
  const asked = { period, filters, metrics: listMetrics(shown) };
  const question = listQuestion(asked);
  const report = useReport(id, question);
  const campaigns = useCampaigns(id);
  const withParts = useParts(open, (path) => partsQuestion(asked, path));
  const all = useMemo(
    () => report.data && campaigns.data && campaignRows(report.data, campaigns.data, filters === undefined),
    [report.data, campaigns.data, filters],
  );
  const found = useMemo(() => all && sorted(narrowed(all, { state, search }), sort), [all, state, search, sort]);
  const isNarrowed = state !== 'all' || Boolean(search);
  const totals = useMemo(() => {
    if (!report.data?.totals || !found || isNarrowed) return undefined;
    return readFigures(report.data, report.data.totals);
  }, [report.data, found, isNarrowed]);
  const pages = Math.max(1, Math.ceil((found?.length ?? 0) / ON_PAGE));
  const current = Math.min(page, pages);
  const onPage = found?.slice((current - 1) * ON_PAGE, current * ON_PAGE);
  return {
    question,
    report,
    error: report.error ?? campaigns.error,
    refetch: () => void Promise.all([report.refetch(), campaigns.refetch()]),
    all,
    rows: onPage?.flatMap((row) => withParts(row, sort)),
    totals,
    pages,
    current,
    count: countCampaigns(found),
    countAll: countCampaigns(all),
  };
}
