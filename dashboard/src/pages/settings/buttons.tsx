/** The buttons of lists of a project's things. */
import { Button } from '@mantine/core';
import { texts } from '../../texts';

export const AddButton = ({ label, onClick }: { label: string; onClick: () => void }) => (
  <Button size="xs" variant="default" onClick={onClick}>
    {label}
  </Button>
);

export const EditButton = ({ name, onClick }: { name: string; onClick: () => void }) => (
  <Button size="compact-xs" variant="default" aria-label={`${texts.edit} ${name}`} onClick={onClick}>
    {texts.edit}
  </Button>
);
