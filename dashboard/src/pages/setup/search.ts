/** Which kind of first event is shown. */
import { choice, Type } from '../../search';

export const SOURCES = ['app', 'web'] as const;
export const setupSearch = Type.Object({ source: choice(SOURCES) });
