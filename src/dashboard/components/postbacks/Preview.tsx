/** The request that a template makes of sample values, while it is written. */
import { Code, Input } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { previewQuery, type PostbackRequest, type TemplatePlace } from '../../api/postbacks';
import { postbacks } from '../../texts/postbacks';
import { messageOf } from '../ErrorBox';
import classes from './Postbacks.module.css';
import { writtenRequest } from './request';

const text = postbacks.preview;
const TYPING_MS = 350;

export function Preview({ place, request }: { place: TemplatePlace; request: PostbackRequest }) {
  // As text: equal requests are equal then.
  const [asked] = useDebouncedValue(JSON.stringify(request), TYPING_MS);
  const { data, error } = useQuery(previewQuery(place, JSON.parse(asked) as PostbackRequest));
  return (
    <Input.Wrapper label={text.title} description={text.about} labelElement="div">
      <Code block className={classes.preview} role="region" aria-label={text.title} aria-live="polite" tabIndex={0}>
        {error ? messageOf(error) : data && request.url !== '' ? writtenRequest(data) : text.empty}
      </Code>
    </Input.Wrapper>
  );
}
