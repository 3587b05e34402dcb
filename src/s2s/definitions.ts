/** The three S2S endpoints as data: what they read and what they store (docs/contract/s2s.md). */
import { KINDS, listNames, listParameters, readParameter, type Kind } from './parameters';

export interface Definition {
  readonly kind: Kind;
  /** The path after /v1/. */
  readonly path: string;
  readonly table: string;
  readonly idColumn: 'click_id' | 'impression_id';
  readonly timeColumn: 'click_time' | 'impression_time';
  /** The names by which each parameter is read: the first that is sent wins. */
  readonly reads: Readonly<Record<string, readonly string[]>>;
  /** Parameters stored as they are sent, in the order of the columns. */
  readonly stored: readonly string[];
}

const define = (kind: Kind, path: string, touch: 'click' | 'impression'): Definition => {
  const parameters = listParameters(kind);
  return {
    kind,
    path,
    table: `${kind}s`,
    idColumn: `${touch}_id`,
    timeColumn: `${touch}_time`,
    reads: Object.fromEntries(parameters.map((name) => [name, listNames(kind, name)])),
    stored: parameters.filter((name) => readParameter(name).isStored),
  };
};

const BY_KIND: Readonly<Record<Kind, Definition>> = {
  click: define('click', 'click', 'click'),
  impression: define('impression', 'impression', 'impression'),
  ctv_impression: define('ctv_impression', 'ctv/impression', 'impression'),
};

export const { click: CLICK, impression: IMPRESSION, ctv_impression: CTV_IMPRESSION } = BY_KIND;
export const DEFINITIONS: readonly Definition[] = KINDS.map((kind) => BY_KIND[kind]);
