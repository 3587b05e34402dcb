/** The exchange rates of the installation: one by a form, many by a file. */
import { Button, FileButton, Group, NumberInput, Select, Stack, Table, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { ratesQuery, type UploadedRates } from '../../api/admin';
import { api, unwrapData } from '../../api/client';
import { queryClient } from '../../api/queries';
import { readMessage } from '../../components/ErrorBox';
import { FormError } from '../../components/FormError';
import { PageBody } from '../../components/PageBody';
import { PageHeader } from '../../components/page-header';
import { Panel } from '../../components/Panel';
import { TableScroll } from '../../components/TableScroll';
import { todayIn } from '../../period';
import { useFormats } from '../../session';
import { rates as text } from '../../texts/rates';
import { texts } from '../../texts';
import { CURRENCIES } from '../settings/currencies';
import { Rates } from '../settings/Rates';
import { useApply } from './apply';

export default function RatesPage() {
  return (
    <PageBody narrow>
      <PageHeader title={texts.titles.installationRates} about={text.about} />
      <OneRate />
      <RateFile />
      <Rates />
    </PageBody>
  );
}

function OneRate() {
  const form = useForm({ initialValues: { date: todayIn('UTC'), currency: 'EUR', usd: '' as string | number } });
  const apply = useApply();
  const submit = form.onSubmit(({ usd, ...rest }) =>
    apply.mutate(
      { exchange_rates: [{ ...rest, usd: Number(usd) }] },
      {
        onSuccess: () => {
          notifications.show({ message: text.saved });
          form.setFieldValue('usd', '');
        },
      },
    ),
  );
  return (
    <Panel title={text.one} about={text.oneAbout}>
      <form onSubmit={submit}>
        <Stack gap="sm" pt="xs">
          {apply.error && <FormError message={readMessage(apply.error)} />}
          <Group align="flex-end" gap="sm">
            <TextInput type="date" label={texts.day} required {...form.getInputProps('date')} />
            <Select
              label={texts.currency}
              data={CURRENCIES}
              searchable
              limit={50}
              allowDeselect={false}
              {...form.getInputProps('currency')}
            />
            <NumberInput
              label={text.usd}
              required
              hideControls
              min={1e-9}
              max={1e9}
              decimalScale={9}
              w={180}
              {...form.getInputProps('usd')}
            />
            <Button type="submit" variant="default" loading={apply.isPending}>
              {text.add}
            </Button>
          </Group>
        </Stack>
      </form>
    </Panel>
  );
}

/** What of an ECB file is proposed: all days since it are enough for the reports of this and the last year. */
const lastNewYear = () => `${new Date().getUTCFullYear() - 1}-01-01`;

const upload = (body: string, from: string, dry_run: boolean) =>
  unwrapData(
    api.POST('/admin/v1/exchange_rates', {
      params: { query: { dry_run, ...(from && { from }) } },
      body,
      bodySerializer: (given: string) => given,
      headers: { 'Content-Type': 'text/csv' },
    }),
  );

function RateFile() {
  const [file, setFile] = useState<{ name: string; text: string }>();
  const [from, setFrom] = useState(lastNewYear);
  const check = useMutation({
    mutationFn: (given: { text: string; from: string }) => upload(given.text, given.from, true),
  });
  const store = useMutation({
    mutationFn: () => upload(file?.text ?? '', from, false),
    onSuccess: async ({ created, updated }) => {
      await queryClient.invalidateQueries({ queryKey: ratesQuery.queryKey });
      notifications.show({ message: text.stored(created + updated) });
      setFile(undefined);
      check.reset();
    },
  });
  const open = async (chosen: File | null) => {
    if (!chosen) return;
    const read = { name: chosen.name, text: await chosen.text() };
    setFile(read);
    store.reset();
    check.mutate({ text: read.text, from });
  };
  const error = check.error ?? store.error;
  return (
    <Panel title={text.file} about={text.fileAbout}>
      <Stack gap="sm" pt="xs">
        <Group align="flex-end" gap="sm">
          <TextInput
            type="date"
            label={text.from}
            description={text.fromHint}
            value={from}
            onChange={({ currentTarget: { value } }) => {
              setFrom(value);
              if (file) check.mutate({ text: file.text, from: value });
            }}
          />
          <FileButton onChange={(chosen) => void open(chosen)} accept=".csv,.xml,text/csv,text/xml,application/xml">
            {(props) => (
              <Button variant="default" loading={check.isPending} {...props}>
                {text.choose}
              </Button>
            )}
          </FileButton>
        </Group>
        {error && <FormError message={readMessage(error)} />}
        {file && check.data && (
          <Checked name={file.name} answer={check.data} isSaving={store.isPending} onStore={() => store.mutate()} />
        )}
      </Stack>
    </Panel>
  );
}

interface CheckedProps {
  readonly name: string;
  readonly answer: UploadedRates;
  readonly isSaving: boolean;
  readonly onStore: () => void;
}

function Checked({ name, answer, isSaving, onStore }: CheckedProps) {
  const { count, day } = useFormats();
  const { created, updated, unchanged, currencies, from, to, refused, rows } = answer;
  return (
    <Stack gap="xs" role="status">
      <Text size="sm">{text.checked(name, answer.format)}</Text>
      {from && to && (
        <Text size="sm">
          {text.range(day(from), day(to))} {currencies.join(', ')}
        </Text>
      )}
      <Text size="sm">{text.counts(count(created), count(updated), count(unchanged), count(refused))}</Text>
      {rows.length > 0 && (
        <TableScroll label={text.refused} maxHeight={220}>
          <Table>
            <Table.Tbody>
              {rows.map(({ line, msg }) => (
                <Table.Tr key={line}>
                  <Table.Td>{line}</Table.Td>
                  <Table.Td>{msg}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </TableScroll>
      )}
      <Group>
        <Button disabled={created + updated === 0} loading={isSaving} onClick={onStore}>
          {text.store(count(created + updated))}
        </Button>
      </Group>
    </Stack>
  );
}
