/** The OpenAPI document of the whole service: the chapter of every feature, in the order in which readers need them. */
import { adminChapter } from './admin/openapi';
import { appReportChapter } from './app-report/openapi';
import { campaignChapter } from './campaigns/openapi';
import { collectChapter } from './collect/openapi';
import { operationsChapter } from './http/openapi';
import { openApiDocument } from './openapi/document';
import { s2sChapter } from './s2s/openapi';

export const reference = openApiDocument([campaignChapter, appReportChapter, s2sChapter, collectChapter, adminChapter, operationsChapter]);
