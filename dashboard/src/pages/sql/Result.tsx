/** The rows of a statement: what it took, a table or a chart, and a file. */
import { Alert, Button, Group, SegmentedControl, Select, Skeleton, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconDownload } from '@tabler/icons-react';
import { useMutation, type UseQueryResult } from '@tanstack/react-query';
import { useMemo } from 'react';
import { ApiFailure, unwrapData, projectApi } from '../../api/client';
import type { SqlResult } from '../../api/sql';
import { DataTable } from '../../components/DataTable';
import { EmptyState } from '../../components/EmptyState';
import { ErrorBox, readMessage } from '../../components/ErrorBox';
import { Panel } from '../../components/Panel';
import { saveBlob } from '../../components/files';
import { TimeChart } from '../../components/chart/TimeChart';
import type { Column } from '../../components/table-columns';
import { useView } from '../../search';
import { useFormats, useProject } from '../../session';
import { texts } from '../../texts';
import { sqlSearch, VIEWS } from './search';
import classes from './Sql.module.css';
import { isNumeric, labelText, readNumber, valueText } from './values';
import { engineers as engineersTexts } from '../../texts/engineers';

const text = engineersTexts.sql;
const HEIGHT = 520;
const REFUSED = 400;

interface Props {
  readonly statement: string | undefined;
  readonly answer: UseQueryResult<SqlResult>;
}

export function Result({ statement, answer: { data, error, isFetching, refetch } }: Props) {
  const { count } = useFormats();
  const [{ view }, setView] = useView(sqlSearch);
  if (statement === undefined)
    return (
      <Panel title={texts.result}>
        <EmptyState title={text.resultEmpty} />
      </Panel>
    );
  if (error && !isFetching) return <Refusal error={error} onRetry={() => void refetch()} />;
  const summary = data && [
    text.summary(count(data.rows.length), count(data.elapsed_ms)),
    ...(data.rows_read === null ? [] : [text.read(count(data.rows_read))]),
  ];
  const tools = (
    <>
      <SegmentedControl
        size="xs"
        aria-label={text.viewLabel}
        value={view}
        data={VIEWS.map((value) => ({ value, label: text.views[value] }))}
        onChange={(next) => setView({ view: next }, { replace: true })}
      />
      <Download statement={statement} />
    </>
  );
  return (
    <Panel title={texts.result} about={summary?.join(' · ') ?? texts.loading} tools={tools} flush={view === 'table'}>
      {data?.truncated && (
        <Text size="xs" c="var(--app-bad)" px={view === 'table' ? 'md' : 0} pb="xs" role="status">
          {text.truncated}
        </Text>
      )}
      {!data && <Skeleton height={220} m={view === 'table' ? 'md' : 0} w="auto" />}
      {data && view === 'table' && <Rows result={data} stale={isFetching} />}
      {data && view !== 'table' && <Drawing result={data} shape={view} stale={isFetching} />}
    </Panel>
  );
}

function Refusal({ error, onRetry }: { error: Error; onRetry: () => void }) {
  if (!(error instanceof ApiFailure) || error.status !== REFUSED) return <ErrorBox error={error} onRetry={onRetry} />;
  return (
    <Alert variant="light" color="red" title={text.failed} role="alert">
      <div className={classes.error}>{error.message}</div>
    </Alert>
  );
}

interface Row {
  readonly at: number;
  readonly values: readonly unknown[];
}

function Rows({ result, stale }: { result: SqlResult; stale: boolean }) {
  const columns = useMemo(
    () =>
      result.columns.map(({ name, type }, at): Column<Row> => ({
        id: `${at} ${name}`,
        header: name,
        about: type,
        kind: isNumeric(type) ? 'count' : 'text',
        value: () => null,
        cell: ({ values }) => <span className={classes.cell}>{valueText(values[at])}</span>,
      })),
    [result],
  );
  const rows = useMemo(() => result.rows.map((values, at): Row => ({ at, values })), [result]);
  return (
    <DataTable
      label={texts.result}
      columns={columns}
      rows={rows}
      rowId={({ at }) => String(at)}
      stale={stale}
      maxHeight={HEIGHT}
      empty={<EmptyState title={text.noRows} />}
    />
  );
}

interface DrawingProps {
  readonly result: SqlResult;
  readonly shape: 'line' | 'bar';
  readonly stale: boolean;
}

/** By default all columns of numbers are drawn over the first column of anything else. */
function Drawing({ result, shape, stale }: DrawingProps) {
  const [{ x, y }, setView] = useView(sqlSearch);
  const names = result.columns.map(({ name }) => name);
  const numbers = result.columns.filter(({ type }) => isNumeric(type)).map(({ name }) => name);
  const labelName = x && names.includes(x) ? x : (names.find((name) => !numbers.includes(name)) ?? names[0]);
  const drawn = y && numbers.includes(y) ? [y] : numbers.filter((name) => name !== labelName);
  const at = labelName === undefined ? -1 : names.indexOf(labelName);
  const labels = useMemo(() => result.rows.map((row) => valueText(row[at])), [result, at]);
  const series = useMemo(
    () =>
      drawn.map((name) => {
        const column = names.indexOf(name);
        return { name, values: result.rows.map((row) => readNumber(row[column])) };
      }),
    [result, drawn.join('\n')],
  );
  if (labelName === undefined || series.length === 0) return <EmptyState title={text.noChart} />;
  return (
    <>
      <Group gap="xs" pb="xs">
        <Select
          size="xs"
          label={text.x}
          data={names}
          value={labelName}
          allowDeselect={false}
          onChange={(next) => setView({ x: next ?? undefined }, { replace: true })}
        />
        <Select
          size="xs"
          label={text.y}
          data={numbers}
          value={y ?? null}
          placeholder={drawn.join(', ')}
          clearable
          clearButtonProps={{ 'aria-label': texts.remove }}
          onChange={(next) => setView({ y: next ?? undefined }, { replace: true })}
        />
      </Group>
      <TimeChart
        title={texts.result}
        kind="count"
        labels={labels}
        formatLabel={labelText}
        labelName={labelName}
        series={series}
        shape={shape}
        height={340}
        stale={stale}
      />
    </>
  );
}

function Download({ statement }: { statement: string }) {
  const { id, name } = useProject();
  const csv = useMutation({
    mutationFn: async () => {
      const params = { query: { format: 'csv' as const, bom: true } };
      const options = { body: { query: statement }, params, parseAs: 'blob' as const };
      const file = `${name} sql.csv`.toLowerCase().replace(/[^a-z0-9.]+/g, '-');
      saveBlob(file, await unwrapData<Blob>(projectApi(id).POST('/api/v1/sql', options)));
    },
    onError: (error) => notifications.show({ color: 'red', title: texts.tools.failed, message: readMessage(error) }),
  });
  return (
    <Button
      size="xs"
      variant="default"
      leftSection={<IconDownload size={15} />}
      loading={csv.isPending}
      onClick={() => csv.mutate()}
    >
      {texts.tools.csv}
    </Button>
  );
}
