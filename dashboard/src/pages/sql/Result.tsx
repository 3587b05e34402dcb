/** The rows of a statement: what it took, and a table, a chart or a pivot. */
import { Alert, Skeleton, Text } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import { ApiFailure } from '../../api/client';
import type { SqlResult } from '../../api/sql';
import { EmptyState } from '../../components/EmptyState';
import { ErrorBox } from '../../components/ErrorBox';
import { Panel } from '../../components/Panel';
import { useView } from '../../search';
import { useFormats } from '../../session';
import { texts } from '../../texts';
import { engineers as engineersTexts } from '../../texts/engineers';
import { Drawing } from './Drawing';
import { PivotTable } from './PivotTable';
import { Rows } from './Rows';
import { sqlSearch } from './search';
import classes from './Sql.module.css';
import { Tools } from './Tools';

const text = engineersTexts.sql;
const REFUSED = 400;

interface Props {
  readonly statement: string | undefined;
  readonly answer: UseQueryResult<SqlResult>;
}

export function Result({ statement, answer: { data, error, isFetching, refetch } }: Props) {
  const { count } = useFormats();
  const [{ view }] = useView(sqlSearch);
  if (statement === undefined || (!data && !error && !isFetching))
    return (
      <Panel title={texts.result}>
        <EmptyState title={statement === undefined ? text.resultEmpty : text.cancelled} />
      </Panel>
    );
  if (error && !isFetching) return <Refusal error={error} onRetry={() => void refetch()} />;
  const isFlush = view === 'table' || view === 'pivot';
  const about = data ? text.summary(count(data.rows.length), count(data.elapsed_ms)) : texts.loading;
  return (
    <Panel title={texts.result} about={about} tools={<Tools statement={statement} result={data} />} flush={isFlush}>
      {data?.truncated && (
        <Text size="xs" c="var(--app-bad)" px={isFlush ? 'md' : 0} pb="xs" role="status">
          {text.truncated}
        </Text>
      )}
      {data ? (
        <Shown result={data} view={view} stale={isFetching} />
      ) : (
        <Skeleton height={220} m={isFlush ? 'md' : 0} w="auto" />
      )}
    </Panel>
  );
}

function Shown({ result, view, stale }: { result: SqlResult; view: string; stale: boolean }) {
  if (view === 'table') return <Rows result={result} stale={stale} />;
  if (view === 'pivot') return <PivotTable result={result} stale={stale} />;
  return <Drawing result={result} shape={view === 'bar' ? 'bar' : 'line'} stale={stale} />;
}

function Refusal({ error, onRetry }: { error: Error; onRetry: () => void }) {
  if (!(error instanceof ApiFailure) || error.status !== REFUSED) return <ErrorBox error={error} onRetry={onRetry} />;
  return (
    <Alert variant="light" color="red" title={text.failed} role="alert">
      <div className={classes.error}>{error.message}</div>
    </Alert>
  );
}
