/** Code to paste, with a button that copies it. */
import { ActionIcon, Code, CopyButton, Tooltip } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { texts } from '../texts';
import classes from './components.module.css';

export function Snippet({ code }: { code: string }) {
  return (
    <div className={classes.snippet}>
      <Code block className={classes.code} tabIndex={0}>
        {code}
      </Code>
      <CopyButton value={code}>
        {({ copied, copy }) => (
          <Tooltip label={copied ? texts.copied : texts.copy}>
            <ActionIcon
              className={classes.copy}
              variant="default"
              onClick={copy}
              aria-label={copied ? texts.copied : texts.copy}
            >
              {copied ? <IconCheck size={16} /> : <IconCopy size={16} />}
            </ActionIcon>
          </Tooltip>
        )}
      </CopyButton>
    </div>
  );
}
