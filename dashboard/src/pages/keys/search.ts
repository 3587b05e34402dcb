/** Which keys are listed, and for which kind a first request is shown. */
import { flag, choice, Type } from '../../search';

export const KINDS = ['server_key', 'app_key', 'web_key'] as const;
export const keysSearch = Type.Object({ revoked: flag(), snippet: choice(KINDS) });
