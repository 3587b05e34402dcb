/** Says once on a page what its dashes are: figures that nobody reports as it is asked, and costs without spend. */
import { Text } from '@mantine/core';
import type { Report } from '../api/queries';
import { metricText, texts } from '../texts';
import { hasUnspent } from '../unspent';

export function UnknownNote({ reports }: { readonly reports: readonly (Report | undefined)[] }) {
  const names = [...new Set(reports.flatMap((report) => report?.meta.unknown ?? []))];
  const notes = [
    ...(names.length > 0 ? [texts.unknownNote(names.map((name) => metricText(name).label).join(', '))] : []),
    ...(reports.some((report) => report && hasUnspent(report)) ? [texts.unspentNote] : []),
  ];
  return notes.map((note) => (
    <Text key={note} size="xs" c="dimmed">
      {note}
    </Text>
  ));
}
