/** A table of a project's things, each of which can be edited or deleted, and a new one added. */
import { Button, Group } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { ConfirmButton } from '../../components/ConfirmButton';
import { DataTable } from '../../components/DataTable';
import { EmptyState } from '../../components/EmptyState';
import { ErrorBox } from '../../components/ErrorBox';
import { Panel } from '../../components/Panel';
import type { Column } from '../../components/table-columns';

interface Props<T> {
  readonly title: string;
  readonly text: {
    readonly about: string;
    readonly action: string;
    readonly edit: string;
    readonly add: string;
    readonly empty: string;
    readonly emptyText: string;
    readonly remove: string;
    readonly removeTitle: (name: string) => string;
    readonly removeText: string;
    readonly removed: string;
  };
  readonly answer: UseQueryResult<readonly T[]>;
  readonly columns: readonly Column<T>[];
  readonly nameOf: (one: T) => string;
  /** The form of one, or of a new one. */
  readonly form: (one: T | undefined, onClose: () => void) => ReactNode;
  readonly remove: (one: T) => Promise<unknown>;
}

export function EditableList<T extends { readonly id: number }>({
  title,
  text,
  answer: { data, error, isPending, refetch },
  columns,
  nameOf,
  form,
  remove,
}: Props<T>) {
  const [edited, setEdited] = useState<T | 'new'>();
  const action: Column<T> = {
    id: 'action',
    header: text.action,
    canSort: false,
    value: () => null,
    cell: (one) => (
      <Group gap={6} wrap="nowrap">
        <Button
          size="compact-xs"
          variant="default"
          aria-label={`${text.edit} ${nameOf(one)}`}
          onClick={() => setEdited(one)}
        >
          {text.edit}
        </Button>
        <ConfirmButton
          label={text.remove}
          name={`${text.remove} ${nameOf(one)}`}
          title={text.removeTitle(nameOf(one))}
          text={text.removeText}
          confirm={text.remove}
          done={text.removed}
          action={() => remove(one)}
        />
      </Group>
    ),
  };
  const add = (
    <Button size="xs" variant="default" onClick={() => setEdited('new')}>
      {text.add}
    </Button>
  );
  return (
    <Panel title={title} about={text.about} tools={add} flush>
      {error ? (
        <ErrorBox error={error} onRetry={() => void refetch()} />
      ) : (
        <DataTable
          label={title}
          columns={[...columns, action]}
          rows={data}
          rowId={(one) => String(one.id)}
          loading={isPending}
          skeletons={2}
          empty={<EmptyState title={text.empty} text={text.emptyText} />}
        />
      )}
      {edited && form(edited === 'new' ? undefined : edited, () => setEdited(undefined))}
    </Panel>
  );
}
