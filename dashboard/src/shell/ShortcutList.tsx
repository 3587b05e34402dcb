/** What each key does, in a dialog. */
import { Group, Kbd, Table, Text } from '@mantine/core';
import { Fragment } from 'react';
import type { Place } from '../session';
import { texts } from '../texts';
import { shortcuts as text } from '../texts/shortcuts';
import { pagesAt } from './navigation';
import { listShortcuts } from './shortcuts';
import { Modal } from '../components/layers';

interface Props {
  readonly place: Place | undefined;
  readonly onClose: () => void;
}

export default function ShortcutList({ place, onClose }: Props) {
  const rows: [keys: string[], what: string, isSequence?: boolean][] = [
    [['?'], text.help],
    [['Ctrl', 'K'], text.palette],
    [['/'], text.search],
    [['←', '→', 'Enter'], text.points],
    [['Esc'], text.close],
    ...(place ? listShortcuts(pagesAt(place)) : []).map(({ letter, page }): [string[], string, boolean] => [
      ['g', letter],
      text.goTo(page.title),
      true,
    ]),
  ];
  return (
    <Modal opened centered title={text.title} onClose={onClose} closeButtonProps={{ 'aria-label': texts.close }}>
      <Text size="sm" c="dimmed" mb="xs">
        {text.about}
      </Text>
      <Table verticalSpacing={4}>
        <Table.Tbody>
          {rows.map(([keys, what, isSequence]) => (
            <Table.Tr key={keys.join(' ')}>
              <Table.Td>
                <Group gap={4} wrap="nowrap">
                  {keys.map((key, at) => (
                    <Fragment key={key}>
                      {at > 0 && isSequence && (
                        <Text span size="xs" c="dimmed">
                          {text.then}
                        </Text>
                      )}
                      <Kbd size="sm">{key}</Kbd>
                    </Fragment>
                  ))}
                </Group>
              </Table.Td>
              <Table.Td>{what}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Modal>
  );
}
