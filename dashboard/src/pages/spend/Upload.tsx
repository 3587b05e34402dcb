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
import { sendFile } from './send-file';
import classes from './Upload.module.css';
import { spend as text } from '../../texts/spend';

const MAX_BYTES = 32_000_000;

export function Upload({ onDone }: { onDone: () => void }) {
  const { id } = useProject();
  const formats = useFormats();
  const [file, setFile] = useState<File>();
  const [progress, setProgress] = useState(0);
  const send = (dryRun: boolean) => (chosen: File) => {
    setProgress(0);
    return sendFile({ projectId: id, file: chosen, dryRun, onProgress: setProgress });
  };
  const check = useMutation({ mutationFn: send(true) });
  const upload = useMutation({
    mutationFn: send(false),
    async onSuccess({ accepted }) {
      notifications.show({
        color: 'green',
        title: text.done(formats.count(accepted), accepted === 1),
        message: text.doneText,
      });
      await queryClient.invalidateQueries({ queryKey: ['report', id] });
    },
  });
  const choose = (chosen: File) => {
    upload.reset();
    setFile(chosen);
    check.mutate(chosen);
  };
  const again = () => {
    check.reset();
    upload.reset();
    setFile(undefined);
  };
  const busy = check.isPending || upload.isPending;
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
      {!isTooLarge && check.error && file && <ErrorBox error={check.error} onRetry={() => check.mutate(file)} />}
      {upload.error && file && <ErrorBox error={upload.error} onRetry={() => upload.mutate(file)} />}
      {file && checked && !busy && !upload.data && (
        <Paper p="md">
          <Text size="sm" c="dimmed">
            {text.checked(file.name)}
          </Text>
          <Group gap="xl" my="xs">
            <Text fw={600} size="lg" c="var(--app-good)">
              {text.good(formats.count(checked.accepted))}
            </Text>
            <Text fw={600} size="lg" c={checked.refused > 0 ? 'var(--app-bad)' : 'dimmed'}>
              {text.bad(formats.count(checked.refused))}
            </Text>
          </Group>
          {checked.refused > 0 && (
            <Text size="sm" c="dimmed" mb="sm">
              {checked.accepted > 0 ? text.onlyGood : text.noneGood}
            </Text>
          )}
          <Group gap="xs">
            {checked.accepted > 0 && (
              <Button onClick={() => upload.mutate(file)}>
                {text.send(formats.count(checked.accepted), checked.accepted === 1)}
              </Button>
            )}
            <Button variant="default" onClick={again}>
              {text.another}
            </Button>
          </Group>
        </Paper>
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
            {text.doneText}
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
      <ColumnsHelp />
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
