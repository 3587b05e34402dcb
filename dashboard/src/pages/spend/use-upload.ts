/** A file on its way: its columns are looked at, then its rows checked, then stored. */
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { queryClient } from '../../api/queries';
import { useFormats, useProject } from '../../session';
import { spend as text } from '../../texts/spend';
import { uploadsKey } from './History';
import { listMissing } from './MappingForm';
import { askColumns, sendFile, type Mapping } from './send-file';

const MAX_BYTES = 32_000_000;

interface Sent {
  readonly file: File;
  readonly mapping: Mapping | undefined;
}

export function useUpload() {
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
  return { file, mapping, progress, look, check, upload, choose, again, checkMapped, busy, isTooLarge };
}
