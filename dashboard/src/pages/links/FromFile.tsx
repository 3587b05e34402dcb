/** Links from a file: tried out first, then made as a whole; the result can be downloaded. */
import { Badge, Button, FileButton, Group, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { DataTable } from '../../components/DataTable';
import { readMessage } from '../../components/ErrorBox';
import { saveRows } from '../../components/files';
import { FormError } from '../../components/FormError';
import type { Column } from '../../components/table-columns';
import { useFormats, useProject } from '../../session';
import { texts } from '../../texts';
import { links as linksTexts } from '../../texts/links';
import { forget, importLinks, type ImportedLinks } from './queries';
import { Modal } from '../../components/layers';

const text = linksTexts.file;
const COLUMNS =
  'name, display_id, website, ios_web_redirect, android_web_redirect, deeplink, domain, channel, store_listing_ids, ' +
  'tags, expires_at, expired_target, utm_source, utm_medium, utm_campaign, utm_content, utm_term, title, ' +
  'description, image';
type Row = ImportedLinks['rows'][number];

const columns: readonly Column<Row>[] = [
  { id: 'line', header: text.line, kind: 'count', value: ({ line }) => line },
  { id: 'name', header: texts.name, value: ({ name }) => name },
  {
    id: 'outcome',
    header: text.outcome,
    value: ({ outcome }) => outcome,
    cell: ({ outcome }) => (
      <Badge size="sm" variant="light" color={outcome === 'refused' ? 'red' : 'brand'}>
        {text.outcomes[outcome]}
      </Badge>
    ),
  },
  { id: 'result', header: texts.link, value: ({ short_url: url, msg }) => msg || url },
];

export function FromFile({ onClose }: { readonly onClose: () => void }) {
  const { id } = useProject();
  const formats = useFormats();
  const run = useMutation({
    mutationFn: async ({ file, isDry }: { file: string; isDry: boolean }) => {
      const result = await importLinks(id, file, isDry);
      if (!isDry) await forget(id);
      return { file, result };
    },
    onSuccess: ({ result: { created } }) => {
      if (created > 0) notifications.show({ message: text.created(formats.count(created)) });
    },
  });
  const done = run.data?.result;
  const good = done ? done.rows.length - done.refused : 0;
  return (
    <Modal opened onClose={onClose} title={text.title} size="xl" closeButtonProps={{ 'aria-label': texts.close }}>
      <Stack gap="sm">
        <Text size="sm">{text.about}</Text>
        <Text size="xs" c="dimmed">
          {text.columns}
          {COLUMNS}
        </Text>
        <Group gap="xs">
          <FileButton
            accept=".csv,.tsv,.txt,text/csv"
            onChange={(file) => file && void file.text().then((chosen) => run.mutate({ file: chosen, isDry: true }))}
          >
            {(props) => (
              <Button {...props} size="xs" variant="default" loading={run.isPending}>
                {text.choose}
              </Button>
            )}
          </FileButton>
          {done && (
            <>
              <Badge variant="light">{text.good(formats.count(good))}</Badge>
              {done.refused > 0 && (
                <Badge variant="light" color="red">
                  {text.refused(formats.count(done.refused))}
                </Badge>
              )}
            </>
          )}
        </Group>
        {run.error && <FormError message={readMessage(run.error)} />}
        {done && (
          <DataTable
            label={text.rows}
            columns={columns}
            rows={done.rows}
            rowId={({ line }) => String(line)}
            maxHeight={320}
          />
        )}
        {done && (
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={() => void saveRows('links.csv', done.rows)}>
              {text.download}
            </Button>
            {done.created === 0 && (
              <Button
                disabled={done.refused > 0}
                loading={run.isPending}
                onClick={() => run.data && run.mutate({ file: run.data.file, isDry: false })}
              >
                {text.create(formats.count(done.rows.length))}
              </Button>
            )}
          </Group>
        )}
      </Stack>
    </Modal>
  );
}
