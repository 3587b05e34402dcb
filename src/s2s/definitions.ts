/** The three S2S endpoints as data: what they read and what they store (docs/contract.md, S2S). */
import type { RecordKind } from '../ingest/record-id';

/** A parameter of the interface and the names it is read by: the first that is sent wins. */
type Reads = Readonly<Record<string, readonly string[]>>;

const common: Reads = {
  c: ['c'],
  tid: ['tid', 'clickid'],
  s2: ['s2', 'af_sub1'],
  s3: ['s3', 'af_sub2'],
  s4: ['s4', 'af_sub3'],
};
const device: Reads = { gaid: ['gaid', 'advertising_id'], idfa: ['idfa'] };
const network: Reads = { ip: ['ip', 'af_ip'], ua: ['ua', 'af_ua'] };

export interface Definition {
  readonly kind: Exclude<RecordKind, 'link_click'>;
  /** The path after /v1/. */
  readonly path: string;
  readonly table: string;
  readonly idColumn: 'click_id' | 'impression_id';
  readonly timeColumn: 'click_time' | 'impression_time';
  readonly reads: Reads;
  /** Parameters stored as they are sent, in the order of the columns. */
  readonly stored: readonly string[];
}

export const CLICK: Definition = {
  kind: 'click',
  path: 'click',
  table: 'clicks',
  idColumn: 'click_id',
  timeColumn: 'click_time',
  reads: { ...common, ...device, ...network, click_time: ['click_time'] },
  stored: ['tid', 's2', 's3', 's4', 'ua'],
};

export const IMPRESSION: Definition = {
  kind: 'impression',
  path: 'impression',
  table: 'impressions',
  idColumn: 'impression_id',
  timeColumn: 'impression_time',
  reads: {
    ...common,
    ...device,
    ...network,
    impression_time: ['impression_time'],
    vt_lookback: ['vt_lookback', 'af_viewthrough_lookback'],
  },
  stored: ['tid', 's2', 's3', 's4', 'ua'],
};

export const CTV_IMPRESSION: Definition = {
  kind: 'ctv_impression',
  path: 'ctv/impression',
  table: 'ctv_impressions',
  idColumn: 'impression_id',
  timeColumn: 'impression_time',
  reads: {
    ...common,
    ...network,
    impression_time: ['impression_time'],
    vt_lookback: ['vt_lookback', 'af_xplatform_vt_lookback', 'af_viewthrough_lookback'],
    partner_campaign_id: ['partner_campaign_id', 'af_c_id'],
    adset_id: ['adset_id', 'af_adset_id'],
    ad_id: ['ad_id', 'af_ad_id'],
    site_id: ['site_id', 'af_siteid'],
    source_platform: ['source_platform', 'af_source_platform'],
    device_category: ['device_category', 'af_source_device_category'],
    tv_ifa: ['tv_ifa'],
    ifa_type: ['ifa_type'],
  },
  stored: [
    'tid',
    's2',
    's3',
    's4',
    'ua',
    'partner_campaign_id',
    'adset_id',
    'ad_id',
    'site_id',
    'source_platform',
    'device_category',
    'tv_ifa',
    'ifa_type',
  ],
};

export const DEFINITIONS: readonly Definition[] = [CLICK, IMPRESSION, CTV_IMPRESSION];
