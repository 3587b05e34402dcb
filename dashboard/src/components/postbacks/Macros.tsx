/** The macros of templates, each inserted by a click. */
import { Input, Text, UnstyledButton } from '@mantine/core';
import { postbacks } from '../../texts/postbacks';
import classes from './Postbacks.module.css';
import { texts } from '../../texts';

const text = postbacks.macros;

export const Macros = ({ onInsert }: { onInsert: (name: string) => void }) => (
  <Input.Wrapper label={texts.macros} description={text.about} labelElement="div">
    <div className={classes.macros} tabIndex={0} role="group" aria-label={texts.macros}>
      {text.groups.map(({ title, macros }) => (
        <div key={title}>
          <Text size="xs" fw={600} className={classes.group}>
            {title}
          </Text>
          {Object.entries(macros).map(([name, meaning]) => (
            <UnstyledButton key={name} className={classes.macro} onClick={() => onInsert(name)}>
              <span className={classes.macroName}>{`{${name}}`}</span>
              <span className={classes.macroMeaning}>{meaning}</span>
            </UnstyledButton>
          ))}
        </div>
      ))}
    </div>
  </Input.Wrapper>
);
