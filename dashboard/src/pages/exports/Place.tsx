/** Where a new export writes to: the project's folder, or a bucket with its keys. */
import { SegmentedControl, SimpleGrid, TextInput } from '@mantine/core';
import { choices } from '../../choices';
import { scheduledExports } from '../../texts/exports';
import type { Values } from './entry';
import { KeyFields } from './KeyFields';

const text = scheduledExports.form;

interface Props {
  readonly values: Values;
  /** Whether the installation has a folder for exports. */
  readonly hasFolders: boolean;
  readonly onChange: (changes: Partial<Values>) => void;
}

export function Place({ values, hasFolders, onChange }: Props) {
  const type = (name: 'bucket' | 'prefix' | 'region' | 'endpoint' | 'path') => ({
    label: text[name],
    value: values[name],
    onChange: ({ currentTarget: { value } }: { readonly currentTarget: { readonly value: string } }) =>
      onChange({ [name]: value }),
  });
  return (
    <>
      {hasFolders && (
        <SegmentedControl
          size="xs"
          aria-label={text.where}
          data={choices(text.types)}
          value={values.type}
          onChange={(next) => onChange({ type: next })}
        />
      )}
      {values.type === 'folder' ? (
        <TextInput required description={text.pathHint} {...type('path')} />
      ) : (
        <>
          <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
            <TextInput required {...type('bucket')} />
            <TextInput {...type('prefix')} />
            <TextInput placeholder="us-east-1" {...type('region')} />
            <TextInput placeholder="https://" title={text.endpointHint} {...type('endpoint')} />
          </SimpleGrid>
          <KeyFields keys={values} onChange={onChange} />
        </>
      )}
    </>
  );
}
