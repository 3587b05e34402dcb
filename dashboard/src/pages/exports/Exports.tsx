/** Scheduled exports of a project: how each is doing, what becomes of it, and forms. */
import { Alert, Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { exportsQuery, type ScheduledExport } from '../../api/exports';
import { DataTable } from '../../components/DataTable';
import { EmptyState } from '../../components/EmptyState';
import { ErrorBox } from '../../components/ErrorBox';
import { PageBody } from '../../components/PageBody';
import { PageHeader } from '../../components/page-header';
import { Panel } from '../../components/Panel';
import { useView } from '../../search';
import { useFormats, useProject } from '../../session';
import { texts } from '../../texts';
import { scheduledExports as text } from '../../texts/exports';
import { BackfillForm } from './BackfillForm';
import { listColumns } from './columns';
import { ExportForm } from './ExportForm';
import { KeysForm } from './KeysForm';
import { exportsSearch } from './search';

export default function Exports() {
  const { id } = useProject();
  const formats = useFormats();
  const [{ form }, setView] = useView(exportsSearch);
  const { data, error, isPending, refetch } = useQuery(exportsQuery(id));
  const open = (next: string | undefined) => setView({ form: next });
  const mayDeclare = data?.places.by_projects === true;
  const create = (
    <Button size="xs" onClick={() => open('new')}>
      {text.create}
    </Button>
  );
  return (
    <PageBody>
      <PageHeader withZone title={texts.titles.exports} about={text.about}>
        {mayDeclare && create}
      </PageHeader>
      {data && !mayDeclare && (
        <Alert variant="light" p="xs">
          {text.operatorsOnly}
        </Alert>
      )}
      <Panel title={texts.titles.exports} flush>
        {error ? (
          <ErrorBox error={error} onRetry={() => void refetch()} />
        ) : (
          <DataTable
            label={texts.titles.exports}
            columns={listColumns(id, formats, open)}
            rows={data?.exports}
            rowId={(one) => String(one.id)}
            loading={isPending}
            empty={
              <EmptyState title={text.empty} text={text.emptyText}>
                {mayDeclare && create}
              </EmptyState>
            }
          />
        )}
      </Panel>
      {data && (
        <OpenForm form={form} all={data.exports} hasFolders={data.places.folders} onClose={() => open(undefined)} />
      )}
    </PageBody>
  );
}

interface OpenFormProps {
  readonly form: string | undefined;
  readonly all: readonly ScheduledExport[];
  readonly hasFolders: boolean;
  readonly onClose: () => void;
}

function OpenForm({ form, all, hasFolders, onClose }: OpenFormProps) {
  if (form === 'new') return <ExportForm hasFolders={hasFolders} onClose={onClose} />;
  const [kind, id] = form?.split('-') ?? [];
  const one = all.find((given) => String(given.id) === id);
  if (!one) return null;
  return kind === 'keys' ? <KeysForm one={one} onClose={onClose} /> : <BackfillForm one={one} onClose={onClose} />;
}
