/** Pages of the stores that links lead to. */
import { Select, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { listingsQuery, type StoreListing } from '../../api/admin';
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

const text = settingsTexts.listings;

const COLUMNS: readonly Column<StoreListing>[] = [
  { id: 'name', header: texts.name, value: ({ name }) => name },
  { id: 'platform', header: texts.platform, value: ({ platform }) => valueName('app', 'platform', platform) },
  { id: 'id', header: texts.id, value: ({ store_listing_id }) => store_listing_id },
  { id: 'url', header: texts.url, value: ({ url }) => url },
];

export function Listings() {
  const { id } = useProject();
  return (
    <EditableList
      title={settingsTexts.tabs.listings}
      text={text}
      answer={useQuery(listingsQuery(id))}
      columns={COLUMNS}
      readName={({ name }) => name}
      form={(listing, close) => <ListingForm listing={listing} onClose={close} />}
      remove={(listing) => remove(id, listing)}
    />
  );
}

async function remove(id: number, { id: listing }: StoreListing) {
  await api.DELETE('/admin/v1/projects/{id}/store_listings/{listing}', { params: { path: { id, listing } } });
  await queryClient.invalidateQueries({ queryKey: listingsQuery(id).queryKey });
}

function ListingForm({ listing, onClose }: { listing: StoreListing | undefined; onClose: () => void }) {
  const form = useForm({
    initialValues: {
      store_listing_id: listing?.store_listing_id ?? '',
      name: listing?.name ?? '',
      platform: listing?.platform ?? ('ANDROID' as const),
      url: listing?.url ?? '',
    },
  });
  const save = useFormSave(form, { onSaved: onClose });
  const submit = form.onSubmit(({ url, ...rest }) =>
    save.mutate({ store_listings: [{ ...rest, url: url.trim() || null }] }),
  );
  return (
    <FormModal
      title={listing ? listing.name : text.add}
      error={save.error}
      isSaving={save.isPending}
      isDirty={form.isDirty()}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextInput label={texts.name} placeholder="Google Play" required {...form.getInputProps('name')} />
      <TextInput
        label={texts.id}
        description={text.idHint}
        placeholder="play"
        required
        readOnly={listing !== undefined}
        {...form.getInputProps('store_listing_id')}
      />
      <Select label={texts.platform} data={PLATFORMS} allowDeselect={false} {...form.getInputProps('platform')} />
      <TextInput
        label={texts.url}
        type="url"
        placeholder="https://play.google.com/store/apps/details?id=..."
        maxLength={2048}
        {...form.getInputProps('url')}
      />
    </FormModal>
  );
}
