/** The OpenAPI document of the whole service: the chapter of every feature, in the order in which readers need them. */
import { adminChapter } from './admin/openapi';
import { appReportChapter } from './app-report/openapi';
import { attributionChapter } from './attribution/openapi';
import { campaignChapter } from './campaigns/openapi';
import { collectChapter } from './collect/openapi';
import { forgettingChapter } from './forgetting/openapi';
import { operationsChapter } from './http/openapi';
import { linksChapter } from './links/openapi';
import { openApiDocument } from './openapi/document';
import { importChapter, s2sChapter } from './s2s/openapi';
import { webReportChapter } from './web-report/openapi';

export const reference = openApiDocument([
  campaignChapter,
  attributionChapter,
  appReportChapter,
  webReportChapter,
  s2sChapter,
  linksChapter,
  collectChapter,
  importChapter,
  adminChapter,
  forgettingChapter,
  operationsChapter,
]);
