/** The page of what is sent to receivers: a list, and a button that opens the form for a new one. */
import { Alert as Notice, Button } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useMay } from '../../session';
import { DataTable } from '../DataTable';
import { EmptyState } from '../EmptyState';
import { ErrorBox } from '../ErrorBox';
import { PageHeader } from '../page-header';
import { PageBody } from '../PageBody';
import { Panel } from '../Panel';
import type { Column } from '../table-columns';

interface Props<Row> {
  readonly title: string;
  readonly text: Readonly<Record<'about' | 'create' | 'noMail' | 'empty' | 'emptyText', string>>;
  readonly list: UseQueryResult<{ readonly mail: boolean }>;
  readonly rows: readonly Row[] | undefined;
  readonly columns: readonly Column<Row>[];
  readonly onCreate: () => void;
  /** Above the list. */
  readonly notices?: ReactNode;
  /** The form, where it is open. */
  readonly children: ReactNode;
}

export function SentPage<Row extends { readonly id: number }>(props: Props<Row>) {
  const { title, text, rows, columns, onCreate, notices, children } = props;
  const { data, error, isPending, refetch } = props.list;
  const create = useMay('boards') && (
    <Button size="xs" onClick={onCreate}>
      {text.create}
    </Button>
  );
  return (
    <PageBody>
      <PageHeader title={title} about={text.about}>
        {create}
      </PageHeader>
      {data && !data.mail && (
        <Notice variant="light" color="yellow" p="xs">
          {text.noMail}
        </Notice>
      )}
      {notices}
      <Panel title={title} flush>
        {error ? (
          <ErrorBox error={error} onRetry={() => void refetch()} />
        ) : (
          <DataTable
            columns={columns}
            rows={rows}
            rowId={({ id }) => String(id)}
            label={title}
            loading={isPending}
            empty={
              <EmptyState title={text.empty} text={text.emptyText}>
                {create}
              </EmptyState>
            }
          />
        )}
      </Panel>
      {children}
    </PageBody>
  );
}
