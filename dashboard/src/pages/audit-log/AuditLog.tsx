/** Who changed what: of the account of a project, or of the whole installation. */
import { Button, Group, Select, Text, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { useInfiniteQuery } from '@tanstack/react-query';
import { api, unwrapData } from '../../api/client';
import { ErrorBox } from '../../components/ErrorBox';
import { PageBody } from '../../components/PageBody';
import { PageHeader } from '../../components/page-header';
import { Panel } from '../../components/Panel';
import { useView } from '../../search';
import { useFormats, useMe, usePlace } from '../../session';
import { texts } from '../../texts';
import { Entries } from './Entries';
import { ACTIONS, auditLogSearch } from './search';
import { auditLog as text } from '../../texts/audit-log';

const PAGE = 50;
const TYPING_MS = 400;
const nextDay = (day: string) => new Date(Date.parse(`${day}T00:00:00Z`) + 24 * 3600 * 1000).toISOString();

/** The account of the project that the page is about; undefined for the installation. */
function useAccountId(): number | undefined {
  const place = usePlace();
  const { projects } = useMe();
  return place?.area === 'project' ? projects.find(({ id }) => id === place.id)?.account_id : undefined;
}

function useAuditLog() {
  const accountId = useAccountId();
  const [view] = useView(auditLogSearch);
  const { actor, action, subject, from, to } = view;
  const filters = {
    ...(accountId !== undefined && { account_id: accountId }),
    ...(actor && { actor }),
    ...(action !== 'any' && { action }),
    ...(subject && { subject }),
    ...(from && { from: `${from}T00:00:00Z` }),
    ...(to && { to: nextDay(to) }),
    limit: PAGE,
  };
  return useInfiniteQuery({
    queryKey: ['audit log', filters],
    queryFn: ({ signal, pageParam }) => {
      const query = { ...filters, ...(pageParam && { before: pageParam }) };
      return unwrapData(api.GET('/auth/v1/audit-log', { params: { query }, signal }));
    },
    initialPageParam: undefined as number | undefined,
    getNextPageParam: ({ next_before }) => next_before ?? undefined,
    staleTime: 0,
  });
}

export default function AuditLog() {
  const isAll = useAccountId() === undefined;
  const { data, error, isPending, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useAuditLog();
  return (
    <PageBody>
      <PageHeader title={texts.titles.auditLog} about={isAll ? text.aboutAll : text.about} />
      <Filters />
      {error ? (
        <ErrorBox error={error} onRetry={() => void refetch()} />
      ) : (
        <Panel title={texts.titles.auditLog} flush>
          <Entries entries={data?.pages.flatMap(({ entries }) => entries)} loading={isPending} />
          {data && (
            <Group justify="center" p="sm">
              {hasNextPage ? (
                <Button size="xs" variant="default" loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
                  {text.older}
                </Button>
              ) : (
                <Text size="xs" c="dimmed">
                  {text.end}
                </Text>
              )}
            </Group>
          )}
        </Panel>
      )}
    </PageBody>
  );
}

function Filters() {
  const [{ actor, action, subject, from, to }, setView] = useView(auditLogSearch);
  const setActor = useDebouncedCallback((next: string) => setView({ actor: next || undefined }), TYPING_MS);
  const { timezone } = useFormats();
  return (
    <Group gap="xs" align="flex-end">
      <TextInput
        size="xs"
        label={text.filterActor}
        placeholder={text.filterActorHint}
        defaultValue={actor ?? ''}
        onChange={({ currentTarget }) => setActor(currentTarget.value)}
      />
      <Select
        size="xs"
        label={texts.action}
        data={ACTIONS.map((one) => ({ value: one, label: one === 'any' ? text.any : text.actions[one] }))}
        allowDeselect={false}
        value={action}
        onChange={(next) => setView({ action: next ?? 'any' })}
        w={120}
      />
      <Select
        size="xs"
        label={text.filterSubject}
        placeholder={text.any}
        clearable
        clearButtonProps={{ 'aria-label': texts.remove }}
        searchable
        data={Object.entries(text.subjects).map(([value, label]) => ({ value, label }))}
        value={subject ?? null}
        onChange={(next) => setView({ subject: next ?? undefined })}
        w={170}
      />
      <TextInput
        size="xs"
        type="date"
        label={texts.from}
        title={timezone}
        value={from ?? ''}
        onChange={({ currentTarget }) => setView({ from: currentTarget.value || undefined })}
      />
      <TextInput
        size="xs"
        type="date"
        label={texts.to}
        value={to ?? ''}
        onChange={({ currentTarget }) => setView({ to: currentTarget.value || undefined })}
      />
    </Group>
  );
}
