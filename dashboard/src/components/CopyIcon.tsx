/** A small button that copies a text. */
import { ActionIcon, CopyButton, Tooltip, type ActionIconProps } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { texts } from '../texts';

interface Props extends Pick<ActionIconProps, 'size'> {
  readonly value: string;
  /** What is copied, for those who do not see it; a snippet needs none. */
  readonly name?: string;
  /** The same as a whole sentence, instead of the name. */
  readonly label?: string;
  readonly className?: string | undefined;
  readonly variant?: 'default' | 'subtle';
}

export function CopyIcon({ value, name, label, className, size, variant = 'default' }: Props) {
  return (
    <CopyButton value={value}>
      {({ copied, copy }) => {
        const said = copied ? texts.copied : texts.copy;
        const named = name === undefined ? said : `${said} ${name}`;
        return (
          <Tooltip label={said}>
            <ActionIcon
              className={className}
              size={size}
              variant={variant}
              color={variant === 'subtle' ? 'gray' : undefined}
              onClick={copy}
              aria-label={copied ? named : (label ?? named)}
            >
              {copied ? <IconCheck size={16} /> : <IconCopy size={16} />}
            </ActionIcon>
          </Tooltip>
        );
      }}
    </CopyButton>
  );
}
