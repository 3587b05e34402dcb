/** Says which exports keep whoever is forgotten in their files: those that write no next revision. */
import { Alert, Anchor } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { toPage } from '../../addresses';
import { exportsQuery, type ScheduledExport } from '../../api/exports';
import { useMay, useProject } from '../../session';
import { erasure as text } from '../../texts/erasure';
import { scheduledExports as exportTexts } from '../../texts/exports';

const isStuck = ({ state, progress }: ScheduledExport) =>
  (state === 'off' || state === 'failing') && progress.periods_written > 0;

export function KeptInFiles() {
  const { id } = useProject();
  const { data } = useQuery({ ...exportsQuery(id), enabled: useMay('connections') });
  const stuck = data?.exports.filter(isStuck) ?? [];
  if (stuck.length === 0) return null;
  const names = stuck.map(({ name, state }) => `${name} (${exportTexts.states[state].toLowerCase()})`).join(', ');
  return (
    <Alert
      variant="light"
      color="yellow"
      title={text.keptInFiles}
      styles={{ message: { color: 'var(--mantine-color-text)' } }}
    >
      {text.keptInFilesText(names)}{' '}
      <Anchor
        component={Link}
        {...toPage('/projects/$projectId/exports', { projectId: id })}
        size="sm"
        underline="always"
      >
        {text.toExports}
      </Anchor>
    </Alert>
  );
}
