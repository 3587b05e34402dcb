/** The OpenAPI document of the whole service: the section of every feature, in the order in which readers need them. */
import { ingestApi } from '../admin/ingest-schema';
import { adminApi } from '../admin/openapi';
import { quarantineApi } from '../admin/quarantine-schema';
import { statusApi } from '../admin/status-schema';
import { appReportApi } from '../app-report/openapi';
import { attributionApi } from '../attribution/openapi';
import { backupApi } from '../backup/openapi';
import { campaignApi } from '../campaigns/routes';
import { collectApi } from '../collect/openapi';
import { doctorApi } from '../doctor/openapi';
import { erasureApi } from '../erasure/openapi';
import { operationsApi } from '../http/openapi';
import { exportApi } from '../export/openapi';
import { peopleApi } from '../people/openapi';
import { partnerPortalApi } from '../partner-portal/openapi';
import { postbackApi } from '../admin/postback-openapi';
import { partnerQualityApi } from '../partner-quality/openapi';
import { postbackLogApi } from '../deliveries/openapi';
import { installsApi } from '../installs/openapi';
import { queryApi } from '../query/openapi';
import { once } from '../lib/once';
import { linksApi } from '../links/openapi';
import { linkPreviewApi } from '../links/preview-openapi';
import { openApiDocument } from '../openapi/document';
import { importApi, s2sApi } from '../s2s/openapi';
import { sqlApi } from '../sql-console/openapi';
import { webReportApi } from '../web-report/openapi';

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
    adminApi,
    partnerPortalApi,
    postbackApi,
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
