/** The funnel as bars: how many reached each step, and how long they took. */
import { Group, Progress, Stack, Text } from '@mantine/core';
import { useFormats } from '../../session';
import { funnel as text } from '../../texts/funnel';
import { nameStep, type FunnelStep } from './steps';

interface Props {
  readonly steps: readonly string[];
  readonly figures: readonly FunnelStep[];
  readonly stale: boolean;
}

export function Bars({ steps, figures, stale }: Props) {
  const formats = useFormats();
  return (
    <Stack gap="md" component="ol" p={0} m={0} style={{ listStyle: 'none' }} data-stale={stale || undefined}>
      {figures.map((figure, at) => (
        <li key={at}>
          <Group justify="space-between" gap="xs">
            <Text size="sm" fw={600}>
              {at + 1}. {nameStep(steps[at] ?? '')}
            </Text>
            <Text size="sm">
              <b>{formats.count(figure.installs)}</b> · {formats.percent(figure.conversion)}{' '}
              <Text span size="xs" c="dimmed">
                {text.ofFirst}
              </Text>
            </Text>
          </Group>
          <Progress
            value={figure.conversion ?? 0}
            size={22}
            radius="sm"
            mt={4}
            aria-label={nameStep(steps[at] ?? '')}
          />
          {at > 0 && (
            <Group gap="md" mt={4}>
              <Text size="xs" c="dimmed">
                {text.fromPrevious(formats.percent(figure.conversion_from_previous))}
              </Text>
              <Text size="xs" c="dimmed">
                {text.lost(formats.count((figures[at - 1]?.installs ?? 0) - figure.installs))}
              </Text>
              {figure.median_seconds !== null && (
                <Text size="xs" c="dimmed">
                  {text.median(formats.seconds(figure.median_seconds))},{' '}
                  {text.average(formats.seconds(figure.average_seconds))}
                </Text>
              )}
            </Group>
          )}
        </li>
      ))}
    </Stack>
  );
}
