/** The apps of a project. */
import { Select, Text, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { appsQuery, type App } from '../../api/admin';
import { api } from '../../api/client';
import { queryClient } from '../../api/queries';
import type { Column } from '../../components/table-columns';
import { valueName } from '../../names';
import { useProject } from '../../session';
import { EditableList } from './EditableList';
import { FormModal } from '../../components/FormModal';
import { PLATFORMS } from './platforms';
import { useFormSave } from './save';
import { settings as settingsTexts } from '../../texts/settings';
import { texts } from '../../texts';

const text = settingsTexts.apps;

const opensAs = ({ platform, team_id, bundle_id, sha256_cert_fingerprints: prints }: App) =>
  platform === 'IOS'
    ? [team_id, bundle_id].filter(Boolean).join('.')
    : prints.length > 0
      ? text.fingerprints(prints.length)
      : '';

const COLUMNS: readonly Column<App>[] = [
  { id: 'platform', header: texts.platform, value: ({ platform }) => valueName('app', 'platform', platform) },
  { id: 'app', header: text.id, value: ({ app_id }) => app_id },
  { id: 'opens', header: text.ids, value: opensAs },
];

export function Apps() {
  const { id } = useProject();
  return (
    <EditableList
      title={settingsTexts.tabs.apps}
      text={text}
      answer={useQuery(appsQuery(id))}
      columns={COLUMNS}
      readName={({ app_id }) => app_id}
      form={(app, close) => <AppForm app={app} onClose={close} />}
      remove={(app) => remove(id, app)}
    />
  );
}

async function remove(id: number, { id: app }: App) {
  await api.DELETE('/admin/v1/projects/{id}/apps/{app}', { params: { path: { id, app } } });
  await queryClient.invalidateQueries({ queryKey: appsQuery(id).queryKey });
}

const lines = (value: string) =>
  value
    .split(/[\s,]+/)
    .map((line) => line.trim().toUpperCase())
    .filter(Boolean);

export function AppForm({ app, onClose }: { app: App | undefined; onClose: () => void }) {
  const form = useForm({
    initialValues: {
      platform: app?.platform ?? 'ANDROID',
      app_id: app?.app_id ?? '',
      team_id: app?.team_id ?? '',
      bundle_id: app?.bundle_id ?? '',
      prints: app?.sha256_cert_fingerprints.join('\n') ?? '',
    },
  });
  const save = useFormSave(form, { onSaved: onClose });
  const { platform } = form.values;
  const submit = form.onSubmit(({ platform, app_id, team_id, bundle_id, prints }) => {
    const ids =
      platform === 'IOS'
        ? { team_id: team_id.trim() || null, bundle_id: bundle_id.trim() || null }
        : { sha256_cert_fingerprints: lines(prints) };
    save.mutate({ apps: [{ platform, app_id: app_id.trim(), ...ids }] });
  });
  return (
    <FormModal
      title={app ? app.app_id : text.add}
      error={save.error}
      isSaving={save.isPending}
      isDirty={form.isDirty()}
      onSubmit={submit}
      onClose={onClose}
    >
      <Select
        label={texts.platform}
        data={PLATFORMS}
        allowDeselect={false}
        disabled={app !== undefined}
        {...form.getInputProps('platform')}
      />
      <TextInput
        label={text.id}
        description={text.idHint}
        placeholder={platform === 'IOS' ? 'id1234567890' : 'com.example.shop'}
        required
        maxLength={255}
        readOnly={app !== undefined}
        {...form.getInputProps('app_id')}
      />
      {platform === 'IOS' ? (
        <>
          <TextInput label={text.team} placeholder="ABCDE12345" {...form.getInputProps('team_id')} />
          <TextInput label={text.bundle} placeholder="com.example.shop" {...form.getInputProps('bundle_id')} />
        </>
      ) : (
        <Textarea
          label={text.prints}
          description={text.printsHint}
          autosize
          minRows={2}
          maxRows={6}
          styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
          {...form.getInputProps('prints')}
        />
      )}
      {app === undefined && (
        <Text size="xs" c="dimmed">
          {text.about}
        </Text>
      )}
    </FormModal>
  );
}
