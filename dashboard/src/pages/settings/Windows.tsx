/** The windows of attribution: clicks by network, impressions, and coming back. */
import { Button, Group, NumberInput, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { Panel } from '../../components/Panel';
import { valueTexts, texts } from '../../texts';
import { FormFoot } from './FormFoot';
import { WithProject } from './project';
import { useSave } from './save';
import classes from './Settings.module.css';
import { settings as settingsTexts } from '../../texts/settings';

const text = settingsTexts.windows;
const MAX = 100_000;
const VIEW_CAP = 24;

interface Attribution {
  click_window_days: Record<string, number>;
  ip_click_window_hours: number;
  view_window_hours: number;
  ctv_window_hours: number;
  reinstall_window_days: number;
  inactivity_days: number;
}

export const Windows = () => (
  <WithProject>
    {({ attribution }) => (
      <Form key={JSON.stringify(attribution)} attribution={attribution as unknown as Attribution} />
    )}
  </WithProject>
);

interface RowProps {
  readonly label: string;
  readonly hint?: string;
  readonly unit: string;
  readonly cap?: number;
  readonly value: number;
  readonly onChange: (value: string | number) => void;
}

function WindowRow({ label, hint, unit, cap = Infinity, value, onChange }: RowProps) {
  return (
    <div className={classes.window}>
      <div>
        <Text size="sm" fw={500}>
          {label}
        </Text>
        {hint && (
          <Text size="xs" c="dimmed">
            {hint}
          </Text>
        )}
        {value > cap && (
          <Text size="xs" c="var(--app-bad)">
            {text.capped}
          </Text>
        )}
      </div>
      <NumberInput
        aria-label={`${label}, ${unit}`}
        min={0}
        max={MAX}
        allowDecimal={false}
        clampBehavior="strict"
        suffix={` ${unit}`}
        required
        value={value}
        onChange={onChange}
      />
    </div>
  );
}

type Hours = Exclude<keyof Attribution, 'click_window_days'>;

function Form({ attribution }: { attribution: Attribution }) {
  const form = useForm({ initialValues: attribution });
  const save = useSave();
  const { values } = form;
  const networks = Object.keys(values.click_window_days).sort(
    (a, b) => Number(a === 'default') - Number(b === 'default'),
  );
  const row = (field: Hours, label: string, hint: string, unit: string, cap?: number) => (
    <WindowRow
      label={label}
      hint={hint}
      unit={unit}
      cap={cap}
      value={values[field]}
      onChange={(value) => form.setFieldValue(field, value as number)}
    />
  );
  return (
    <form onSubmit={form.onSubmit((body) => save.mutate({ attribution: body }))}>
      <Stack gap="md">
        <Text size="sm" c="dimmed">
          {text.about}
        </Text>
        <Panel title={texts.clicks} about={text.clickHint}>
          {networks.map((network) => (
            <WindowRow
              key={network}
              label={network === 'default' ? text.default : networkName(network)}
              unit={text.days}
              value={values.click_window_days[network] as number}
              onChange={(value) =>
                form.setFieldValue('click_window_days', { ...values.click_window_days, [network]: value as number })
              }
            />
          ))}
          <AddNetwork
            taken={networks}
            onAdd={(network) =>
              form.setFieldValue('click_window_days', {
                ...values.click_window_days,
                [network]: values.click_window_days.default ?? 7,
              })
            }
          />
          {row('ip_click_window_hours', text.ip, text.ipHint, text.hours)}
        </Panel>
        <Panel title={texts.impressions}>
          {row('view_window_hours', texts.impressions, text.viewHint, text.hours, VIEW_CAP)}
          {row('ctv_window_hours', text.ctv, text.ctvHint, text.hours, VIEW_CAP)}
        </Panel>
        <Panel title={text.again}>
          {row('reinstall_window_days', texts.reinstall, text.reinstallHint, text.days)}
          {row('inactivity_days', text.inactivity, text.inactivityHint, text.days)}
        </Panel>
        <FormFoot error={save.error} isDirty={form.isDirty()} isSaving={save.isPending} onUndo={form.reset} />
      </Stack>
    </form>
  );
}

const networkName = (code: string) => valueTexts[code.toLowerCase()] ?? code;

function AddNetwork({ taken, onAdd }: { taken: readonly string[]; onAdd: (network: string) => void }) {
  const [name, setName] = useState('');
  const code = name
    .trim()
    .toUpperCase()
    .replaceAll(/[^A-Z0-9]+/g, '_');
  const isLegal = /^[A-Z][A-Z0-9_]{0,63}$/.test(code) && !taken.includes(code);
  const add = () => {
    if (!isLegal) return;
    onAdd(code);
    setName('');
  };
  return (
    <Group gap="xs" py={8}>
      <TextInput
        size="xs"
        aria-label={texts.network}
        placeholder={texts.network}
        value={name}
        onChange={({ currentTarget }) => setName(currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return;
          event.preventDefault();
          add();
        }}
      />
      <Button size="xs" variant="default" disabled={!isLegal} onClick={add}>
        {text.add}
      </Button>
    </Group>
  );
}
