/** A batch that is tried out: what each of its records would be answered, in order. */
import { Badge, Group, SimpleGrid, Stack, Switch, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { DataTable } from '../../components/DataTable';
import { EmptyState } from '../../components/EmptyState';
import { ErrorBox } from '../../components/ErrorBox';
import { Panel } from '../../components/Panel';
import type { Column } from '../../components/table-columns';
import { useFormats, usePartner } from '../../session';
import { texts } from '../../texts';
import { partner as partnerTexts } from '../../texts/partner';
import { refusalText } from '../../texts/refusals';
import { PastedText, TestButtons } from './request-parts';
import { tryBatch, type BatchTrial } from './trial';

const text = partnerTexts.bench;
/** As the service takes it. */
const MAX_BYTES = 1024 * 1024;
const MAX_HEIGHT = '60vh';
const EXAMPLE = [
  '{"kind":"click","app_id":"com.example.shop","c":"CAMPAIGN","tid":"test-1","ip":"203.0.113.7"}',
  '{"kind":"click","app_id":"com.example.shop","c":"CAMPAIGN","tid":"{click_id}","ip":"203.0.113.7"}',
].join('\n');

type Result = BatchTrial['results'][number] & { readonly place: number };

const COLUMNS: readonly Column<Result>[] = [
  { id: 'place', header: text.record, kind: 'count', value: ({ place }) => place },
  {
    id: 'outcome',
    header: text.outcome,
    value: ({ outcome }) => outcome,
    cell: ({ outcome, reason }) => (
      <Badge size="sm" variant="light" tt="none" color={outcome === 'accepted' ? 'teal' : 'red'}>
        {outcome === 'accepted' ? text.accepted : refusalText(reason ?? '').label}
      </Badge>
    ),
  },
  { id: 'status', header: texts.status, value: ({ status }) => status },
  {
    id: 'found',
    header: text.found,
    value: ({ detail }) => detail ?? null,
    cell: ({ detail }) => (
      <Text size="sm" miw={220} style={{ overflowWrap: 'anywhere' }}>
        {detail ?? texts.none}
      </Text>
    ),
  },
];

export function Batch() {
  const { id } = usePartner();
  const formats = useFormats();
  const [body, setBody] = useState('');
  const [isAsked, setAsked] = useState(false);
  const [onlyRefused, setOnlyRefused] = useState(false);
  const trial = useMutation({ mutationFn: (asked: string) => tryBatch(id, asked) });
  const problem =
    body.trim() === '' ? text.batchEmpty : new Blob([body]).size > MAX_BYTES ? text.batchTooLong : undefined;
  const results = trial.data?.results.map((one, at) => ({ ...one, place: at + 1 }));
  const isChanged = trial.variables !== undefined && trial.variables !== body;
  return (
    <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="md">
      <Panel title={text.request}>
        <form
          onSubmit={(event) => {
            event.preventDefault();
            setAsked(true);
            if (!problem) trial.mutate(body);
          }}
        >
          <Stack gap="md" mt="xs">
            <PastedText
              label={text.batch}
              description={text.batchAbout}
              minRows={8}
              maxRows={22}
              value={body}
              error={isAsked ? problem : undefined}
              onChange={({ currentTarget }) => setBody(currentTarget.value)}
            />
            <TestButtons isPending={trial.isPending} onExample={() => setBody(EXAMPLE)} />
          </Stack>
        </form>
      </Panel>
      <Panel title={texts.result} flush={results !== undefined}>
        <div aria-live="polite">
          {trial.error && <ErrorBox error={trial.error} />}
          {!trial.error && !trial.data && <EmptyState title={text.outcome} text={text.batchWaiting} />}
          {isChanged && !trial.isPending && (
            <Text size="sm" c="dimmed" px="md">
              {text.again}
            </Text>
          )}
          {trial.data && (
            <Group justify="space-between" px="md" py="xs">
              <Text size="sm" fw={500}>
                {text.batchSummary(formats.count(trial.data.accepted), formats.count(trial.data.rejected))}
              </Text>
              <Switch
                size="xs"
                label={text.onlyRefused}
                checked={onlyRefused}
                onChange={({ currentTarget }) => setOnlyRefused(currentTarget.checked)}
              />
            </Group>
          )}
        </div>
        {results && (
          <DataTable
            label={text.outcome}
            columns={COLUMNS}
            rows={onlyRefused ? results.filter(({ outcome }) => outcome === 'rejected') : results}
            rowId={({ place }) => String(place)}
            loading={false}
            stale={isChanged || trial.isPending}
            maxHeight={MAX_HEIGHT}
            empty={<EmptyState title={text.outcome} />}
          />
        )}
      </Panel>
    </SimpleGrid>
  );
}
