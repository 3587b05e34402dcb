/** The manifest of integrations/airbyte with its references resolved, and as much of its components as tests drive. */
import fs from 'node:fs';
import path from 'node:path';
import { load } from 'js-yaml';
import { root } from '../paths';

export const MANIFEST = path.join(root, 'integrations', 'airbyte', 'manifest.yaml');
/** What follows is written by WRITE_FIXTURES=true, see test/integration/exports/airbyte.test.ts. */
const GENERATED = '# Written from what the service declares: do not edit what follows.\n';

export type Json = Readonly<Record<string, unknown>>;
export type Component<T extends string = string> = Json & { readonly type: T };

export interface Cursor extends Component<'DatetimeBasedCursor'> {
  readonly cursor_field: string;
  readonly cursor_datetime_formats?: readonly string[];
  readonly datetime_format: string;
  readonly start_datetime: Component & { readonly datetime: string; readonly datetime_format: string };
  readonly step: string;
  readonly cursor_granularity: string;
  readonly lookback_window: string;
  readonly start_time_option: RequestOption;
  readonly end_time_option: RequestOption;
}
export interface RequestOption extends Component<'RequestOption'> {
  readonly inject_into: 'request_parameter' | 'header' | 'body_json';
  readonly field_name: string;
}
export interface ErrorHandler extends Component<'DefaultErrorHandler'> {
  readonly max_retries: number;
  readonly backoff_strategies: readonly Component[];
  readonly response_filters: readonly (Component & {
    readonly http_codes: readonly number[];
    readonly action: 'FAIL' | 'RETRY' | 'RATE_LIMITED';
    readonly failure_type?: string;
    readonly error_message?: string;
  })[];
}
export interface Requester extends Component<'HttpRequester'> {
  readonly url: string;
  readonly http_method: 'GET' | 'POST';
  readonly authenticator: Component & { readonly api_token: string; readonly inject_into: RequestOption };
  readonly request_parameters?: Readonly<Record<string, string>>;
  readonly request_body?: Component & { readonly value: Json };
  readonly error_handler: ErrorHandler;
}
export interface Paginator extends Component {
  readonly pagination_strategy: Component & { readonly page_size: number; readonly start_from_page: number };
  readonly page_token_option: RequestOption;
  readonly page_size_option: RequestOption;
}
export interface Stream extends Component<'DeclarativeStream'> {
  readonly name: string;
  readonly primary_key: readonly string[];
  readonly retriever: Component & {
    readonly requester: Requester;
    readonly decoder: Component<'JsonDecoder' | 'JsonlDecoder'>;
    readonly paginator: Paginator;
    readonly record_selector: Component & { readonly extractor: Component & { readonly field_path: string[] } };
  };
  readonly incremental_sync?: Cursor;
  readonly schema_loader: Component & { readonly schema: Json };
}
export interface Manifest extends Component<'DeclarativeSource'> {
  readonly check: Component & { readonly stream_names: readonly string[] };
  readonly streams: readonly Stream[];
  readonly spec: Component & { readonly connection_specification: Json };
}

/** The part of the file that people write, and the part below it that is generated. */
export function readParts(): { written: string; generated: string } {
  const [written = '', generated = ''] = fs.readFileSync(MANIFEST, 'utf8').split(GENERATED);
  return { written, generated };
}

export const joinParts = (written: string, generated: string) => written + GENERATED + generated;

/** The manifest as the CDK sees it; schemas are empty where they are not written yet. */
export function readManifest(): Manifest {
  const { written, generated } = readParts();
  const whole = load(joinParts(written, generated)) as Json;
  const resolved = Object.entries(resolve(whole, whole) as Json);
  const own = resolved.filter(([name]) => name !== 'definitions' && name !== 'schemas');
  return Object.fromEntries(own) as unknown as Manifest;
}

/** An object with `$ref` is what it names, except for the fields that it has of its own. */
function resolve(value: unknown, whole: Json): unknown {
  if (Array.isArray(value)) return value.map((one) => resolve(one, whole));
  if (typeof value !== 'object' || value === null) return value;
  const { $ref, ...own } = value as Json;
  const named = typeof $ref === 'string' ? (resolve(find($ref, whole), whole) as Json) : {};
  const mine = Object.fromEntries(Object.entries(own).map(([name, one]) => [name, resolve(one, whole)]));
  return { ...named, ...mine };
}

function find(ref: string, whole: Json): unknown {
  const names = ref.replace(/^#\//, '').split('/');
  const found = names.reduce<unknown>((at, name) => (at as Json | undefined)?.[name], whole);
  if (found === undefined && names[0] !== 'schemas') throw new Error(`${ref} names nothing`);
  return found ?? {};
}
