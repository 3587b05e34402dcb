/** The settings of a project, in sections. */
import { Tabs } from '@mantine/core';
import type { ReactNode } from 'react';
import { PageBody } from '../../components/PageBody';
import { PageHeader } from '../../components/page-header';
import { useView } from '../../search';
import { useProject } from '../../session';
import { Apps } from './Apps';
import { Channels } from './Channels';
import { Domains } from './Domains';
import { General } from './General';
import { Listings } from './Listings';
import { NetworkAccounts } from './NetworkAccounts';
import { Rates } from './Rates';
import { SECTIONS, settingsSearch, type Section } from './search';
import classes from './Settings.module.css';
import { Windows } from './Windows';
import { settings as text } from '../../texts/settings';
import { texts } from '../../texts';

const BODIES: Readonly<Record<Section, () => ReactNode>> = {
  general: General,
  windows: Windows,
  apps: Apps,
  domains: Domains,
  listings: Listings,
  channels: Channels,
  networks: NetworkAccounts,
  rates: Rates,
};

export default function Settings() {
  const [{ section }, setView] = useView(settingsSearch);
  const { name } = useProject();
  const Body = BODIES[section];
  return (
    <PageBody narrow>
      <PageHeader title={texts.titles.settings} about={name} />
      <Tabs value={section} onChange={(next) => next && setView({ section: next as Section })} keepMounted={false}>
        <Tabs.List className={classes.tabs} aria-label={text.label} tabIndex={-1}>
          {SECTIONS.map((one) => (
            <Tabs.Tab key={one} value={one}>
              {text.tabs[one]}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value={section} pt="md">
          <Body />
        </Tabs.Panel>
      </Tabs>
    </PageBody>
  );
}
