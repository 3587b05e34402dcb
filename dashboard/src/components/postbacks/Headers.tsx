/** The headers of a request, one per line. */
import { ActionIcon, Button, Group, Input, Stack, TextInput } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import type { FocusEventHandler } from 'react';
import { postbacks } from '../../texts/postbacks';
import type { Header } from './request';

const text = postbacks.form;
const MAX_HEADERS = 20;

interface Props {
  readonly headers: readonly Header[];
  readonly error: string | undefined;
  readonly onChange: (headers: Header[]) => void;
  /** What the field of a value takes besides: it may receive macros. */
  readonly receives: (at: number) => { onFocus: FocusEventHandler<HTMLInputElement> };
}

export function Headers({ headers, error, onChange, receives }: Props) {
  const set = (at: number, change: Partial<Header>) =>
    onChange(headers.map((one, index) => (index === at ? { ...one, ...change } : one)));
  return (
    <Input.Wrapper label={text.headers} description={text.headersHint} labelElement="div" error={error}>
      <Stack gap={6} pt={4}>
        {headers.map(({ name, value }, at) => (
          <Group key={at} gap={6} wrap="nowrap">
            <TextInput
              aria-label={text.headerName(at + 1)}
              placeholder={text.namePlaceholder}
              flex="1 1 40%"
              spellCheck={false}
              value={name}
              onChange={({ currentTarget }) => set(at, { name: currentTarget.value })}
            />
            <TextInput
              aria-label={text.headerValue(at + 1)}
              placeholder={text.valuePlaceholder}
              flex="1 1 60%"
              spellCheck={false}
              autoComplete="off"
              value={value}
              onChange={({ currentTarget }) => set(at, { value: currentTarget.value })}
              {...receives(at)}
            />
            <ActionIcon
              aria-label={text.removeHeader(at + 1)}
              onClick={() => onChange(headers.filter((_, index) => index !== at))}
            >
              <IconX size={16} />
            </ActionIcon>
          </Group>
        ))}
        {headers.length < MAX_HEADERS && (
          <Button
            size="compact-xs"
            variant="default"
            style={{ alignSelf: 'flex-start' }}
            onClick={() => onChange([...headers, { name: '', value: '' }])}
          >
            {text.addHeader}
          </Button>
        )}
      </Stack>
    </Input.Wrapper>
  );
}
