/** How a project writes UTM values. */
import { MultiSelect, Select, Switch, TagsInput, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { FormModal } from '../../components/FormModal';
import { useProject } from '../../session';
import { links as linksTexts } from '../../texts/links';
import { forget, putUtmRules, utmRulesQuery, type UtmRules } from './queries';
import { UTM_NAMES, type UtmName } from './utm';

const text = linksTexts.utm;
type Separator = NonNullable<UtmRules['separator']>;

export function UtmRulesForm({ onClose }: { readonly onClose: () => void }) {
  const { data } = useQuery(utmRulesQuery(useProject().id));
  return data ? <Form before={data.rules} onClose={onClose} /> : null;
}

function Form({ before, onClose }: { readonly before: UtmRules; readonly onClose: () => void }) {
  const { id } = useProject();
  const [rules, setRules] = useState(before);
  const save = useMutation({
    mutationFn: () => putUtmRules(id, rules),
    onSuccess: async () => {
      notifications.show({ message: text.saved });
      await forget(id);
      onClose();
    },
  });
  const allow = (name: UtmName, values: string[]) =>
    setRules({ ...rules, allowed: { ...rules.allowed, [name]: values } });
  return (
    <FormModal
      title={text.rules}
      error={save.error}
      isSaving={save.isPending}
      isDirty={rules !== before && !save.isSuccess}
      onSubmit={(event) => {
        event.preventDefault();
        save.mutate();
      }}
      onClose={onClose}
    >
      <Text size="sm">{text.rulesAbout}</Text>
      <Switch
        label={text.lower}
        checked={rules.lower_case ?? false}
        onChange={({ currentTarget }) => setRules({ ...rules, lower_case: currentTarget.checked })}
      />
      <Select
        label={text.separator}
        allowDeselect={false}
        value={rules.separator ?? 'any'}
        data={Object.entries(text.separators).map(([value, label]) => ({ value, label }))}
        onChange={(value) => setRules({ ...rules, separator: value === 'any' ? null : (value as Separator) })}
      />
      <MultiSelect
        label={text.required}
        value={[...(rules.required ?? [])]}
        data={UTM_NAMES.map((value) => ({ value, label: text.names[value] ?? value }))}
        onChange={(required) => setRules({ ...rules, required: required })}
      />
      {(['utm_source', 'utm_medium'] as const).map((name) => (
        <TagsInput
          key={name}
          label={text.allowed(text.names[name] ?? name)}
          description={text.allowedAbout}
          value={[...(rules.allowed?.[name] ?? [])]}
          onChange={(values) => allow(name, values)}
        />
      ))}
    </FormModal>
  );
}
