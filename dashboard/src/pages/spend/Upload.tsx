/** Uploads a CSV file of spend: checked first, stored only when the user says so. */
import { Alert, Button, Group, Paper, Progress, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconCircleCheck, IconDownload, IconFileSpreadsheet } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useRef, useState, type DragEvent } from 'react';
import { queryClient } from '../../api/queries';
import { ErrorBox } from '../../components/ErrorBox';
import { useFormats, useProject } from '../../session';
import { ColumnsHelp } from './ColumnsHelp';
import { saveTemplate } from './files';
import { RefusedRows } from './RefusedRows';
import { Checked } from './Checked';
import { uploadsKey } from './History';
import { listMissing, MappingForm } from './MappingForm';
import { askColumns, sendFile, type Mapping } from './send-file';
import classes from './Upload.module.css';
import { spend as text } from '../../texts/spend';

const MAX_BYTES = 32_000_000;
interface Sent {
  readonly file: File;
  readonly mapping: Mapping | undefined;
}

export function Upload({ onDone }: { onDone: () => void }) {
  const { id } = useProject();
  const formats = useFormats();
  const [file, setFile] = useState<File>();
  const [mapping, setMapping] = useState<Mapping>();
  const [progress, setProgress] = useState(0);
  const send = (dryRun: boolean) => (sent: Sent) => {
    setProgress(0);
    return sendFile({ projectId: id, ...sent, dryRun, onProgress: setProgress });
  };
  const check = useMutation({ mutationFn: send(true) });
  const look = useMutation({
    mutationFn: (chosen: File) => {
      setProgress(0);
      return askColumns(id, chosen, setProgress);
    },
    onSuccess(columns, chosen) {
      const isOwn = columns.format === 'adtrail';
      const known = isOwn ? undefined : columns.mapping;
      setMapping(known);
      // What is understood is checked at once; a person may still change how it is read.
      if (isOwn || listMissing(columns.mapping).length === 0) check.mutate({ file: chosen, mapping: known });
    },
  });
  const upload = useMutation({
    mutationFn: send(false),
    async onSuccess({ accepted }) {
      notifications.show({
        color: 'green',
        title: text.done(formats.count(accepted), accepted === 1),
        message: text.doneText,
      });
      await queryClient.invalidateQueries({ queryKey: ['report', id] });
      await queryClient.invalidateQueries({ queryKey: uploadsKey(id) });
    },
  });
  const choose = (chosen: File) => {
    check.reset();
    upload.reset();
    setFile(chosen);
    if (chosen.size <= MAX_BYTES) look.mutate(chosen);
  };
  const again = () => {
    for (const one of [look, check, upload]) one.reset();
    setFile(undefined);
  };
  const checkMapped = (next: Mapping) => {
    setMapping(next);
    if (file) check.mutate({ file, mapping: next });
  };
  const busy = look.isPending || check.isPending || upload.isPending;
  const isTooLarge = file !== undefined && file.size > MAX_BYTES;
  const checked = check.data;
  return (
    <Stack gap="md">
      {!file && <Chooser onChoose={choose} />}
      {busy && (
        <Paper p="md" role="status">
          <Text size="sm" mb="xs">
            {upload.isPending ? text.uploading : text.checking}
          </Text>
          <Progress value={progress} animated={progress >= 100} aria-label={text.progress} />
        </Paper>
      )}
      {isTooLarge && !busy && <Alert color="red" variant="light" title={text.tooLarge} />}
      {look.error && file && <ErrorBox error={look.error} onRetry={() => look.mutate(file)} />}
      {check.error && file && !busy && <ErrorBox error={check.error} onRetry={() => check.mutate({ file, mapping })} />}
      {upload.error && file && !busy && (
        <ErrorBox error={upload.error} onRetry={() => upload.mutate({ file, mapping })} />
      )}
      {file && look.data && look.data.format !== 'adtrail' && !upload.data && (
        <MappingForm
          columns={look.data}
          mapping={look.data.mapping}
          isBusy={busy}
          onChange={check.reset}
          onCheck={checkMapped}
        />
      )}
      {file && checked && !busy && !upload.data && (
        <Checked name={file.name} uploaded={checked}>
          <Group gap="xs">
            {checked.accepted > 0 && (
              <Button onClick={() => upload.mutate({ file, mapping })}>
                {text.send(formats.count(checked.accepted), checked.accepted === 1)}
              </Button>
            )}
            <Button variant="default" onClick={again}>
              {text.another}
            </Button>
          </Group>
        </Checked>
      )}
      {upload.data && (
        <Alert
          variant="light"
          color="green"
          styles={{ title: { color: 'var(--mantine-color-text)' } }}
          icon={<IconCircleCheck size={18} />}
          title={text.done(formats.count(upload.data.accepted), upload.data.accepted === 1)}
        >
          <Text size="sm" mb="sm">
            {text.doneText} {text.undoHint}
          </Text>
          <Group gap="xs">
            <Button size="xs" onClick={onDone}>
              {text.seeSpend}
            </Button>
            <Button size="xs" variant="default" onClick={again}>
              {text.another}
            </Button>
          </Group>
        </Alert>
      )}
      {file && !checked && !busy && (
        <Group>
          <Button variant="default" onClick={again}>
            {text.another}
          </Button>
        </Group>
      )}
      {!busy && (upload.data ?? checked) && <RefusedRows uploaded={upload.data ?? checked} />}
      {!file && <ColumnsHelp />}
    </Stack>
  );
}

/** A button and a place to drop a file. */
function Chooser({ onChoose }: { onChoose: (file: File) => void }) {
  const input = useRef<HTMLInputElement>(null);
  const [isOver, setOver] = useState(false);
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    const [file] = event.dataTransfer.files;
    if (file) onChoose(file);
  };
  return (
    <Paper
      className={classes.drop}
      data-over={isOver || undefined}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <IconFileSpreadsheet size={30} stroke={1.4} aria-hidden />
      <Group gap="xs" justify="center">
        <Button onClick={() => input.current?.click()}>{text.choose}</Button>
        <Text size="sm" c="dimmed">
          {text.drop}
        </Text>
      </Group>
      <Text size="xs" c="dimmed">
        {text.limits}
      </Text>
      <Button
        variant="subtle"
        size="compact-sm"
        leftSection={<IconDownload size={15} />}
        onClick={() => void saveTemplate()}
      >
        {text.template}
      </Button>
      <input
        ref={input}
        type="file"
        accept=".csv,text/csv"
        hidden
        aria-label={text.choose}
        onChange={(event) => {
          const [file] = event.currentTarget.files ?? [];
          if (file) onChoose(file);
          event.currentTarget.value = '';
        }}
      />
    </Paper>
  );
}
