/** Puts the parts of open rows below them: ad sets of campaigns, ads of ad sets, each asked for when it is opened. */
import { useQueries } from '@tanstack/react-query';
import { reportQuery, type Question } from '../../api/queries';
import { useProject } from '../../session';
import { noteRow, openName, partRows, sorted, type Row } from './rows';
import { campaigns as campaignsTexts } from '../../texts/campaigns';

/** The path of an open row; undefined for what is no path. */
function readPath(name: string): string[] | undefined {
  try {
    const path: unknown = JSON.parse(name);
    const isPath = Array.isArray(path) && path.length >= 1 && path.length <= 2;
    return isPath && path.every((one) => typeof one === 'string') ? path : undefined;
  } catch {
    return undefined;
  }
}

/** `questions`: of the parts of a row; the first has the figures of the period, the others those of cohorts. */
export function useParts(open: readonly string[], questions: (path: readonly string[]) => readonly Question[]) {
  const { id } = useProject();
  const paths = open.flatMap((name) => [readPath(name) ?? []]).filter((path) => path.length > 0);
  const asked = paths.map((path) => questions(path));
  const answers = useQueries({
    queries: asked.flat().map((question) => ({ ...reportQuery(id, question), placeholderData: undefined })),
  });
  const starts = asked.map((_, at) => asked.slice(0, at).flat().length);
  const below = new Map(
    paths.map((path, at) => {
      const start = starts[at] as number;
      return [openName(path), answers.slice(start, start + (asked[at]?.length ?? 0))];
    }),
  );
  function withParts(row: Row, sort: string): Row[] {
    const [answer, ...cohorts] = below.get(openName(row.path)) ?? [];
    if (!answer || row.kind === 'organic') return [row];
    if (answer.error) return [row, noteRow(row, campaignsTexts.failedBelow)];
    if (!answer.data) return [row, noteRow(row, '', 'loading')];
    const later = cohorts.map(({ data }) => data);
    const parts = sorted(partRows(row, answer.data, later), sort);
    return [row, ...parts.flatMap((part) => (part.kind === 'ad_set' ? withParts(part, sort) : [part]))];
  }
  return withParts;
}
