/** Who changed what: of the account of a project, or of the whole installation. */
import { Button, Group, Select, Text, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { useInfiniteQuery, useMutation } from '@tanstack/react-query';
import { api, unwrapData } from '../../api/client';
import { ErrorBox, readMessage } from '../../components/ErrorBox';
import { saveRows, type CsvRow } from '../../components/files';
import { PageBody } from '../../components/PageBody';
import { PageHeader } from '../../components/page-header';
import { Panel } from '../../components/Panel';
import { useView } from '../../search';
import { useFormats, useMe, usePlace } from '../../session';
import { texts } from '../../texts';
import { Entries, toCsvRow } from './Entries';
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

const readPage = (query: object, signal?: AbortSignal) =>
  unwrapData(api.GET('/auth/v1/audit-log', { params: { query }, signal }));

/** What the view asks for. */
function useFilters() {
  const accountId = useAccountId();
  const [view] = useView(auditLogSearch);
  const { actor, action, subject, project, from, to } = view;
  return {
    ...(accountId !== undefined && { account_id: accountId }),
    ...(project !== undefined && { project_id: project }),
    ...(actor && { actor }),
    ...(action !== 'any' && { action }),
    ...(subject && { subject }),
    ...(from && { from: `${from}T00:00:00Z` }),
    ...(to && { to: nextDay(to) }),
  };
}

function useAuditLog() {
  const filters = useFilters();
  return useInfiniteQuery({
    queryKey: ['audit log', filters],
    queryFn: ({ signal, pageParam }) =>
      readPage({ ...filters, limit: PAGE, ...(pageParam && { before: pageParam }) }, signal),
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
      <PageHeader withZone title={texts.titles.auditLog} about={isAll ? text.aboutAll : text.about}>
        <Download />
      </PageHeader>
      <Filters />
      {error ? (
        <ErrorBox error={error} onRetry={() => void refetch()} />
      ) : (
        <Panel title={texts.titles.auditLog} flush>
          <Entries
            entries={data?.pages.flatMap(({ entries, names }) => entries.map((entry) => ({ ...entry, names })))}
            loading={isPending}
          />
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

/** As many as a file has. */
const MOST = 10_000;
const AT_ONCE = 1000;

function Download() {
  const filters = useFilters();
  const { count } = useFormats();
  const save = useMutation({
    mutationFn: async () => {
      const rows: CsvRow[] = [];
      let before: number | null = null;
      do {
        const page: Awaited<ReturnType<typeof readPage>> = await readPage({
          ...filters,
          limit: AT_ONCE,
          ...(before !== null && { before }),
        });
        rows.push(...page.entries.map((entry) => toCsvRow({ ...entry, names: page.names })));
        before = page.next_before;
      } while (before !== null && rows.length < MOST);
      await saveRows(`${texts.titles.auditLog}.csv`, rows);
      notifications.show({ message: text.downloaded(count(rows.length)) });
    },
    onError: (error) => notifications.show({ color: 'red', message: readMessage(error) }),
  });
  return (
    <Button size="xs" variant="default" loading={save.isPending} onClick={() => save.mutate()}>
      {text.download}
    </Button>
  );
}

function Filters() {
  const [{ actor, action, subject, project, from, to }, setView] = useView(auditLogSearch);
  const setActor = useDebouncedCallback((next: string) => setView({ actor: next || undefined }), TYPING_MS);
  const { timezone } = useFormats();
  const accountId = useAccountId();
  const projects = useMe().projects.filter((one) => accountId === undefined || one.account_id === accountId);
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
      <Select
        size="xs"
        label={text.filterProject}
        placeholder={text.any}
        clearable
        clearButtonProps={{ 'aria-label': texts.remove }}
        searchable
        data={projects.map(({ id, name }) => ({ value: String(id), label: name }))}
        value={project === undefined ? null : String(project)}
        onChange={(next) => setView({ project: next ? Number(next) : undefined })}
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
