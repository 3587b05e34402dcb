/** What the columns of a file of spend mean. */
import { Code, Table, Text } from '@mantine/core';
import { Panel } from '../../components/Panel';
import { TableScroll } from '../../components/TableScroll';
import { spend as text } from '../../texts/spend';
import { texts } from '../../texts';

export const ColumnsHelp = () => (
  <Panel title={text.columnsTitle} about={text.columnsAbout} flush>
    <TableScroll label={text.columnsTitle} minWidth={560}>
      <Table aria-label={text.columnsTitle} fz="sm">
        <Table.Thead>
          <Table.Tr>
            <Table.Th pl="md">{texts.column}</Table.Th>
            <Table.Th>{text.required}</Table.Th>
            <Table.Th>{text.meaning}</Table.Th>
            <Table.Th>{text.example}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {text.columns.map(([name, need, meaning, example]) => (
            <Table.Tr key={name}>
              <Table.Td pl="md">
                <Code>{name}</Code>
              </Table.Td>
              <Table.Td>
                <Text
                  span
                  size="xs"
                  fw={need === 'required' ? 600 : 400}
                  c={need === 'optional' ? 'dimmed' : undefined}
                >
                  {text[need]}
                </Text>
              </Table.Td>
              <Table.Td>{meaning}</Table.Td>
              <Table.Td>{example}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </TableScroll>
  </Panel>
);
