/** How the installation is: checks, ingest, decisions, derived tables, and what is set aside. */
import { Alert, Skeleton } from '@mantine/core';
import { IconAlertTriangle, IconCircleCheck } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { statusQuery, type Status } from '../../api/admin';
import { DataTable } from '../../components/DataTable';
import { ErrorBox } from '../../components/ErrorBox';
import { PageBody } from '../../components/PageBody';
import { PageHeader } from '../../components/page-header';
import { Panel } from '../../components/Panel';
import { useFormats } from '../../session';
import { texts } from '../../texts';
import { useIsDown } from '../../api/connection';
import {
  describeExports,
  listCheckColumns,
  listDerivedColumns,
  listExportColumns,
  listProcessColumns,
  quarantineColumns,
} from './columns';
import { Summary } from './Summary';
import { engineers as engineersTexts } from '../../texts/engineers';

const text = engineersTexts.status;
const AGAIN_MS = 5_000;

export default function StatusPage() {
  const { data, error, refetch } = useQuery({ ...statusQuery, refetchInterval: AGAIN_MS });
  const formats = useFormats();
  const isDown = useIsDown();
  const now = data?.at ?? '';
  return (
    <PageBody>
      <PageHeader title={texts.titles.status} about={data ? text.about(formats.time(data.at)) : texts.loading} />
      {error && <ErrorBox error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton height={150} />}
      {data && (
        <>
          {/* What was true before says nothing of a service that does not answer. */}
          {!isDown && !error && <Verdict status={data} />}
          <Summary status={data} />
        </>
      )}
      {(data !== undefined || !error) && (
        <>
          <Panel title={text.derived} about={text.derivedAbout} flush>
            <DataTable
              label={text.derived}
              columns={listDerivedColumns(now)}
              rows={data?.derived_tables}
              rowId={({ name }) => name}
              loading={!data}
            />
          </Panel>
          {data?.ingest.processes.length !== 0 && (
            <Panel title={text.ingest} flush>
              <DataTable
                label={text.ingest}
                columns={listProcessColumns(now)}
                rows={data?.ingest.processes}
                rowId={({ name }) => name}
                loading={!data}
                skeletons={1}
              />
            </Panel>
          )}
          {data && data.quarantine.length > 0 && (
            <Panel title={text.setAside} about={text.setAsideHint} flush>
              <DataTable
                label={text.setAside}
                columns={quarantineColumns}
                rows={data.quarantine}
                rowId={({ worker, state }) => `${worker} ${state}`}
              />
            </Panel>
          )}
          {data && data.exports.enabled > 0 && (
            <Panel title={text.exports} about={describeExports(data.exports, formats)} flush>
              {data.exports.problems.length > 0 && (
                <DataTable
                  label={text.exports}
                  columns={listExportColumns(now)}
                  rows={data.exports.problems}
                  rowId={({ export_id: id }) => String(id)}
                />
              )}
            </Panel>
          )}
          <Panel title={texts.checks} flush>
            <DataTable
              label={texts.checks}
              columns={listCheckColumns(now)}
              rows={data?.checks}
              rowId={({ name }) => name}
              loading={!data}
            />
          </Panel>
        </>
      )}
    </PageBody>
  );
}

function Verdict({ status: { ready, checks: all, exports } }: { status: Status }) {
  const isFine = ready && exports.state === 'ok' && all.every(({ ok, needs_a_look: look }) => ok && !look);
  const message = !ready ? text.notReady : isFine ? text.ready : text.degraded;
  return (
    <Alert
      variant="light"
      color={!ready ? 'red' : isFine ? 'teal' : 'yellow'}
      icon={isFine ? <IconCircleCheck size={18} /> : <IconAlertTriangle size={18} />}
      title={message}
      role="status"
      py="xs"
    />
  );
}
