/** Method, URL, headers and body of a template, beside the macros to insert and what becomes of it all. */
import {
  ActionIcon,
  Button,
  Group,
  Input,
  SegmentedControl,
  SimpleGrid,
  Stack,
  Textarea,
  TextInput,
} from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { useRef, type FocusEvent, type ReactNode } from 'react';
import type { PostbackRequest, TemplatePlace } from '../../api/postbacks';
import { postbacks } from '../../texts/postbacks';
import { Macros } from './Macros';
import classes from './Postbacks.module.css';
import { Preview } from './Preview';
import type { Header, RequestValues } from './request';
import { texts } from '../../texts';

const text = postbacks.form;
const MAX_HEADERS = 20;
const MAX_URL = 4096;

type Field = HTMLInputElement | HTMLTextAreaElement;

interface Props {
  readonly place: TemplatePlace;
  readonly values: RequestValues;
  /** As it would be sent to the service. */
  readonly request: PostbackRequest;
  /** By the name of the field. */
  readonly errors: Readonly<Record<string, string | undefined>>;
  readonly onChange: (values: Partial<RequestValues>) => void;
  /** Fields before these. */
  readonly children?: ReactNode;
}

export function RequestFields({ place, values, request, errors, onChange, children }: Props) {
  const url = useRef<HTMLTextAreaElement>(null);
  const { headers } = values;
  const setUrl = (next: string) => onChange({ url: next.replace(/[\r\n]+/g, '') });
  const setBody = (next: string) => onChange({ body: next });
  const setHeader = (at: number, change: Partial<Header>) =>
    onChange({ headers: headers.map((one, index) => (index === at ? { ...one, ...change } : one)) });

  /** Where macros go: to the field that was typed in last, and at first to the URL. */
  const last = useRef<{ field: Field; place: 'url' | 'body' | number }>(undefined);
  const receives = (where: 'url' | 'body' | number) => ({
    onFocus: ({ currentTarget }: FocusEvent<Field>) => {
      last.current = { field: currentTarget, place: where };
    },
  });
  const insert = (name: string) => {
    const known = last.current?.field.isConnected ? last.current : undefined;
    const field = known?.field ?? url.current;
    if (!field) return;
    const macro = `{${name}}`;
    const [start, end] = [field.selectionStart ?? field.value.length, field.selectionEnd ?? field.value.length];
    const next = field.value.slice(0, start) + macro + field.value.slice(end);
    if (typeof known?.place === 'number') setHeader(known.place, { value: next });
    else if (known?.place === 'body') setBody(next);
    else setUrl(next);
    // Once the field has its new value, the cursor stands behind the macro.
    requestAnimationFrame(() => {
      field.focus();
      field.setSelectionRange(start + macro.length, start + macro.length);
    });
  };

  return (
    <SimpleGrid cols={{ base: 1, md: 2 }} spacing="lg">
      <Stack gap="sm">
        {children}
        <Input.Wrapper label={texts.method} labelElement="div">
          <div>
            <SegmentedControl
              size="xs"
              aria-label={texts.method}
              data={['GET', 'POST']}
              value={values.method}
              onChange={(method) => onChange({ method: method })}
            />
          </div>
        </Input.Wrapper>
        <Textarea
          ref={url}
          label={texts.url}
          description={text.urlHint}
          placeholder={text.urlPlaceholder}
          required
          autosize
          minRows={2}
          maxRows={8}
          maxLength={MAX_URL}
          spellCheck={false}
          classNames={{ input: classes.text }}
          value={values.url}
          error={errors.url}
          onChange={({ currentTarget }) => setUrl(currentTarget.value)}
          {...receives('url')}
        />
        <Input.Wrapper label={text.headers} description={text.headersHint} labelElement="div" error={errors.headers}>
          <Stack gap={6} pt={4}>
            {headers.map(({ name, value }, at) => (
              <Group key={at} gap={6} wrap="nowrap">
                <TextInput
                  aria-label={text.headerName(at + 1)}
                  placeholder={text.namePlaceholder}
                  flex="1 1 40%"
                  spellCheck={false}
                  value={name}
                  onChange={({ currentTarget }) => setHeader(at, { name: currentTarget.value })}
                />
                <TextInput
                  aria-label={text.headerValue(at + 1)}
                  placeholder={text.valuePlaceholder}
                  flex="1 1 60%"
                  spellCheck={false}
                  autoComplete="off"
                  value={value}
                  onChange={({ currentTarget }) => setHeader(at, { value: currentTarget.value })}
                  {...receives(at)}
                />
                <ActionIcon
                  aria-label={text.removeHeader(at + 1)}
                  onClick={() => onChange({ headers: headers.filter((_, index) => index !== at) })}
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
                onClick={() => onChange({ headers: [...headers, { name: '', value: '' }] })}
              >
                {text.addHeader}
              </Button>
            )}
          </Stack>
        </Input.Wrapper>
        {values.method === 'POST' && (
          <Textarea
            label={texts.body}
            description={text.bodyHint}
            placeholder={text.bodyPlaceholder}
            autosize
            minRows={4}
            maxRows={14}
            spellCheck={false}
            classNames={{ input: classes.text }}
            value={values.body}
            error={errors.body}
            onChange={({ currentTarget }) => setBody(currentTarget.value)}
            {...receives('body')}
          />
        )}
      </Stack>
      <Stack gap="md">
        <Macros onInsert={insert} />
        <Preview place={place} request={request} />
      </Stack>
    </SimpleGrid>
  );
}
