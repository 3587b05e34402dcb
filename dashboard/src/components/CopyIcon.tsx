/** A small button that copies a text. */
import { ActionIcon, CopyButton, Tooltip } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { texts } from '../texts';

interface Props {
  readonly value: string;
  /** What is copied, for those who do not see it; a snippet needs none. */
  readonly name?: string;
  readonly className?: string | undefined;
  readonly variant?: 'default' | 'subtle';
}

export function CopyIcon({ value, name, className, variant = 'default' }: Props) {
  return (
    <CopyButton value={value}>
      {({ copied, copy }) => {
        const label = copied ? texts.copied : texts.copy;
        return (
          <Tooltip label={label}>
            <ActionIcon
              className={className}
              variant={variant}
              color={variant === 'subtle' ? 'gray' : undefined}
              onClick={copy}
              aria-label={name === undefined ? label : `${label} ${name}`}
            >
              {copied ? <IconCheck size={16} /> : <IconCopy size={16} />}
            </ActionIcon>
          </Tooltip>
        );
      }}
    </CopyButton>
  );
}
