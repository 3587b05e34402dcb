/** Whom something is sent to, in words. */
import { Group, Text } from '@mantine/core';
import type { Receiver } from '../../api/alerts';
import { receivers as text } from '../../texts/alerts';
import type { Column } from '../table-columns';

/** A usual address stays on one line. */
const WIDTH = 150;

export const ReceiverList = ({ all }: { all: readonly Receiver[] }) => (
  <Group gap={4}>
    <Text size="sm" miw={WIDTH} style={{ overflowWrap: 'anywhere', whiteSpace: 'normal' }}>
      {all
        .map(({ to, unsubscribed_at }) => (unsubscribed_at === null ? to : `${to} (${text.unsubscribed})`))
        .join(', ') || text.nobody}
    </Text>
  </Group>
);

export const receiverColumn = <Row extends { readonly receivers: readonly Receiver[] }>(
  header: string,
): Column<Row> => ({
  id: 'receivers',
  header,
  value: ({ receivers }) => receivers.map(({ to }) => to).join(', ') || text.nobody,
  cell: ({ receivers }) => <ReceiverList all={receivers} />,
});
