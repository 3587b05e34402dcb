/** Says once on a page what its dashes are: figures that nobody reports as it is asked. */
import { Text } from '@mantine/core';
import type { Report } from '../api/queries';
import { metricText, texts } from '../texts';

export function UnknownNote({ reports }: { readonly reports: readonly (Report | undefined)[] }) {
  const names = [...new Set(reports.flatMap((report) => report?.meta.unknown ?? []))];
  if (names.length === 0) return null;
  return (
    <Text size="xs" c="dimmed">
      {texts.unknownNote(names.map((name) => metricText(name).label).join(', '))}
    </Text>
  );
}
