/** Which columns a table shows. */
import { Button, Checkbox, Popover, ScrollArea, Stack } from '@mantine/core';
import { IconColumns3 } from '@tabler/icons-react';
import { texts } from '../texts';
import { shownColumns, type Column } from './table-columns';

interface Props<Row> {
  readonly columns: readonly Column<Row>[];
  /** As the URL has it; undefined for those that the page shows by default. */
  readonly named: readonly string[] | undefined;
  readonly onChange: (named: string[] | undefined) => void;
}

export function ColumnPicker<Row>({ columns, named, onChange }: Props<Row>) {
  const shown = shownColumns(columns, named).map(({ id }) => id);
  return (
    <Popover position="bottom-end" shadow="md" trapFocus returnFocus>
      <Popover.Target>
        <Button variant="default" size="xs" leftSection={<IconColumns3 size={15} />}>
          {texts.tools.table.columns}
        </Button>
      </Popover.Target>
      <Popover.Dropdown p="sm" aria-label={texts.tools.table.columns}>
        <ScrollArea.Autosize mah={340} type="auto">
          <Stack gap={7}>
            {columns
              .filter(({ canHide = true }) => canHide)
              .map(({ id, header, about }) => (
                <Checkbox
                  key={id}
                  size="xs"
                  label={header}
                  description={about}
                  checked={shown.includes(id)}
                  onChange={({ currentTarget }) => {
                    const chosen = currentTarget.checked ? [...shown, id] : shown.filter((one) => one !== id);
                    onChange(columns.map((one) => one.id).filter((one) => chosen.includes(one)));
                  }}
                />
              ))}
          </Stack>
        </ScrollArea.Autosize>
        <Button variant="subtle" size="compact-xs" mt="xs" onClick={() => onChange(undefined)}>
          {texts.tools.table.standard}
        </Button>
      </Popover.Dropdown>
    </Popover>
  );
}
