/** What is done with a result: how it is shown, copying it, and the file. */
import { Button, CopyButton, SegmentedControl, Tooltip } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconCopy, IconDownload } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { projectApi, unwrapData } from '../../api/client';
import type { SqlResult } from '../../api/sql';
import { readMessage } from '../../components/ErrorBox';
import { saveBlob } from '../../components/files';
import { useView } from '../../search';
import { useProject } from '../../session';
import { texts } from '../../texts';
import { engineers as engineersTexts } from '../../texts/engineers';
import { sqlSearch, VIEWS } from './search';
import { toTsv } from './tsv';

const text = engineersTexts.sql;

export function Tools({ statement, result }: { statement: string; result: SqlResult | undefined }) {
  const [{ view }, setView] = useView(sqlSearch);
  return (
    <>
      <SegmentedControl
        size="xs"
        aria-label={text.viewLabel}
        value={view}
        data={VIEWS.map((value) => ({ value, label: text.views[value] }))}
        onChange={(next) => setView({ view: next }, { replace: true })}
      />
      {result && (
        <CopyButton value={toTsv(result)}>
          {({ copied, copy }) => (
            <Tooltip label={text.copyTsvHint}>
              <Button size="xs" variant="default" leftSection={<IconCopy size={15} />} onClick={copy}>
                {copied ? texts.copied : text.copyTsv}
              </Button>
            </Tooltip>
          )}
        </CopyButton>
      )}
      <Download statement={statement} />
    </>
  );
}

function Download({ statement }: { statement: string }) {
  const { id, name } = useProject();
  const csv = useMutation({
    mutationFn: async () => {
      const params = { query: { format: 'csv' as const, bom: true } };
      const options = { body: { query: statement }, params, parseAs: 'blob' as const };
      const file = `${name} sql.csv`.toLowerCase().replace(/[^a-z0-9.]+/g, '-');
      saveBlob(file, await unwrapData<Blob>(projectApi(id).POST('/api/v1/sql', options)));
    },
    onError: (error) => notifications.show({ color: 'red', title: texts.tools.failed, message: readMessage(error) }),
  });
  return (
    <Button
      size="xs"
      variant="default"
      leftSection={<IconDownload size={15} />}
      loading={csv.isPending}
      onClick={() => csv.mutate()}
    >
      {texts.tools.csv}
    </Button>
  );
}
