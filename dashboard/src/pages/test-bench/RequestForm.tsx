/** A request by its parameters, each with what it means. */
import { Autocomplete, Badge, Fieldset, Group, Stack, Text, TextInput } from '@mantine/core';
import type { PartnerCampaign } from '../../api/partner';
import { FIELDS, type Field, type FieldGroup, type Kind, type Values } from './requests';
import { partner as partnerTexts } from '../../texts/partner';

const text = partnerTexts.bench;
const GROUPS: readonly FieldGroup[] = ['what', 'who', 'when', 'more'];
const COLORS = { required: 'brand', choice: 'gray' } as const;
const MAX_CHARACTERS = 300;

interface Props {
  readonly kind: Kind;
  readonly values: Values;
  readonly campaigns: readonly PartnerCampaign[];
  readonly onChange: (values: Values) => void;
}

export function RequestForm({ kind, values, campaigns, onChange }: Props) {
  const codes = [...new Set(campaigns.map((one) => one.display_id))];
  const buildInput = ({ name, hint, necessity }: Field) => {
    const shared = {
      label: <Label name={name} necessity={necessity} />,
      description: hint,
      maxLength: MAX_CHARACTERS,
      spellCheck: false,
      autoComplete: 'off',
      value: values[name] ?? '',
    };
    const set = (value: string) => onChange({ ...values, [name]: value });
    if (name === 'c') return <Autocomplete key={name} {...shared} data={codes} limit={50} onChange={set} />;
    return <TextInput key={name} {...shared} onChange={({ currentTarget }) => set(currentTarget.value)} />;
  };
  return GROUPS.map((group) => (
    <Fieldset key={group} legend={text.groups[group]} p="sm">
      <Stack gap="sm">{FIELDS[kind].filter((one) => one.group === group).map((one) => buildInput(one))}</Stack>
    </Fieldset>
  ));
}

const Label = ({ name, necessity }: Pick<Field, 'name' | 'necessity'>) => (
  <Group component="span" gap={6} display="inline-flex">
    <Text span ff="monospace" size="sm">
      {name}
    </Text>
    {necessity !== 'optional' && (
      <Badge component="span" size="xs" variant="light" color={COLORS[necessity]} tt="none">
        {text[necessity]}
      </Badge>
    )}
  </Group>
);
