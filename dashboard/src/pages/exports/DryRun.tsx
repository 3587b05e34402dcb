/** What an export would write that is not made yet. */
import { Alert, Code, Stack, Text } from '@mantine/core';
import type { DryRun as Tried } from '../../api/exports';
import { useFormats } from '../../session';
import { scheduledExports } from '../../texts/exports';

const text = scheduledExports.tried;
const MOST_SHOWN = 5;

export function DryRun({ tried, isBucket }: { tried: Tried; isBucket: boolean }) {
  const { count } = useFormats();
  const { destination_error: error, periods, total, sample } = tried;
  return (
    <Stack gap="xs" role="region" aria-label={text.title}>
      <Text size="sm" fw={600}>
        {text.title}
      </Text>
      {isBucket && (
        <Alert variant="light" color={error === null ? 'green' : 'red'} p="xs">
          {error === null ? text.reachable : text.unreachable(error)}
        </Alert>
      )}
      <Text size="sm">{total === 0 ? text.none : text.now(count(total))}</Text>
      {periods.slice(0, MOST_SHOWN).map(({ period, rows }) => (
        <Text key={period} size="sm">
          {period}: {text.rows(count(rows))}
        </Text>
      ))}
      <Text size="sm" fw={500}>
        {sample.length === 0 ? text.noSample : text.sample}
      </Text>
      {sample.length > 0 && (
        <Code block mah={240} tabIndex={0}>
          {sample.map((row) => JSON.stringify(row)).join('\n')}
        </Code>
      )}
    </Stack>
  );
}
