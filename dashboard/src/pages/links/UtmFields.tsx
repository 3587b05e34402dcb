/** Builds the UTM values of a link: suggestions from what is allowed and used, written by the project's rules. */
import { Autocomplete, Code, Divider, SimpleGrid, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useProject } from '../../session';
import { links as linksTexts } from '../../texts/links';
import { utmRulesQuery, type UtmRules } from './queries';
import { toUtm, UTM_NAMES, writeByRules, type UtmName, type UtmValues } from './utm';

const text = linksTexts.utm;

interface Props {
  readonly values: UtmValues;
  readonly onChange: (values: UtmValues) => void;
}

export function UtmFields({ values, onChange }: Props) {
  const { data } = useQuery(utmRulesQuery(useProject().id));
  const rules: UtmRules = data?.rules ?? {};
  const suggest = (name: UtmName) => [...new Set([...(rules.allowed?.[name] ?? []), ...(data?.used[name] ?? [])])];
  const utm = toUtm(values);
  return (
    <>
      <Divider label={text.title} labelPosition="left" mt="xs" />
      <Text size="xs" c="dimmed">
        {text.about}
      </Text>
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="xs">
        {UTM_NAMES.map((name) => (
          <Autocomplete
            key={name}
            label={text.names[name]}
            maxLength={256}
            withAsterisk={utm !== null && (rules.required?.includes(name) ?? false)}
            data={suggest(name)}
            value={values[name]}
            onChange={(value) => onChange({ ...values, [name]: value })}
            onBlur={() => onChange({ ...values, [name]: writeByRules(rules, values[name]) })}
          />
        ))}
      </SimpleGrid>
      {utm && (
        <Text size="xs" c="dimmed">
          {text.preview} <Code style={{ overflowWrap: 'anywhere' }}>?{new URLSearchParams(utm).toString()}</Code>
        </Text>
      )}
    </>
  );
}
