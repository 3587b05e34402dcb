/** The OpenAPI document of the whole service: the chapter of every feature, in the order in which readers need them. */
import { adminChapter } from './admin/openapi';
import { attributionChapter } from './attribution/openapi';
import { campaignChapter } from './campaigns/openapi';
import { collectChapter } from './collect/openapi';
import { operationsChapter } from './http/openapi';
import { openApiDocument } from './openapi/document';
import { s2sChapter } from './s2s/openapi';
import { webReportChapter } from './web-report/openapi';

export const reference = openApiDocument([campaignChapter, attributionChapter, webReportChapter, s2sChapter, collectChapter, adminChapter, operationsChapter]);
