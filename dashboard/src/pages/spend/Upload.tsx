/** Uploads a CSV file of spend: checked first, stored only when the user says so. */
import { Alert, Button, Group, Paper, Progress, Stack, Text, type ButtonProps } from '@mantine/core';
import { IconCircleCheck, IconDownload, IconFileSpreadsheet } from '@tabler/icons-react';
import { useRef, useState, type DragEvent, type ReactNode } from 'react';
import { ErrorBox } from '../../components/ErrorBox';
import { useFormats } from '../../session';
import { spend as text } from '../../texts/spend';
import { Checked } from './Checked';
import { ColumnsHelp } from './ColumnsHelp';
import { saveTemplate } from './files';
import { MappingForm } from './MappingForm';
import { RefusedRows } from './RefusedRows';
import classes from './Upload.module.css';
import { useUpload } from './use-upload';

export function Upload({ onDone }: { onDone: () => void }) {
  const formats = useFormats();
  const { file, mapping, progress, look, check, upload, choose, again, checkMapped, busy, isTooLarge } = useUpload();
  const checked = check.data;
  const done = upload.data;
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
        <ErrorBox error={upload.error} onRetry={() => upload.mutate({ file, mapping })} isChange />
      )}
      {file && look.data && look.data.format !== 'adtrail' && !done && (
        <MappingForm
          columns={look.data}
          mapping={look.data.mapping}
          isBusy={busy}
          onChange={check.reset}
          onCheck={checkMapped}
        />
      )}
      {file && checked && !busy && !done && (
        <Checked name={file.name} uploaded={checked}>
          <Group gap="xs">
            {checked.accepted > 0 && (
              <Button onClick={() => upload.mutate({ file, mapping })}>
                {text.send(formats.count(checked.accepted), checked.accepted === 1)}
              </Button>
            )}
            <Another onClick={again} />
          </Group>
        </Checked>
      )}
      {done && (
        <Done accepted={done.accepted}>
          <Button size="xs" onClick={onDone}>
            {text.seeSpend}
          </Button>
          <Another size="xs" onClick={again} />
        </Done>
      )}
      {file && !checked && !busy && (
        <Group>
          <Another onClick={again} />
        </Group>
      )}
      {!busy && (done ?? checked) && <RefusedRows uploaded={done ?? checked} />}
      {!file && <ColumnsHelp />}
    </Stack>
  );
}

interface AnotherProps extends Pick<ButtonProps, 'size'> {
  readonly onClick: () => void;
}

const Another = (props: AnotherProps) => (
  <Button variant="default" {...props}>
    {text.another}
  </Button>
);

function Done({ accepted, children }: { readonly accepted: number; readonly children: ReactNode }) {
  const { count } = useFormats();
  return (
    <Alert
      variant="light"
      color="green"
      styles={{ title: { color: 'var(--mantine-color-text)' } }}
      icon={<IconCircleCheck size={18} />}
      title={text.done(count(accepted), accepted === 1)}
    >
      <Text size="sm" mb="sm">
        {text.doneText} {text.undoHint}
      </Text>
      <Group gap="xs">{children}</Group>
    </Alert>
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
