/** The OpenAPI document of the whole service: the section of every feature, in the order in which readers need them. */
import { appReportApi } from '../app-report/routes';
import { attributionApi } from '../attribution/routes';
import { backupApi } from '../backup/routes';
import { campaignApi } from '../campaigns/routes';
import { channelsApi } from '../channels/routes';
import { collectApi } from '../collect/routes';
import { doctorApi } from '../doctor/routes';
import { domainsApi } from '../domains/routes';
import { erasureApi } from '../erasure/routes';
import { operationsApi } from '../http/openapi';
import { exportApi } from '../export/routes';
import { peopleApi } from '../people/routes';
import { partnerPortalApi } from '../partner-portal/routes';
import { partnersApi } from '../partners/routes';
import { postbacksApi } from '../postbacks/routes';
import { partnerQualityApi } from '../partner-quality/routes';
import { postbackLogApi } from '../deliveries/routes';
import { installsApi } from '../installs/routes';
import { keysApi } from '../keys/routes';
import { queryApi } from '../query/routes';
import { once } from '../lib/once';
import { linksApi } from '../links/routes';
import { linkPreviewApi } from '../links/preview-routes';
import { openApiDocument } from '../openapi/document';
import { importApi } from '../s2s/import-routes';
import { s2sApi } from '../s2s/openapi';
import { sqlApi } from '../sql-console/routes';
import { ingestApi } from '../status/ingest-routes';
import { quarantineApi } from '../status/quarantine-routes';
import { statusApi } from '../status/routes';
import { webReportApi } from '../web-report/routes';
import { webhooksApi } from '../webhooks/routes';
import { workspaceApi } from '../workspace/routes';

/** The document as it is served; built when it is first read, for most processes never serve it. */
export const readApiReference = once(() =>
  openApiDocument([
    campaignApi,
    linkPreviewApi,
    attributionApi,
    installsApi,
    appReportApi,
    webReportApi,
    queryApi,
    exportApi,
    partnerQualityApi,
    sqlApi,
    s2sApi,
    linksApi,
    collectApi,
    importApi,
    peopleApi,
    workspaceApi,
    partnersApi,
    keysApi,
    domainsApi,
    channelsApi,
    partnerPortalApi,
    postbacksApi,
    webhooksApi,
    postbackLogApi,
    erasureApi,
    quarantineApi,
    ingestApi,
    statusApi,
    doctorApi,
    backupApi,
    operationsApi,
  ]),
);
