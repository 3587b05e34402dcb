/** What a link has besides its targets: tags, UTM values, an end, and how it looks where it is shared. */
import { Divider, TagsInput, Text, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery } from '@tanstack/react-query';
import { FormModal } from '../../components/FormModal';
import { useFormats, useProject } from '../../session';
import { links as linksTexts } from '../../texts/links';
import { checks } from './form';
import { changeLink, forget, linksQuery, type Link } from './queries';
import { fromLocalTime, toLocalTime } from './time';
import { NO_UTM, toUtm } from './utm';
import { UtmFields } from './UtmFields';

const text = linksTexts.settings;

export const toTags = (tags: readonly string[]) => [...new Set(tags.map((tag) => tag.trim().toLowerCase()))];
export const checkTags = (tags: readonly string[]) =>
  tags.length > 20 || tags.some((tag) => !/^[^,;|]{1,40}$/.test(tag.trim())) ? text.tagsWrong : null;

/** All tags of the project, for suggestions. */
export function useTags(): string[] {
  const { data } = useQuery(linksQuery(useProject().id));
  return [...new Set((data ?? []).flatMap(({ tags }) => tags))].sort();
}

export function LinkSettingsForm({ link, onClose }: { readonly link: Link; readonly onClose: () => void }) {
  const { id } = useProject();
  const { timezone } = useFormats();
  const known = useTags();
  const form = useForm({
    initialValues: {
      tags: [...link.tags],
      utm: { ...NO_UTM, ...link.utm },
      expires_at: link.expires_at === null ? '' : toLocalTime(link.expires_at, timezone),
      expired_target: link.expired_target ?? '',
      title: link.preview?.title ?? '',
      description: link.preview?.description ?? '',
      image: link.preview?.image ?? '',
    },
    validate: {
      tags: checkTags,
      expires_at: (value) => (value === '' || fromLocalTime(value, timezone) ? null : text.timeWrong),
      expired_target: checks.webUrl,
      image: checks.webUrl,
      title: (value, { description, image }) =>
        value.trim() === '' && (description !== '' || image !== '') ? text.titleFirst : null,
    },
  });
  type Values = typeof form.values;
  const save = useMutation({
    mutationFn: ({ tags, utm, expires_at, expired_target, title, description, image }: Values) =>
      changeLink(id, link.display_id, {
        tags: toTags(tags),
        utm: toUtm(utm),
        expires_at: expires_at === '' ? null : (fromLocalTime(expires_at, timezone) ?? null),
        expired_target: expired_target || null,
        preview:
          title.trim() === '' ? null : { title: title.trim(), description: description || null, image: image || null },
      }),
    onSuccess: async () => {
      notifications.show({ message: linksTexts.saved });
      await forget(id);
      onClose();
    },
  });
  return (
    <FormModal
      size="lg"
      title={text.title(link.name)}
      error={save.error}
      isSaving={save.isPending}
      isDirty={form.isDirty() && !save.isSuccess}
      onSubmit={form.onSubmit((values) => save.mutate(values))}
      onClose={onClose}
    >
      <TagsInput label={linksTexts.tags} description={text.tagsAbout} data={known} {...form.getInputProps('tags')} />
      <UtmFields values={form.values.utm} onChange={(utm) => form.setFieldValue('utm', utm)} />
      <Divider label={text.expires.label} labelPosition="left" mt="xs" />
      <TextInput
        type="datetime-local"
        label={text.expires.label}
        description={text.expires.about(timezone)}
        {...form.getInputProps('expires_at')}
      />
      <TextInput
        type="url"
        label={text.target.label}
        description={text.target.about}
        placeholder="https://"
        {...form.getInputProps('expired_target')}
      />
      <Divider label={text.card} labelPosition="left" mt="xs" />
      <Text size="xs" c="dimmed">
        {text.cardAbout}
      </Text>
      <TextInput label={text.cardTitle} maxLength={200} {...form.getInputProps('title')} />
      <Textarea label={text.cardText} maxLength={500} autosize minRows={2} {...form.getInputProps('description')} />
      <TextInput label={text.cardImage} type="url" placeholder="https://" {...form.getInputProps('image')} />
    </FormModal>
  );
}
