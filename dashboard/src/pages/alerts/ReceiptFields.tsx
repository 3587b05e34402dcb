/** What an alert on received or refused records waits for. */
import { NumberInput, Select, SimpleGrid, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { CONDITION_BOUNDS } from '../../api/generated-limits';
import { choices } from '../../choices';
import { useProject } from '../../session';
import { alerts as text } from '../../texts/alerts';
import { campaignsQuery } from '../links/queries';
import { switchesQuery } from '../partners/questions';
import { isTouch, type Values } from './entry';
import type { FieldProps } from './FigureFields';

export function ReceiptFields({ values, onChange }: FieldProps) {
  const { id } = useProject();
  const { hours, kind, partner, campaign, reason, minimum } = values;
  const type = values.type === 'nothing_received' ? values.type : 'refusals_doubled';
  const partners = useQuery(switchesQuery(id)).data?.partners ?? [];
  const campaigns = useQuery(campaignsQuery(id, 'ALL')).data ?? [];
  const number = (read: (next: number) => Partial<Values>) => (next: number | string) => {
    if (typeof next === 'number') onChange(read(next));
  };
  const isNamed = type === 'refusals_doubled' || isTouch(kind);
  return (
    <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
      {type === 'nothing_received' && (
        <Select
          label={text.kind}
          allowDeselect={false}
          data={choices(text.kinds)}
          value={kind}
          onChange={(next) => next && onChange({ kind: next })}
        />
      )}
      <NumberInput
        label={text.hours}
        {...CONDITION_BOUNDS[type].hours}
        value={hours}
        onChange={number((next) => ({ hours: next }))}
      />
      {isNamed && (
        <Select
          label={text.partner}
          searchable
          clearable
          placeholder={text.anyPartner}
          data={partners.map((one) => ({ value: String(one.partner_id), label: one.partner }))}
          value={partner === null ? null : String(partner)}
          onChange={(next) => onChange({ partner: next === null ? null : Number(next) })}
        />
      )}
      {type === 'nothing_received' && isNamed && (
        <Select
          label={text.campaign}
          searchable
          clearable
          placeholder={text.anyCampaign}
          data={campaigns.map((one) => ({ value: one.display_id, label: one.name }))}
          value={campaign}
          onChange={(next) => onChange({ campaign: next })}
        />
      )}
      {type === 'refusals_doubled' && (
        <>
          <TextInput
            label={text.reason}
            placeholder={text.anyReason}
            value={reason}
            onChange={({ currentTarget }) => onChange({ reason: currentTarget.value })}
          />
          <NumberInput
            label={text.minimum}
            description={text.minimumHint}
            min={1}
            value={minimum}
            onChange={number((next) => ({ minimum: next }))}
          />
        </>
      )}
    </SimpleGrid>
  );
}
