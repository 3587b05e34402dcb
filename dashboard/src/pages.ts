/** All pages, in the order of the navigation; where they are and what their URLs say is in `addresses.ts`. */
import {
  IconActivity,
  IconAffiliate,
  IconBuilding,
  IconCoins,
  IconDeviceMobileDown,
  IconDownload,
  IconEraser,
  IconFileCode,
  IconFlask,
  IconHistory,
  IconKey,
  IconLayoutDashboard,
  IconLink,
  IconMailForward,
  IconPlugConnected,
  IconSend,
  IconSettings,
  IconSpeakerphone,
  IconSql,
  IconStairsDown,
  IconTable,
  IconUsers,
  IconWebhook,
  IconWorld,
} from '@tabler/icons-react';
import type { TObject } from '@sinclair/typebox';
import { searches, type Searches } from './addresses';
import type { Area, Page, PageParts } from './page';
import { titles } from './texts/titles';

const described: { readonly [A in Area]: { readonly [P in keyof Searches[A]]: PageParts } } = {
  project: {
    overview: {
      title: titles.overview,
      icon: IconLayoutDashboard,
      group: 'reports',
      permission: 'reports',
      load: () => import('./pages/overview/Overview'),
    },
    campaigns: {
      title: titles.campaigns,
      icon: IconSpeakerphone,
      group: 'reports',
      permission: 'reports',
      load: () => import('./pages/campaigns/Campaigns'),
    },
    'campaigns/$displayId': {
      title: titles.campaigns,
      permission: 'reports',
      load: () => import('./pages/campaign/Campaign'),
    },
    retention: {
      title: titles.retention,
      icon: IconStairsDown,
      group: 'reports',
      permission: 'reports',
      load: () => import('./pages/retention/Retention'),
    },
    web: {
      title: titles.web,
      icon: IconWorld,
      group: 'reports',
      permission: 'reports',
      load: () => import('./pages/web/Web'),
    },
    installs: {
      title: titles.installs,
      icon: IconDeviceMobileDown,
      group: 'reports',
      permission: 'installs',
      load: () => import('./pages/installs/Installs'),
    },
    'installs/$installId': {
      title: titles.install,
      permission: 'installs',
      load: () => import('./pages/install/Install'),
    },
    links: {
      title: titles.links,
      icon: IconLink,
      group: 'traffic',
      permission: 'reports',
      load: () => import('./pages/links/Links'),
    },
    'links/$displayId': {
      title: titles.links,
      permission: 'reports',
      load: () => import('./pages/links/LinkPage'),
    },
    spend: {
      title: titles.spend,
      icon: IconCoins,
      group: 'traffic',
      permission: 'reports',
      load: () => import('./pages/spend/Spend'),
    },
    partners: {
      title: titles.partners,
      icon: IconAffiliate,
      group: 'traffic',
      permission: 'reports',
      load: () => import('./pages/partners/Partners'),
    },
    'partners/$partnerId': {
      title: titles.partners,
      permission: 'reports',
      load: () => import('./pages/partners/Partner'),
    },
    schema: {
      title: titles.schema,
      icon: IconTable,
      group: 'data',
      permission: 'sql',
      load: () => import('./pages/schema/Schema'),
    },
    sql: {
      title: titles.sql,
      icon: IconSql,
      group: 'data',
      permission: 'sql',
      load: () => import('./pages/sql/Sql'),
    },
    connect: {
      title: titles.connect,
      icon: IconPlugConnected,
      group: 'data',
      permission: 'sql',
      load: () => import('./pages/connect/Connect'),
    },
    status: {
      title: titles.status,
      icon: IconActivity,
      group: 'data',
      permission: 'status',
      load: () => import('./pages/status/Status'),
    },
    settings: {
      title: titles.settings,
      icon: IconSettings,
      group: 'settings',
      permission: 'settings',
      load: () => import('./pages/settings/Settings'),
    },
    postbacks: {
      title: titles.postbacks,
      icon: IconWebhook,
      group: 'settings',
      permission: 'settings',
      load: () => import('./pages/postbacks/Postbacks'),
    },
    messages: {
      title: titles.messages,
      icon: IconMailForward,
      group: 'settings',
      permission: 'installs',
      load: () => import('./pages/messages/Messages'),
    },
    keys: {
      title: titles.keys,
      icon: IconKey,
      group: 'settings',
      permission: 'keys',
      load: () => import('./pages/keys/Keys'),
    },
    erasure: {
      title: titles.erasure,
      icon: IconEraser,
      group: 'settings',
      permission: 'erasure',
      load: () => import('./pages/erasure/Erasure'),
    },
    members: {
      title: titles.members,
      icon: IconUsers,
      group: 'settings',
      permission: 'members',
      load: () => import('./pages/members/Members'),
    },
    'audit-log': {
      title: titles.auditLog,
      icon: IconHistory,
      group: 'settings',
      permission: 'audit-log',
      load: () => import('./pages/audit-log/AuditLog'),
    },
  },
  partner: {
    overview: {
      title: titles.overview,
      icon: IconLayoutDashboard,
      group: 'reports',
      permission: 'partner',
      load: () => import('./pages/partner-overview/PartnerOverview'),
    },
    campaigns: {
      title: titles.campaigns,
      icon: IconSpeakerphone,
      group: 'reports',
      permission: 'partner',
      load: () => import('./pages/partner-campaigns/PartnerCampaigns'),
    },
    installs: {
      title: titles.installs,
      icon: IconDownload,
      group: 'reports',
      permission: 'partner',
      load: () => import('./pages/partner-installs/PartnerInstalls'),
    },
    'test-bench': {
      title: titles.partnerBench,
      icon: IconFlask,
      group: 'traffic',
      permission: 'partner',
      load: () => import('./pages/test-bench/TestBench'),
    },
    postbacks: {
      title: titles.postbacks,
      icon: IconSend,
      group: 'settings',
      permission: 'partner',
      load: () => import('./pages/partner-postbacks/PartnerPostbacks'),
    },
    credentials: {
      title: titles.partnerCredentials,
      icon: IconKey,
      group: 'settings',
      permission: 'partner-tokens',
      load: () => import('./pages/credentials/Credentials'),
    },
    members: {
      title: titles.members,
      icon: IconUsers,
      group: 'settings',
      permission: 'partner-members',
      load: () => import('./pages/partner-members/PartnerMembers'),
    },
  },
  installation: {
    accounts: {
      title: titles.installationAccounts,
      icon: IconBuilding,
      permission: 'installation',
      load: () => import('./pages/installation/Accounts'),
    },
    workspace: {
      title: titles.installationWorkspace,
      icon: IconFileCode,
      permission: 'installation',
      load: () => import('./pages/installation/Workspace'),
    },
    members: {
      title: titles.members,
      icon: IconUsers,
      permission: 'installation',
      load: () => import('./pages/members/Members'),
    },
    'audit-log': {
      title: titles.auditLog,
      icon: IconHistory,
      permission: 'installation',
      load: () => import('./pages/audit-log/AuditLog'),
    },
    status: {
      title: titles.status,
      icon: IconActivity,
      permission: 'installation',
      load: () => import('./pages/status/Status'),
    },
  },
};

function listPages(area: Area): Page[] {
  const schemas: Readonly<Record<string, TObject>> = searches[area];
  return Object.entries<PageParts>(described[area]).map(([path, page]) => ({
    area,
    path,
    search: schemas[path],
    ...page,
  }));
}

export const pages: readonly Page[] = (['project', 'partner', 'installation'] as const).flatMap(listPages);
