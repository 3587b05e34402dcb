/** Code to paste, with a button that copies it. */
import { Code } from '@mantine/core';
import { CopyIcon } from './CopyIcon';
import classes from './components.module.css';

export function Snippet({ code }: { code: string }) {
  return (
    <div className={classes.snippet}>
      <Code block className={classes.code} tabIndex={0}>
        {code}
      </Code>
      <CopyIcon value={code} className={classes.copy} />
    </div>
  );
}
