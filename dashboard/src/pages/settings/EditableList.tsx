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
import { texts } from '../../texts';

interface Props<T> {
  readonly title: string;
  readonly text: {
    readonly about: string;
    readonly add: string;
    readonly empty: string;
    readonly emptyText: string;
    readonly removeText: string;
    readonly removed: string;
  };
  readonly answer: UseQueryResult<readonly T[]>;
  readonly columns: readonly Column<T>[];
  readonly readName: (one: T) => string;
  /** The form of one, or of a new one. */
  readonly form: (one: T | undefined, onClose: () => void) => ReactNode;
  readonly remove: (one: T) => Promise<unknown>;
}

export function EditableList<T extends { readonly id: number }>({
  title,
  text,
  answer: { data, error, isPending, refetch },
  columns,
  readName,
  form,
  remove,
}: Props<T>) {
  const [edited, setEdited] = useState<T | 'new'>();
  const action: Column<T> = {
    id: 'action',
    header: texts.action,
    canSort: false,
    value: () => null,
    cell: (one) => (
      <Group gap={6} wrap="nowrap">
        <Button
          size="compact-xs"
          variant="default"
          aria-label={`${texts.edit} ${readName(one)}`}
          onClick={() => setEdited(one)}
        >
          {texts.edit}
        </Button>
        <ConfirmButton
          label={texts.delete}
          name={`${texts.delete} ${readName(one)}`}
          title={texts.deleteTitle(readName(one))}
          text={text.removeText}
          confirm={texts.delete}
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
