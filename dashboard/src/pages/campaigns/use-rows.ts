/** What the list shows: the answers as rows, narrowed, sorted, and cut into pages. All is asked at once. */
import { useQueries } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useCampaigns } from '../../api/campaigns';
import { reportQuery, useReport, type Report } from '../../api/queries';
import { useChanges } from '../../changes';
import { chooseHorizon } from '../../judge';
import { todayIn, usePeriod } from '../../period';
import type { Static } from '../../search';
import { useProject } from '../../session';
import {
  changeQuestion,
  cohortQuestion,
  listDays,
  listMetrics,
  listQuestion,
  ofOrganic,
  partsQuestion,
  readFigures,
  type Figures,
} from './questions';
import { campaignRows, narrowed, organicRow, sorted, type Row } from './rows';
import type { campaignsSearch } from './search';
import { useParts } from './use-parts';

const ON_PAGE = 50;
export const DEFAULT_SORT = '-spend';

const countCampaigns = (rows: readonly Row[] = []) => rows.filter(({ kind }) => kind === 'campaign').length;
const readTotals = (report: Report): Figures => readFigures(report, report.totals);

/** The day by which campaigns are judged. */
export function useHorizon(chosen: Static<typeof campaignsSearch>['horizon']): number {
  const [period] = usePeriod();
  const { timezone } = useProject();
  return chosen === 'auto' ? chooseHorizon(period, todayIn(timezone)) : Number(chosen);
}

/** `shown`: the columns, which say what is asked. */
export function useRows(view: Static<typeof campaignsSearch>, shown: readonly string[], horizon: number) {
  const { filters, state, search, sort = DEFAULT_SORT, page, open = [] } = view;
  const [period] = usePeriod();
  const { id, target_roas: target } = useProject();
  const asked = { period, filters, metrics: listMetrics(shown) };
  const days = listDays(shown, horizon);
  const question = listQuestion(asked);
  const cohortQuestions = days.map((day) => cohortQuestion(asked, day));
  const report = useReport(id, question);
  const changes = useChanges(changeQuestion(question), period);
  const organicChanges = useChanges(ofOrganic(changeQuestion(question)), period);
  const campaigns = useCampaigns(id);
  const cohorts = useQueries({ queries: cohortQuestions.map((one) => reportQuery(id, one)) });
  const organics = useQueries({
    queries: [question, ...cohortQuestions].map((one) => reportQuery(id, ofOrganic(one))),
  });
  const cohortReports = cohorts.flatMap(({ data }) => data ?? []);
  const withParts = useParts(open, (path) => [
    partsQuestion(asked, path),
    ...days.map((day) => partsQuestion(asked, path, day)),
  ]);
  const all = useMemo(
    () =>
      report.data &&
      campaigns.data &&
      campaignRows(
        report.data,
        campaigns.data,
        filters === undefined,
        cohortReports,
        { horizon, target },
        changes.read,
      ),
    [report.data, campaigns.data, filters, horizon, target, changes, ...cohorts.map(({ data }) => data)],
  );
  const found = useMemo(() => all && sorted(narrowed(all, { state, search }), sort), [all, state, search, sort]);
  const isNarrowed = state !== 'all' || Boolean(search);
  const totals = useMemo((): Figures | undefined => {
    if (!report.data?.totals || !found || isNarrowed) return undefined;
    return Object.assign(readTotals(report.data), ...cohortReports.map(readTotals)) as Figures;
  }, [report.data, found, isNarrowed, ...cohorts.map(({ data }) => data)]);
  const pages = Math.max(1, Math.ceil((found?.length ?? 0) / ON_PAGE));
  const current = Math.min(page, pages);
  const onPage = found?.slice((current - 1) * ON_PAGE, current * ON_PAGE);
  return {
    compared: changes.compared,
    question,
    report,
    target,
    /** Whether the campaigns are judged yet. */
    isJudged: cohorts[0]?.data !== undefined && !cohorts[0].isPlaceholderData,
    error: report.error ?? campaigns.error,
    refetch: () => void Promise.all([report.refetch(), campaigns.refetch()]),
    all,
    rows: onPage?.flatMap((row) => withParts(row, sort)),
    organic: isNarrowed
      ? undefined
      : organicRow(
          organics.map(({ data }) => data),
          organicChanges.read,
        ),
    organicReport: organics[0]?.data,
    totals,
    pages,
    current,
    count: countCampaigns(found),
    countAll: countCampaigns(all),
  };
}
