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

export function useParts(open: readonly string[], question: (path: readonly string[]) => Question) {
  const { id } = useProject();
  const paths = open.flatMap((name) => [readPath(name) ?? []]).filter((path) => path.length > 0);
  const answers = useQueries({
    queries: paths.map((path) => ({ ...reportQuery(id, question(path)), placeholderData: undefined })),
  });
  const below = new Map(paths.map((path, at) => [openName(path), answers[at]]));
  function withParts(row: Row, sort: string): Row[] {
    const answer = below.get(openName(row.path));
    if (!answer || row.kind === 'organic') return [row];
    if (answer.error) return [row, noteRow(row, campaignsTexts.failedBelow)];
    if (!answer.data) return [row, noteRow(row, '', 'loading')];
    const parts = sorted(partRows(row, answer.data), sort);
    return [row, ...parts.flatMap((part) => (part.kind === 'ad_set' ? withParts(part, sort) : [part]))];
  }
  return withParts;
}
