/** The request that a template makes of sample values or of an install, while it is written. */
import { Code, Input, Stack, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { previewQuery, type PostbackRequest, type TemplatePlace } from '../../api/postbacks';
import { postbacks } from '../../texts/postbacks';
import { readMessage } from '../ErrorBox';
import classes from './Postbacks.module.css';
import { writtenRequest } from './request';

const text = postbacks.preview;
const TYPING_MS = 350;
const MAX_INSTALL = 256;

export function Preview({ place, request }: { place: TemplatePlace; request: PostbackRequest }) {
  const [install, setInstall] = useState('');
  // As text: equal requests are equal then.
  const [asked] = useDebouncedValue(JSON.stringify(request), TYPING_MS);
  const [of] = useDebouncedValue(install.trim(), TYPING_MS);
  const { data, error } = useQuery(previewQuery(place, JSON.parse(asked) as PostbackRequest, of));
  return (
    <Stack gap="xs">
      <Input.Wrapper label={text.title} description={text.about} labelElement="div">
        <Code block className={classes.preview} role="region" aria-label={text.title} aria-live="polite" tabIndex={0}>
          {error ? readMessage(error) : data && request.url !== '' ? writtenRequest(data) : text.empty}
        </Code>
      </Input.Wrapper>
      {place.area === 'project' && (
        <TextInput
          size="xs"
          label={text.install}
          placeholder={text.installHint}
          maxLength={MAX_INSTALL}
          value={install}
          onChange={({ currentTarget }) => setInstall(currentTarget.value)}
        />
      )}
    </Stack>
  );
}
