/** The second factor: its key, a first code, recovery codes; turning it on and off takes the password. */
import { Anchor, Button, Code, Group, Image, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { api, unwrapData } from '../../api/client';
import { meQuery, queryClient } from '../../api/queries';
import { readMessage } from '../../components/ErrorBox';
import { FormError } from '../../components/FormError';
import { Snippet } from '../../components/Snippet';
import { texts } from '../../texts';

const text = texts.people.profile;
const WIDTH = 420;
const QR = 180;
const toDataUrl = (svg: string) => `data:image/svg+xml;base64,${btoa(svg)}`;
const refresh = () => queryClient.invalidateQueries(meQuery);

export function SecondFactor({ isOn, hasPassword }: { isOn: boolean; hasPassword: boolean }) {
  const [codes, setCodes] = useState<string[]>();
  if (codes)
    return (
      <Stack gap="xs" mt="xs" maw={WIDTH}>
        <Text fw={600}>{text.factorCodes}</Text>
        <Text size="sm">{text.factorCodesText}</Text>
        <Snippet code={codes.join('\n')} />
      </Stack>
    );
  return isOn ? <TurnOff hasPassword={hasPassword} /> : <TurnOn hasPassword={hasPassword} onCodes={setCodes} />;
}

interface TurnOnProps {
  readonly hasPassword: boolean;
  readonly onCodes: (codes: string[]) => void;
}

function TurnOn({ hasPassword, onCodes }: TurnOnProps) {
  const [code, setCode] = useState('');
  const [password, setPassword] = useState('');
  const start = useMutation({ mutationFn: () => unwrapData(api.POST('/auth/v1/me/second-factor')) });
  const confirm = useMutation({
    mutationFn: () => {
      const proof = hasPassword ? { password } : {};
      const body = { secret: start.data?.secret ?? '', code: code.trim(), ...proof };
      return unwrapData(api.POST('/auth/v1/me/second-factor/confirm', { body }));
    },
    onSuccess: ({ recovery_codes }) => {
      onCodes(recovery_codes);
      void refresh();
    },
  });
  const error = start.error ?? confirm.error;
  return (
    <Stack gap="xs" mt="xs" maw={WIDTH}>
      <Text size="sm">{text.factorOff}</Text>
      {error && <FormError message={readMessage(error)} />}
      {!start.data && (
        <Group>
          <Button variant="default" loading={start.isPending} onClick={() => start.mutate()}>
            {text.factorStart}
          </Button>
        </Group>
      )}
      {start.data && (
        <form
          onSubmit={(event) => {
            event.preventDefault();
            confirm.mutate();
          }}
        >
          <Stack gap="xs">
            <Text size="sm">{text.factorScan}</Text>
            <Image src={toDataUrl(start.data.qr)} alt={text.factorQr} w={QR} h={QR} />
            <Code block>{start.data.secret}</Code>
            <Anchor href={start.data.uri} size="sm">
              {text.factorOpen}
            </Anchor>
            {hasPassword && <Password value={password} onChange={setPassword} />}
            <Group align="flex-end" gap="xs">
              <TextInput
                label={texts.code}
                autoComplete="one-time-code"
                inputMode="numeric"
                maxLength={10}
                required
                withAsterisk={false}
                value={code}
                onChange={({ currentTarget }) => setCode(currentTarget.value)}
              />
              <Button type="submit" loading={confirm.isPending}>
                {text.factorConfirm}
              </Button>
            </Group>
          </Stack>
        </form>
      )}
    </Stack>
  );
}

function TurnOff({ hasPassword }: { hasPassword: boolean }) {
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const remove = useMutation({
    mutationFn: () => {
      const body = { code: code.trim(), ...(hasPassword ? { password } : {}) };
      return api.POST('/auth/v1/me/second-factor/remove', { body });
    },
    onSuccess: refresh,
  });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        remove.mutate();
      }}
    >
      <Stack gap="xs" mt="xs" maw={WIDTH}>
        <Text size="sm">{text.factorOn}</Text>
        {remove.error && <FormError message={readMessage(remove.error)} />}
        {hasPassword && <Password value={password} onChange={setPassword} />}
        <Group align="flex-end" gap="xs">
          <TextInput
            flex={1}
            label={texts.people.signIn.code}
            autoComplete="one-time-code"
            maxLength={40}
            required
            withAsterisk={false}
            value={code}
            onChange={({ currentTarget }) => setCode(currentTarget.value)}
          />
          <Button type="submit" variant="default" loading={remove.isPending}>
            {text.factorRemove}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function Password({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  return (
    <PasswordInput
      label={text.current}
      autoComplete="current-password"
      required
      withAsterisk={false}
      value={value}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  );
}
