/** What an advertiser has switched on for a partner, at a glance. */
import { Badge, Group, Text } from '@mantine/core';
import { partners as partnersTexts } from '../texts/partners';

export interface Switches {
  readonly s2s_clicks: boolean;
  readonly s2s_traffic: boolean;
  readonly view_through: boolean;
  readonly ctv_apps: readonly string[];
}

const text = partnersTexts.switches.badges;

export const switchNames = (one: Switches): string[] => [
  ...(one.s2s_clicks ? [text.s2s_clicks] : []),
  ...(one.s2s_traffic ? [text.s2s_traffic] : []),
  ...(one.view_through ? [text.view_through] : []),
  ...(one.ctv_apps.length > 0 ? [text.ctv] : []),
];

export function SwitchBadges({ switches, none }: { switches: Switches; none: string }) {
  const names = switchNames(switches);
  if (names.length === 0)
    return (
      <Text size="xs" c="dimmed">
        {none}
      </Text>
    );
  return (
    <Group gap={4} miw={170}>
      {names.map((name) => (
        <Badge key={name} size="sm" variant="light" color="gray" tt="none" fw={500} flex="none">
          {name}
        </Badge>
      ))}
    </Group>
  );
}
