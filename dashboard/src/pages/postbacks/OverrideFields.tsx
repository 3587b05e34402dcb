/** For which event and partner an override is, whether it sends something else or nothing, and what is left out. */
import { Checkbox, Group, Input, SegmentedControl, Select, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { allPartnersQuery } from '../../api/admin';
import { EventField } from '../../components/postbacks/EventField';
import { texts } from '../../texts';
import { postbacks } from '../../texts/postbacks';
import { MODES } from './override';
import type { OverrideState } from './use-override';

const text = postbacks.overrides;
const EVERY = '';
const WITHHELD = ['amounts', 'device_ids'] as const;

export function OverrideFields({ form }: { form: OverrideState }) {
  const partners = useQuery(allPartnersQuery);
  const { mode } = form;
  return (
    <>
      <EventField value={form.event} readOnly={!form.isNew} error={form.errors.event} onChange={form.setEvent} />
      <Select
        label={texts.partner}
        description={text.partnerHint}
        data={[
          { value: EVERY, label: text.everyPartner },
          ...(partners.data ?? []).map(({ id, name }) => ({ value: String(id), label: name })),
        ]}
        value={String(form.partnerId ?? EVERY)}
        searchable
        allowDeselect={false}
        disabled={!form.isNew}
        onChange={(id) => form.setPartnerId(id ? Number(id) : null)}
      />
      <Input.Wrapper label={text.mode} labelElement="div">
        <SegmentedControl
          fullWidth
          size="xs"
          mt={4}
          aria-label={text.mode}
          value={mode}
          data={MODES.map((value) => ({ value, label: text.modes[value] }))}
          onChange={form.setMode}
        />
        <Text size="xs" c="dimmed" mt={4}>
          {text.modeHints[mode]}
        </Text>
      </Input.Wrapper>
      {mode !== 'none' && (
        <Checkbox.Group
          label={text.withhold}
          description={text.withholdHint}
          value={form.withhold}
          onChange={(next) => form.setWithhold(WITHHELD.filter((one) => next.includes(one)))}
        >
          <Group gap="lg" pt={6}>
            {WITHHELD.map((one) => (
              <Checkbox key={one} value={one} label={text.withheld[one]} />
            ))}
          </Group>
        </Checkbox.Group>
      )}
    </>
  );
}
