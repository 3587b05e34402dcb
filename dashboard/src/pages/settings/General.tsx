/** Name, currency, time zone, website, and whether visits of the website are measured. */
import { NumberInput, Select, Stack, Switch, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { Project } from '../../api/admin';
import { Panel } from '../../components/Panel';
import { CURRENCIES } from './currencies';
import { withOwnLocale } from './locales';
import { FormFoot } from './FormFoot';
import { WithProject } from './project';
import { useFormSave } from './save';
import classes from './Settings.module.css';
import { settings as settingsTexts } from '../../texts/settings';
import { texts } from '../../texts';

const text = settingsTexts.general;

const ZONES = Intl.supportedValuesOf('timeZone');
/** What the browser does not list stays what it is. */
const withOwn = (zone: string) => (ZONES.includes(zone) ? ZONES : [zone, ...ZONES]);

export const General = () => (
  <Panel title={settingsTexts.tabs.general} about={text.about}>
    <WithProject>{(project) => <Form key={JSON.stringify(toFormValues(project))} project={project} />}</WithProject>
  </Panel>
);

const toFormValues = ({ name, currency, timezone, target_roas, locale, website, web_campaigns }: Project) => ({
  name,
  currency,
  timezone,
  target_roas,
  locale,
  website: website ?? '',
  web_campaigns,
});

function Form({ project }: { project: Project }) {
  const form = useForm({ initialValues: toFormValues(project) });
  const save = useFormSave(form);
  const submit = form.onSubmit(({ name, website, ...rest }) =>
    save.mutate({ ...rest, name: name.trim(), website: website.trim() || null }),
  );
  return (
    <form onSubmit={submit} className={classes.form}>
      <Stack gap="md">
        <TextInput
          label={texts.name}
          description={text.nameHint}
          required
          maxLength={255}
          {...form.getInputProps('name')}
        />
        <Select
          label={texts.currency}
          description={text.currencyHint}
          data={CURRENCIES}
          searchable
          allowDeselect={false}
          limit={50}
          {...form.getInputProps('currency')}
        />
        <Select
          label={texts.timezone}
          description={text.timezoneHint}
          data={withOwn(project.timezone)}
          searchable
          allowDeselect={false}
          limit={50}
          {...form.getInputProps('timezone')}
        />
        <Select
          label={text.locale}
          description={text.localeHint}
          data={withOwnLocale(project.locale)}
          searchable
          allowDeselect={false}
          {...form.getInputProps('locale')}
        />
        <NumberInput
          label={text.target}
          description={text.targetHint}
          required
          min={0.01}
          max={100}
          step={0.1}
          decimalScale={2}
          {...form.getInputProps('target_roas')}
        />
        <TextInput
          label={text.website}
          description={text.websiteHint}
          type="url"
          maxLength={2048}
          placeholder="https://www.example.com"
          {...form.getInputProps('website')}
        />
        <Switch
          label={text.web}
          description={text.webHint}
          {...form.getInputProps('web_campaigns', { type: 'checkbox' })}
        />
        <FormFoot error={save.error} isDirty={form.isDirty()} isSaving={save.isPending} onUndo={form.reset} />
      </Stack>
    </form>
  );
}
