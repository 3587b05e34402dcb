/** The share menu of a view whose main part is a question to the reports. */
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { unwrapData, projectApi } from '../api/client';
import type { Question } from '../api/queries';
import { usePeriod } from '../period';
import { useFormats, useProject } from '../session';
import { texts } from '../texts';
import { readMessage } from './ErrorBox';
import { saveBlob } from './files';
import { ShareMenu } from './ShareMenu';
import { buildCurl } from './SqlOfView';

const text = texts.tools;

const FORMATS = ['ndjson', 'parquet'] as const;
type Format = 'csv' | (typeof FORMATS)[number];

/** All rows of a question, as the service writes them; a file compares nothing. */
async function downloadFile(
  projectId: number,
  file: string,
  format: Format,
  { compare: _, ...question }: Question,
): Promise<void> {
  // Excel knows UTF-8 by the byte order mark.
  const params = { query: { format, ...(format === 'csv' && { bom: true }) } };
  const options = { body: question, params, parseAs: 'blob' as const };
  saveBlob(file, await unwrapData<Blob>(projectApi(projectId).POST('/api/v1/reporting/query', options)));
}

export function ViewTools({ question, name }: { readonly question: Question; readonly name: string }) {
  const { id, name: project } = useProject();
  const formats = useFormats();
  const [{ from, to, compare, earlier }] = usePeriod();
  const saving = useMutation({
    mutationFn: ({ file, format }: { file: string; format: Format }) => downloadFile(id, file, format, question),
    onError: (error) => notifications.show({ color: 'red', title: text.failed, message: readMessage(error) }),
  });
  /** With the days themselves: whoever opens it tomorrow sees the same. */
  const link = () => {
    const url = new URL(window.location.href);
    url.searchParams.delete('period');
    for (const [key, value] of Object.entries({ from, to, compare })) url.searchParams.set(key, value);
    return url.href;
  };
  return (
    <ShareMenu
      name={`${project} ${name} ${from} ${to}`}
      about={text.imageAbout(
        project,
        name,
        formats.range(from, to),
        earlier && formats.range(earlier.from, earlier.to),
      )}
      call={buildCurl(question)}
      csv={(file) => saving.mutate({ file, format: 'csv' })}
      files={FORMATS.map((format) => ({ format, save: (file) => saving.mutate({ file, format }) }))}
      isSaving={saving.isPending}
      link={link}
    />
  );
}
