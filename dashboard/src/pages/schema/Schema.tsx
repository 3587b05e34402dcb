/** The tables and columns that SQL reads, with what each is. */
import { Badge, Button, Code, NavLink, Text, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import { schemaQuery, type SqlTable } from '../../api/sql';
import { DataTable } from '../../components/DataTable';
import { EmptyState } from '../../components/EmptyState';
import { ErrorBox } from '../../components/ErrorBox';
import { PageBody } from '../../components/PageBody';
import { PageHeader } from '../../components/page-header';
import { Panel } from '../../components/Panel';
import type { Column } from '../../components/table-columns';
import { useView } from '../../search';
import { useFormats, useProject } from '../../session';
import { texts } from '../../texts';
import classes from './Schema.module.css';
import { schemaSearch } from './search';
import { engineers as engineersTexts } from '../../texts/engineers';
import { toPage } from '../../addresses';

const text = engineersTexts.schema;
const COLORS: Readonly<Record<string, string>> = { personal: 'red', pseudonymous: 'yellow' };

type Field = SqlTable['columns'][number] & { readonly table: string };

const fields: Column<Field>[] = [
  { id: 'name', header: texts.column, value: ({ name }) => name, cell: ({ name }) => <Code>{name}</Code> },
  {
    id: 'type',
    header: text.type,
    value: ({ type }) => type,
    cell: ({ type }) => <span className={classes.type}>{type}</span>,
  },
  {
    id: 'comment',
    header: text.comment,
    value: ({ comment }) => comment,
    cell: ({ comment }) => <div className={classes.comment}>{comment}</div>,
  },
  {
    id: 'personal',
    header: text.personal,
    value: ({ personal_data: kind }) => kind,
    cell: ({ personal_data: kind }) =>
      text.kinds[kind ?? ''] && (
        <Badge size="sm" variant="light" color={COLORS[kind ?? '']}>
          {text.kinds[kind ?? '']}
        </Badge>
      ),
  },
];
const inTables: Column<Field>[] = [
  { id: 'table', header: texts.table, value: ({ table }) => table, cell: ({ table }) => <Code>{table}</Code> },
  ...fields,
];

const listFields = ({ name, columns }: SqlTable): Field[] => columns.map((column) => ({ ...column, table: name }));
const has = (part: string, ...all: string[]) => all.some((one) => one.toLowerCase().includes(part));

export default function Schema() {
  const { id } = useProject();
  const { count } = useFormats();
  const [{ table, search = '' }, setView] = useView(schemaSearch);
  const { data, error, isPending, refetch } = useQuery(schemaQuery(id));
  const part = search.trim().toLowerCase();
  const tables = useMemo(() => data?.tables ?? [], [data]);
  const found = useMemo(
    () =>
      tables.flatMap((one) =>
        listFields(one).filter(({ name, comment }) => has(part, name, comment) || has(part, one.name, one.comment)),
      ),
    [tables, part],
  );
  return (
    <PageBody>
      <PageHeader title={texts.titles.schema} about={text.about} />
      <TextInput
        aria-label={text.search}
        placeholder={text.search}
        leftSection={<IconSearch size={16} />}
        type="search"
        maxLength={200}
        value={search}
        onChange={({ currentTarget }) => setView({ search: currentTarget.value || undefined }, { replace: true })}
        maw={420}
      />
      {error ? (
        <ErrorBox error={error} onRetry={() => void refetch()} />
      ) : part !== '' ? (
        <Panel title={text.found(count(found.length))} flush>
          <DataTable
            label={texts.titles.schema}
            columns={inTables}
            rows={found}
            rowId={(one) => `${one.table}.${one.name}`}
            loading={isPending}
            empty={<EmptyState title={texts.nothingFound} text={text.nothingText} />}
          />
        </Panel>
      ) : (
        <Tables tables={tables} table={table} loading={isPending} onChoose={(next) => setView({ table: next })} />
      )}
    </PageBody>
  );
}

interface TablesProps {
  readonly tables: readonly SqlTable[];
  /** The one that is shown; by default the first. */
  readonly table: string | undefined;
  readonly loading: boolean;
  readonly onChoose: (table: string) => void;
}

function Tables({ tables, table, loading, onChoose }: TablesProps) {
  const { id } = useProject();
  const chosen = tables.find(({ name }) => name === table) ?? tables[0];
  return (
    <div className={classes.split}>
      <Panel title={text.tables}>
        <nav aria-label={text.tables} className={classes.list}>
          {tables.map(({ name, columns }) => (
            <NavLink
              key={name}
              component="button"
              label={name}
              active={name === chosen?.name}
              aria-current={name === chosen?.name || undefined}
              onClick={() => onChoose(name)}
              rightSection={
                <Text size="xs" c="dimmed" title={text.columns(columns.length)}>
                  {columns.length}
                </Text>
              }
            />
          ))}
        </nav>
      </Panel>
      <Panel
        title={chosen?.name ?? texts.loading}
        about={chosen?.comment}
        flush
        tools={chosen && <QueryButton table={chosen} projectId={id} />}
      >
        <DataTable
          label={chosen?.name ?? texts.titles.schema}
          columns={fields}
          rows={chosen && listFields(chosen)}
          rowId={({ name }) => name}
          loading={loading}
        />
      </Panel>
    </div>
  );
}

function QueryButton({ table, projectId }: { table: SqlTable; projectId: number }) {
  const query = `SELECT *\nFROM ${table.name}\nLIMIT 100`;
  return (
    <Button
      size="xs"
      variant="default"
      component={Link}
      {...toPage('/projects/$projectId/sql', { projectId }, { query })}
    >
      {text.query}
    </Button>
  );
}
