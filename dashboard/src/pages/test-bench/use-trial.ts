/** The request that is tried out: what is typed, or a refused one that is opened, and what came of it. */
import { useMutation, useQuery } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useState } from 'react';
import { campaignsQuery } from '../../api/partner';
import { sampleQuery, type RefusedRequest } from '../../api/touches';
import { useView } from '../../search';
import { usePartner } from '../../session';
import { PATHS, buildQuery, readRequest, type Request, type Values } from './requests';
import { testBenchSearch } from './search';
import { tryOut } from './trial';

const buildExample = (c: string, app: string): Values => ({
  app_id: app,
  c,
  tid: 'test-1',
  gaid: '38400000-8cf0-11bd-b23e-10b96e40000d',
  ip: '203.0.113.7',
  ua: 'Mozilla/5.0 (Linux; Android 14; Pixel 8)',
});

/** The URL of a sample, as its sender called it. */
const toUrl = ({ kind, query }: RefusedRequest) =>
  `${window.location.origin}${PATHS[kind === 'ctv_impression' ? 'ctv' : kind]}?${query}`;

export function useTrial() {
  const [{ kind, mode, campaign, sample }] = useView(testBenchSearch);
  const { id } = usePartner();
  const { data } = useQuery(campaignsQuery(id));
  const campaigns = data?.campaigns ?? [];
  const [values, setValues] = useState<Values>({ c: campaign ?? '', tid: 'test-1' });
  const [url, setUrl] = useState('');
  const [token, setToken] = useState('');
  const [isBad, setBad] = useState(false);
  const trial = useMutation({ mutationFn: (asked: Request) => tryOut(id, asked) });
  const { data: refused } = useQuery(sampleQuery(id, sample));
  // One click on a sample is enough: it is there, and tested.
  const openSample = useEffectEvent((one: RefusedRequest) => {
    const shown = toUrl(one);
    const asked = readRequest(shown);
    setUrl(shown);
    if (asked) trial.mutate(asked);
  });
  useEffect(() => {
    if (refused) openSample(refused);
  }, [refused]);
  const pasted = readRequest(url);
  const request: Request | undefined =
    mode === 'form'
      ? { kind, query: buildQuery(kind, values), token: token.trim() }
      : pasted && { ...pasted, token: token.trim() || pasted.token };
  const submit = () => {
    setBad(request === undefined);
    if (request) trial.mutate(request);
  };
  const fillIn = () => {
    const chosen = campaigns.find((one) => one.display_id === values.c) ?? campaigns[0];
    const filled = buildExample(chosen?.display_id ?? '', chosen?.switches.ctv_apps[0] ?? 'com.example.shop');
    if (mode === 'form') setValues(filled);
    else setUrl(`${window.location.origin}${PATHS.click}?${buildQuery('click', filled)}`);
    setBad(false);
  };
  const isChanged = trial.variables !== undefined && JSON.stringify(request) !== JSON.stringify(trial.variables);
  return {
    campaigns,
    request,
    values,
    setValues,
    url,
    setUrl,
    token,
    setToken,
    trial,
    isChanged,
    /** What was opened: nothing, one that is gone, or one with its reason. */
    sample: sample === undefined ? undefined : refused,
    /** The URL that was tried out is none. */
    isBadUrl: isBad && !pasted,
    submit,
    fillIn,
  };
}
