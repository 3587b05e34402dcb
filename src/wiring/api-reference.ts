/** The OpenAPI document of the whole service: the chapters of every feature. */
import { once } from '../lib/once';
import { openApiDocument } from '../openapi/document';
import { FEATURES } from './features';

/** The document as it is served; built when it is first read, for most processes never serve it. */
export const readApiReference = once(() => openApiDocument(FEATURES.flatMap(({ chapters }) => chapters)));
