/** Method, URL, headers and body of a template, beside the macros to insert and what becomes of it all. */
import { Input, SegmentedControl, SimpleGrid, Stack, Textarea } from '@mantine/core';
import type { ReactNode } from 'react';
import type { PostbackRequest, TemplatePlace } from '../../api/postbacks';
import { postbacks } from '../../texts/postbacks';
import { Headers } from './Headers';
import { Macros } from './Macros';
import classes from './Postbacks.module.css';
import { Preview } from './Preview';
import type { RequestValues } from './request';
import { useMacroTarget } from './use-macro-target';
import { texts } from '../../texts';

const text = postbacks.form;
const MAX_URL = 4096;

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
  const { headers } = values;
  const setUrl = (next: string) => onChange({ url: next.replace(/[\r\n]+/g, '') });
  const { url, receives, insert } = useMacroTarget((at, next) => {
    if (at === 'url') setUrl(next);
    else if (at === 'body') onChange({ body: next });
    else onChange({ headers: headers.map((one, index) => (index === at ? { ...one, value: next } : one)) });
  });
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
        <Headers
          headers={headers}
          error={errors.headers}
          onChange={(next) => onChange({ headers: next })}
          receives={receives}
        />
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
            onChange={({ currentTarget }) => onChange({ body: currentTarget.value })}
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
