/** Reads what a partner asks about itself into legal values (docs/contract/partners.md). */
import { readPage, type Page } from '../lib/page';
import { normaliseText } from '../lib/text';
import { readChoice, readDayRange, readText, readWholeNumber, type DayRange } from '../lib/parameters';

export const GRANULARITIES = ['hour', 'day'] as const;
export type Granularity = (typeof GRANULARITIES)[number];
export const MAX_DAYS: Readonly<Record<Granularity, number>> = { hour: 31, day: 366 };
export const CAMPAIGN_PAGE = { default: 100, maximum: 1000 } as const;
export const CREDITED = { default: 100, maximum: 1000 } as const;
export const MAX_SEARCH = 100;
/** The greatest ID: PostgreSQL counts them in 32 bits. */
export const MAX_ID = 2_147_483_647;

export interface CampaignsInput {
  /** Part of a name or display ID; empty for all. */
  readonly search: string;
  readonly page: Page;
}

export interface TrafficInput extends DayRange {
  readonly granularity: Granularity;
  /** Undefined for all projects. */
  readonly projectId: number | undefined;
}

export interface ByCampaignInput extends DayRange {
  readonly projectId: number | undefined;
  readonly limit: number;
}

export interface CreditedInput extends DayRange {
  readonly projectId: number | undefined;
  readonly limit: number;
}

const readProject = (query: URLSearchParams) => readWholeNumber(query, 'project_id', { min: 1, max: MAX_ID });

/** @throws ApiError 400 that names the parameter and the rule, 422 for a page or limit out of bounds. */
export function readCampaignsInput(query: URLSearchParams): CampaignsInput {
  const search = normaliseText(readText(query, 'search', MAX_SEARCH) ?? '');
  const page = readPage(
    query.get('page') ?? undefined,
    query.get('limit') ?? undefined,
    CAMPAIGN_PAGE.default,
    CAMPAIGN_PAGE.maximum,
  );
  return { search, page };
}

/** @throws ApiError 400 that names the parameter and the rule. */
export function readTrafficInput(query: URLSearchParams): TrafficInput {
  const granularity = readChoice(query, 'granularity', GRANULARITIES) ?? 'day';
  return { ...readDayRange(query, MAX_DAYS[granularity]), granularity, projectId: readProject(query) };
}

/** @throws ApiError 400 that names the parameter and the rule. */
export function readByCampaignInput(query: URLSearchParams): ByCampaignInput {
  return {
    ...readDayRange(query, MAX_DAYS.day),
    projectId: readProject(query),
    limit: readWholeNumber(query, 'limit', { min: 1, max: CAMPAIGN_PAGE.maximum }) ?? CAMPAIGN_PAGE.default,
  };
}

/** @throws ApiError 400 that names the parameter and the rule. */
export function readCreditedInput(query: URLSearchParams): CreditedInput {
  return {
    ...readDayRange(query, MAX_DAYS.day),
    projectId: readProject(query),
    limit: readWholeNumber(query, 'limit', { min: 1, max: CREDITED.maximum }) ?? CREDITED.default,
  };
}
