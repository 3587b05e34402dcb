/** How much there is of a person, before they are forgotten and in receipts. */
import { Loader, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { PersonCounts, Receipt } from '../../api/admin';
import { api, unwrapData } from '../../api/client';
import { ErrorBox } from '../../components/ErrorBox';
import { useFormats, useProject } from '../../session';
import { erasure as text } from '../../texts/erasure';

/** What a project knows somebody by. */
export interface Identifier {
  readonly kind: Receipt['kind'];
  readonly value: string;
}

/** What there is any of: "2 installs, 5 app events"; empty for nothing. */
function useCounts(): (counts: PersonCounts) => string {
  const { count } = useFormats();
  return (counts) =>
    Object.entries(counts)
      .filter(([, many]) => many > 0)
      .map(([name, many]) => {
        const words = text.counted[name] ?? [name, name];
        return `${count(many)} ${words[many === 1 ? 0 : 1]}`;
      })
      .join(', ');
}

/** Asked anew each time it is shown, and kept nowhere: the identifier is the person's. */
export function Found({ kind, value }: Identifier) {
  const { id } = useProject();
  const write = useCounts();
  const { data, error, refetch } = useQuery({
    queryKey: ['person', id, kind, value],
    queryFn: ({ signal }) =>
      unwrapData(
        api.POST('/admin/v1/projects/{id}/persons/count', { params: { path: { id } }, body: { kind, value }, signal }),
      ),
    staleTime: 0,
    gcTime: 0,
    retry: false,
  });
  if (error) return <ErrorBox error={error} onRetry={() => void refetch()} />;
  if (!data) return <Loader size="xs" />;
  const counts = write(data);
  return (
    <Text size="sm" role="status">
      {counts === '' ? (
        text.foundNothing
      ) : (
        <>
          {text.found}: <b>{counts}</b>
        </>
      )}
    </Text>
  );
}

/** In a receipt: unknown before the person is hidden. */
export function FoundCounts({ found }: Pick<Receipt, 'found'>) {
  const write = useCounts();
  return <>{found ? write(found) || text.nothingFound : '–'}</>;
}
