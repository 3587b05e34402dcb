/** Values as elements: aligned numbers, in the project's currency and zone. */
import { Anchor, Text } from '@mantine/core';
import { countryName } from '../format';
import { useFormats } from '../session';
import { texts } from '../texts';
import classes from './components.module.css';

type Value = { value: number | null | undefined };

export const Count = ({ value }: Value) => <span className={classes.number}>{useFormats().count(value)}</span>;
export const Money = ({ value }: Value) => <span className={classes.number}>{useFormats().money(value)}</span>;
export const Percent = ({ value }: Value) => <span className={classes.number}>{useFormats().percent(value)}</span>;

/** An instant in the project's zone. */
export const Time = ({ value }: { value: string | null | undefined }) => (
  <time className={classes.time} dateTime={value ?? undefined}>
    {useFormats().time(value)}
  </time>
);

export const Country = ({ code }: { code: string }) => <span title={code}>{countryName(code)}</span>;

/** On every page that shows countries: their source is under CC BY 4.0. */
export const CountrySource = () => (
  <Text size="xs" c="dimmed">
    <Anchor href="https://db-ip.com" target="_blank" rel="noreferrer" inherit>
      {texts.tools.countries}
    </Anchor>{' '}
    (CC BY 4.0)
  </Text>
);
