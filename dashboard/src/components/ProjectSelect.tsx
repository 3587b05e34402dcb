/** One of the projects that work with a partner, or all of them. */
import { Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { campaignsQuery, listProjects } from '../api/partner';
import { usePartner } from '../session';
import { texts } from '../texts';
import { partner as partnerTexts } from '../texts/partner';

interface Props {
  readonly value: number | undefined;
  readonly onChange: (id: number | undefined) => void;
}

export function ProjectSelect({ value, onChange }: Props) {
  const { data } = useQuery(campaignsQuery(usePartner().id));
  const projects = listProjects(data?.campaigns);
  return (
    <Select
      size="xs"
      w={190}
      aria-label={partnerTexts.project}
      placeholder={partnerTexts.allProjects}
      searchable={projects.length > 8}
      clearable
      nothingFoundMessage={texts.nothingFound}
      value={value === undefined ? null : String(value)}
      data={projects.map(({ id, name, account }) => ({ value: String(id), label: `${name} (${account})` }))}
      onChange={(next) => onChange(next === null ? undefined : Number(next))}
    />
  );
}
