/** The columns of the uploads. */
import { Badge, Text } from '@mantine/core';
import type { components } from '@adtrail/client';
import { ConfirmButton } from '../../components/ConfirmButton';
import type { Column } from '../../components/table-columns';
import { Time } from '../../components/Values';
import type { Formats } from '../../format';
import { texts } from '../../texts';
import { spend as spendTexts } from '../../texts/spend';

const text = spendTexts.history;
export type Upload = components['schemas']['SpendUpload'];
const COLORS = { storing: 'orange', stored: 'teal', undoing: 'orange', undone: 'gray' } as const;

export function buildColumns(formats: Formats, undo: (upload: Upload) => Promise<void>): Column<Upload>[] {
  return [
    { id: 'at', header: text.at, value: () => null, cell: (one) => <Time value={one.created_at} /> },
    { id: 'by', header: text.by, value: (one) => one.made_by },
    { id: 'name', header: text.file, value: (one) => one.name || text.noName },
    { id: 'rows', header: text.rows, value: (one) => one.rows, kind: 'count' },
    { id: 'days', header: texts.days, value: (one) => formats.range(one.first_day, one.last_day) },
    {
      id: 'sums',
      header: text.sums,
      value: (one) => one.sums.map(({ currency, spend }) => `${spend} ${currency}`).join(', '),
    },
    {
      id: 'state',
      header: texts.state,
      value: () => null,
      cell: (one) => (
        <>
          <Badge size="sm" variant="light" color={COLORS[one.state]}>
            {text.states[one.state]}
          </Badge>
          {one.undone_at && (
            <Text size="xs" c="dimmed">
              {text.undone({
                by: one.undone_by ?? '',
                restored: formats.count(one.restored),
                removed: formats.count(one.removed),
                kept: formats.count(one.kept),
              })}
            </Text>
          )}
        </>
      ),
    },
    {
      id: 'undo',
      header: '',
      value: () => null,
      cell: (one) =>
        one.state !== 'undone' && (
          <ConfirmButton
            label={text.undo}
            name={text.undoName(one.name || `#${one.id}`)}
            title={text.confirmTitle(one.name || `#${one.id}`)}
            text={text.confirmText}
            confirm={text.confirm}
            done={text.done}
            action={() => undo(one)}
          />
        ),
    },
  ];
}
