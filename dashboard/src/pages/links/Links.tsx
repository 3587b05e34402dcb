/** All links of a project: a table, and a form for a new one. */
import { Button } from '@mantine/core';
import { IconFileImport, IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { ErrorBox } from '../../components/ErrorBox';
import { PageBody } from '../../components/PageBody';
import { PageHeader } from '../../components/page-header';
import { ShareMenu } from '../../components/ShareMenu';
import { useView } from '../../search';
import { useMay, useProject } from '../../session';
import { curlCall } from '../../shell';
import { texts } from '../../texts';
import { links as text } from '../../texts/links';
import { CreateLink } from './CreateLink';
import { DomainFirst } from './DomainFirst';
import { FromFile } from './FromFile';
import { LinkFilters } from './LinkFilters';
import { LinkTable } from './LinkTable';
import { linkDomainsQuery, type State } from './queries';
import { linksSearch } from './search';
import { Selection, useChosen } from './Selection';
import { matches, toCsvRow, useShown } from './shown';
import { UtmRulesForm } from './UtmRulesForm';

/** The call behind the list, for a shell. */
const buildCall = (state: State) =>
  curlCall(`${window.location.origin}/api/v1/campaigns?filter=${state}&limit=1000`, {
    headers: [`service-key: ${texts.tools.keyPlaceholder}`],
  });

export default function Links() {
  const [{ state, search = '', tag }, setView] = useView(linksSearch);
  const { id } = useProject();
  const mayChange = useMay('links');
  const { data, error, isPending, isPlaceholderData, refetch } = useShown(id, state);
  const { chosen, clear } = useChosen();
  const domains = useQuery(linkDomainsQuery(id)).data;
  const hasDomain = domains?.some((one) => one.state !== 'domain_unproven') ?? false;
  const isWithout = domains !== undefined && !hasDomain;
  const mayMake = mayChange && hasDomain;
  const tags = [...new Set(data?.flatMap(({ its }) => its?.tags ?? []))].sort();
  const found = useMemo(
    () => data?.filter((one) => matches(one, search.trim()) && (tag === undefined || one.its?.tags.includes(tag))),
    [data, search, tag],
  );
  const create = mayMake && (
    <Button size="xs" leftSection={<IconPlus size={15} />} onClick={() => setView({ create: true })}>
      {text.create}
    </Button>
  );
  return (
    <PageBody>
      <PageHeader withZone title={texts.titles.links} about={text.about}>
        {create}
        {mayMake && (
          <Button
            size="xs"
            variant="default"
            leftSection={<IconFileImport size={15} />}
            onClick={() => setView({ form: 'file' })}
          >
            {text.file.open}
          </Button>
        )}
        {mayChange && (
          <Button size="xs" variant="default" onClick={() => setView({ form: 'rules' })}>
            {text.utm.rules}
          </Button>
        )}
        <ShareMenu name={texts.titles.links} call={buildCall(state)} csv={found?.map(toCsvRow)} />
      </PageHeader>
      <LinkFilters tags={tags} />
      <Selection ids={chosen.ids} clear={clear} />
      {error && <ErrorBox error={error} onRetry={() => void refetch()} />}
      {!error && isWithout && <DomainFirst unproven={domains[0]?.name} />}
      {!error && !(isWithout && data?.length === 0) && (
        <LinkTable
          all={data}
          found={found}
          chosen={mayChange ? chosen : undefined}
          loading={isPending}
          stale={isPlaceholderData}
        >
          {create}
        </LinkTable>
      )}
      {mayChange && <Forms mayMake={mayMake} />}
    </PageBody>
  );
}

/** The form that the URL says is open. */
function Forms({ mayMake }: { readonly mayMake: boolean }) {
  const [{ create, form }, setView] = useView(linksSearch);
  const close = () => setView({ form: 'none' });
  return (
    <>
      {mayMake && <CreateLink isOpen={create} onClose={() => setView({ create: false })} />}
      {form === 'file' && <FromFile onClose={close} />}
      {form === 'rules' && <UtmRulesForm onClose={close} />}
    </>
  );
}
