/** What a workspace document would change, as the audit log would show it, and the button that applies it. */
import { Badge, Button, Group, Stack, Text } from '@mantine/core';
import type { Applied, WorkspaceChange } from '../../api/admin';
import { DataTable } from '../../components/DataTable';
import { Panel } from '../../components/Panel';
import type { Column } from '../../components/table-columns';
import { useFormats } from '../../session';
import { auditLog } from '../../texts/audit-log';
import { installation as installationTexts } from '../../texts/installation';
import { texts } from '../../texts';
import { COLORS, Difference } from '../audit-log/Entries';

const text = installationTexts.workspace;

interface Row extends WorkspaceChange {
  readonly at: number;
}

const COLUMNS: readonly Column<Row>[] = [
  {
    id: 'what',
    header: auditLog.what,
    canSort: false,
    value: () => null,
    cell: ({ action, subject, name }) => (
      <>
        <Badge size="sm" variant="light" color={COLORS[action]}>
          {auditLog.wouldBe[action]}
        </Badge>{' '}
        {auditLog.subjects[subject] ?? subject}
        <div style={{ overflowWrap: 'anywhere' }}>{name}</div>
      </>
    ),
  },
  {
    id: 'changes',
    header: auditLog.changes,
    canSort: false,
    value: () => null,
    cell: (entry) => <Difference entry={entry} />,
  },
];

interface Props {
  readonly answer: Applied;
  readonly isApplying: boolean;
  readonly onApply: () => void;
}

export function Changes({ answer: { changed = 0, changes = [], skipped }, isApplying, onApply }: Props) {
  const { count } = useFormats();
  const rows = changes.map((change, at) => ({ ...change, at }));
  const about = changed > rows.length ? text.shown(count(rows.length), count(changed)) : text.changesAbout;
  return (
    <Panel title={text.changes} about={about} flush={changed > 0}>
      {changed === 0 ? (
        <Text size="sm" py="xs" role="status">
          {text.nothing}
        </Text>
      ) : (
        <DataTable
          label={text.changes}
          columns={COLUMNS}
          rows={rows}
          rowId={({ at }) => String(at)}
          loading={false}
          maxHeight={520}
        />
      )}
      <Stack gap="xs" p={changed > 0 ? 'md' : 0}>
        {skipped.length > 0 && (
          <Text size="sm">
            {text.skipped}: {skipped.map(({ kind, reason }) => `${kind} (${reason})`).join(', ')}
          </Text>
        )}
        <Group>
          <Button loading={isApplying} disabled={changed === 0} onClick={onApply}>
            {changed === 0 ? texts.apply : text.applyThem(count(changed))}
          </Button>
        </Group>
      </Stack>
    </Panel>
  );
}
