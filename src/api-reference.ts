/** The OpenAPI document of the whole service: the section of every feature, in the order in which readers need them. */
import { ingestApi } from './admin/ingest-schema';
import { adminApi } from './admin/openapi';
import { quarantineApi } from './admin/quarantine-schema';
import { appReportApi } from './app-report/openapi';
import { attributionApi } from './attribution/openapi';
import { campaignApi } from './campaigns/openapi';
import { collectApi } from './collect/openapi';
import { erasureApi } from './erasure/openapi';
import { operationsApi } from './http/openapi';
import { exportApi } from './export/openapi';
import { queryApi } from './query/openapi';
import { linksApi } from './tracking-links/openapi';
import { openApiDocument } from './openapi/document';
import { importApi, s2sApi } from './s2s/openapi';
import { webReportApi } from './web-report/openapi';

export const apiReference = openApiDocument([
  campaignApi,
  attributionApi,
  appReportApi,
  webReportApi,
  queryApi,
  exportApi,
  s2sApi,
  linksApi,
  collectApi,
  importApi,
  adminApi,
  erasureApi,
  quarantineApi,
  ingestApi,
  operationsApi,
]);
