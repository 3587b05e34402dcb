/** The refused rows of a file, each with its line and what is wrong with it. */
import { Button } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { DataTable } from '../../components/DataTable';
import { Panel } from '../../components/Panel';
import type { Column } from '../../components/table-columns';
import { useFormats } from '../../session';
import { saveRefused } from './files';
import type { Uploaded } from './send-file';
import { spend as text } from '../../texts/spend';
import { texts } from '../../texts';

type Row = Uploaded['rows'][number];

const COLUMNS: readonly Column<Row>[] = [
  { id: 'row', header: text.line, value: ({ row }) => row, kind: 'count' },
  { id: 'field', header: texts.column, value: ({ field }) => field ?? text.wholeRow },
  { id: 'msg', header: text.wrong, value: ({ msg }) => msg },
];

export function RefusedRows({ uploaded }: { uploaded: Uploaded | undefined }) {
  const formats = useFormats();
  if (!uploaded || uploaded.refused === 0) return null;
  const { rows, refused } = uploaded;
  return (
    <Panel
      title={text.refusedRows}
      about={text.refusedShown(formats.count(rows.length), formats.count(refused))}
      tools={
        <Button
          size="compact-sm"
          variant="default"
          leftSection={<IconDownload size={14} />}
          onClick={() => void saveRefused(rows)}
        >
          {text.downloadRefused}
        </Button>
      }
      flush
    >
      <DataTable
        label={text.refusedRows}
        columns={COLUMNS}
        rows={rows}
        rowId={({ row, field }) => `${row} ${field ?? ''}`}
        maxHeight={420}
      />
    </Panel>
  );
}
