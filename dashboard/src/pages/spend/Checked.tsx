/** What a file would bring: counts, sums, days, what has no exchange rate, and the first rows as they are stored. */
import { Alert, Anchor, Group, Paper, Stack, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { toPage } from '../../addresses';
import { DataTable } from '../../components/DataTable';
import { Panel } from '../../components/Panel';
import type { Column } from '../../components/table-columns';
import { useFormats, useProject } from '../../session';
import { spend as text } from '../../texts/spend';
import type { Uploaded } from './send-file';

type Sample = Uploaded['sample'][number];

/** Columns that no row says anything in are left out. */
const OPTIONAL = [
  'network',
  'account',
  'campaign_name',
  'ad_set_id',
  'ad_set_name',
  'ad_id',
  'ad_name',
  'keyword_id',
  'keyword_name',
  'platform',
] as const;
const MAX_DAYS = 5;

export function Checked({ name, uploaded, children }: { name: string; uploaded: Uploaded; children: ReactNode }) {
  const formats = useFormats();
  const { accepted, refused, totals, sums, first_day: first, last_day: last } = uploaded;
  return (
    <Stack gap="md">
      <Paper p="md">
        <Text size="sm" c="dimmed">
          {text.checked(name)}
        </Text>
        <Group gap="xl" my="xs">
          <Text fw={600} size="lg" c="var(--app-good)">
            {text.good(formats.count(accepted))}
          </Text>
          <Text fw={600} size="lg" c={refused > 0 ? 'var(--app-bad)' : 'dimmed'}>
            {text.bad(formats.count(refused))}
          </Text>
          {totals > 0 && (
            <Text size="lg" c="dimmed">
              {text.totals(formats.count(totals), totals === 1)}
            </Text>
          )}
        </Group>
        {first !== null && last !== null && (
          <Text size="sm" mb="sm">
            {text.brings(
              sums.map(({ currency, spend }) => `${spend} ${currency}`).join(', '),
              formats.range(first, last),
            )}
          </Text>
        )}
        {refused > 0 && (
          <Text size="sm" c="dimmed" mb="sm">
            {accepted > 0 ? text.onlyGood : text.noneGood}
          </Text>
        )}
        {children}
      </Paper>
      <WithoutRate uploaded={uploaded} />
      <SampleRows rows={uploaded.sample} />
    </Stack>
  );
}

function WithoutRate({ uploaded: { unpriced } }: { uploaded: Uploaded }) {
  const formats = useFormats();
  const { id } = useProject();
  if (unpriced.length === 0) return null;
  return (
    <Alert
      variant="light"
      color="yellow"
      icon={<IconAlertTriangle size={18} />}
      title={text.unpriced}
      styles={{ title: { color: 'var(--mantine-color-text)' } }}
    >
      <Stack gap={6}>
        {unpriced.map((one) => (
          <Text key={one.currency} size="sm">
            {text.unpricedRows({
              amount: `${one.spend} ${one.currency}`,
              lacking: one.lacking.join(', '),
              days: one.days.slice(0, MAX_DAYS).map(formats.day).join('; '),
              more: Math.max(0, one.day_count - MAX_DAYS),
            })}
          </Text>
        ))}
        <Anchor
          size="sm"
          underline="always"
          component={Link}
          {...toPage('/projects/$projectId/settings', { projectId: id }, { section: 'rates' })}
        >
          {text.toRates}
        </Anchor>
      </Stack>
    </Alert>
  );
}

function SampleRows({ rows }: { rows: readonly Sample[] }) {
  const formats = useFormats();
  if (rows.length === 0) return null;
  const { fields } = text.mapping;
  const shown = OPTIONAL.filter((field) => rows.some((row) => row[field] !== ''));
  const columns: Column<Sample>[] = [
    { id: 'row', header: text.line, value: ({ row }) => row, kind: 'count' },
    { id: 'date', header: fields.date, value: ({ date }) => date, cell: ({ date }) => formats.day(date) },
    { id: 'campaign_id', header: fields.campaign_id, value: (row) => row.campaign_id },
    ...shown.map((field): Column<Sample> => ({ id: field, header: fields[field], value: (row) => row[field] })),
    { id: 'impressions', header: fields.impressions, value: (row) => row.impressions, kind: 'count' },
    { id: 'clicks', header: fields.clicks, value: (row) => row.clicks, kind: 'count' },
    {
      id: 'spend',
      header: fields.spend,
      value: (row) => Number(row.spend),
      kind: 'count',
      cell: (row) => `${row.spend} ${row.currency}`,
    },
  ];
  return (
    <Panel title={text.sample} about={text.sampleAbout} flush>
      <DataTable label={text.sample} columns={columns} rows={rows} rowId={({ row }) => String(row)} />
    </Panel>
  );
}
