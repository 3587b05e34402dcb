/** What of the installs is listed. */
import { Button, CloseButton, Group, SegmentedControl, Select, Switch, TextInput } from '@mantine/core';
import { DatePickerInput } from '@mantine/dates';
import { useDebouncedCallback } from '@mantine/hooks';
import { IconCalendar, IconSearch } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { partnerQualityQuery } from '../../components/partners-query';
import { todayIn } from '../../period';
import { useProject } from '../../session';
import classes from './Installs.module.css';
import { campaignNamesQuery, type View } from './questions';
import { installs as text } from '../../texts/installs';
import { texts } from '../../texts';

const TYPING_MS = 300;

interface Props {
  readonly view: View;
  /** A change of the list leads back to its beginning. */
  readonly onChange: (changes: Partial<View>, options?: { replace?: boolean }) => void;
}

const NOTHING: Partial<View> = {
  search: undefined,
  show: 'all',
  suspicious: false,
  campaign: undefined,
  partner: undefined,
  from: undefined,
  to: undefined,
};

export const isFiltered = (view: View) =>
  (Object.keys(NOTHING) as (keyof View)[]).some((name) => view[name] !== NOTHING[name]);

export function Filters({ view, onChange }: Props) {
  const { id, timezone } = useProject();
  const today = todayIn(timezone);
  const campaigns = useQuery(campaignNamesQuery(id));
  const partners = useQuery(partnerQualityQuery(id, today, today));
  const days: [string | null, string | null] = [view.from ?? null, view.to ?? null];
  const [range, setRange] = useState(days);
  useEffect(() => setRange([view.from ?? null, view.to ?? null]), [view.from, view.to]);
  return (
    <Group gap="xs">
      <Search
        value={view.search ?? ''}
        onChange={(search) => onChange({ search: search || undefined }, { replace: true })}
      />
      <SegmentedControl
        size="xs"
        value={view.show}
        data={[
          { value: 'all', label: texts.all },
          { value: 'credited', label: text.credited },
          { value: 'organic', label: texts.organic },
        ]}
        onChange={(show) => onChange({ show, ...(show === 'organic' && { campaign: undefined, partner: undefined }) })}
      />
      <Select
        size="xs"
        className={classes.select}
        aria-label={texts.campaign}
        placeholder={text.anyCampaign}
        clearable
        searchable
        disabled={view.show === 'organic'}
        limit={200}
        data={campaigns.data ?? []}
        value={view.campaign ?? null}
        onChange={(campaign) => onChange({ campaign: campaign ?? undefined })}
      />
      <Select
        size="xs"
        className={classes.select}
        aria-label={texts.partner}
        placeholder={text.anyPartner}
        clearable
        searchable
        disabled={view.show === 'organic'}
        data={partners.data?.partners.map((one) => ({ value: String(one.partner_id), label: one.partner })) ?? []}
        value={view.partner === undefined ? null : String(view.partner)}
        onChange={(partner) => onChange({ partner: partner ? Number(partner) : undefined })}
      />
      <DatePickerInput
        type="range"
        size="xs"
        className={classes.select}
        leftSection={<IconCalendar size={14} />}
        aria-label={`${texts.from} – ${texts.to}`}
        placeholder={`${texts.from} – ${texts.to}`}
        valueFormat="MMM D"
        allowSingleDateInRange
        clearable
        maxDate={today}
        value={range}
        onChange={([from, to]) => {
          setRange([from, to]);
          if (Boolean(from) === Boolean(to)) onChange({ from: from ?? undefined, to: to ?? undefined });
        }}
      />
      <Switch
        size="xs"
        label={text.suspiciousOnly}
        checked={view.suspicious}
        onChange={(event) => onChange({ suspicious: event.currentTarget.checked })}
      />
      {isFiltered(view) && (
        <Button variant="subtle" size="compact-xs" onClick={() => onChange(NOTHING)}>
          {texts.clearFilters}
        </Button>
      )}
    </Group>
  );
}

/** Typed text goes into the URL after a pause. */
function Search({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  const [typed, setTyped] = useState(value);
  const send = useDebouncedCallback((next: string) => onChange(next.trim().slice(0, 255)), TYPING_MS);
  useEffect(() => setTyped((now) => (now.trim() === value ? now : value)), [value]);
  const change = (next: string) => {
    setTyped(next);
    send(next);
  };
  return (
    <TextInput
      size="xs"
      className={classes.search}
      aria-label={text.search}
      placeholder={text.searchHint}
      leftSection={<IconSearch size={14} />}
      value={typed}
      onChange={(event) => change(event.currentTarget.value)}
      rightSection={
        typed !== '' && (
          <CloseButton
            size="xs"
            aria-label={texts.clearSearch}
            onClick={() => {
              setTyped('');
              onChange('');
            }}
          />
        )
      }
    />
  );
}
