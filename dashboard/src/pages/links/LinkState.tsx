/** Whether a link works, in a word, and in a sentence where it is hovered or focused. */
import { Alert, Badge, Button, Group, Text, Tooltip } from '@mantine/core';
import { Link as RouterLink } from '@tanstack/react-router';
import { toPage } from '../../addresses';
import { useMay, useProject } from '../../session';
import { links as text } from '../../texts/links';
import type { Link } from './queries';

type Judged = Pick<Link, 'state' | 'reason'>;

const COLOURS: Readonly<Record<string, string>> = {
  works: 'brand',
  unchecked: 'gray',
  archived: 'gray',
  expired: 'gray',
};
const OF_DOMAINS = ['unchecked', 'no_domain', 'domain_unproven', 'domain_elsewhere', 'no_certificate'];

export const StateBadge = ({ state, reason }: Judged) => (
  <Tooltip label={reason} multiline maw={320} events={{ hover: true, focus: true, touch: true }}>
    <Badge size="sm" variant="light" color={COLOURS[state] ?? 'yellow'} tabIndex={0}>
      {text.stateNames[state] ?? state}
    </Badge>
  </Tooltip>
);

/** What is wrong with a link, with the way to mend it; nothing where it works. */
export function StateNotice({ state, reason }: Judged) {
  const { id } = useProject();
  const mayMend = useMay('settings');
  if (state === 'works') return null;
  return (
    <Alert variant="light" color={COLOURS[state] ?? 'yellow'} p="xs" title={text.stateNames[state]}>
      <Group justify="space-between" gap="xs">
        <Text size="sm">{reason}</Text>
        {mayMend && OF_DOMAINS.includes(state) && (
          <Button
            component={RouterLink}
            {...toPage('/projects/$projectId/settings', { projectId: id }, { section: 'domains' })}
            size="compact-xs"
            variant="default"
          >
            {text.toDomains}
          </Button>
        )}
      </Group>
    </Alert>
  );
}
