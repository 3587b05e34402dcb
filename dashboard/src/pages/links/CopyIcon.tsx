/** Copies a text, and shows that it did. */
import { ActionIcon, CopyButton, Tooltip } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { texts } from '../../texts';

export const CopyIcon = ({ value, label }: { value: string; label: string }) => (
  <CopyButton value={value}>
    {({ copied, copy }) => (
      <Tooltip label={copied ? texts.copied : texts.copy}>
        <ActionIcon size="sm" onClick={copy} aria-label={copied ? texts.copied : label}>
          {copied ? <IconCheck size={15} /> : <IconCopy size={15} />}
        </ActionIcon>
      </Tooltip>
    )}
  </CopyButton>
);
