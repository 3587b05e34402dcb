/**
 * The manifest of integrations/airbyte has no component, and no field of one, that Airbyte's low-code CDK does not
 * know, and all that it requires; the CDK's own schema, of which a copy is in test/fixtures/airbyte, accepts it.
 */
import Ajv from 'ajv';
import fs from 'node:fs';
import path from 'node:path';
import { load } from 'js-yaml';
import { RECORD_KINDS, VIEWS } from '../../../src/files/kinds';
import { readManifest, type Json } from '../../support/exports/airbyte-manifest';
import { interpolate } from '../../support/exports/airbyte-source';

/** What a field holds: a component of one of these types, or a plain value; `required!` must be there. */
type Field = string;
const COMPONENTS: Readonly<Record<string, Readonly<Record<string, Field>>>> = {
  DeclarativeSource: {
    version: 'text!',
    description: 'text',
    check: 'CheckStream!',
    streams: '[DeclarativeStream]!',
    spec: 'Spec',
    concurrency_level: 'ConcurrencyLevel',
  },
  CheckStream: { stream_names: '[text]' },
  ConcurrencyLevel: { default_concurrency: 'number!', max_concurrency: 'number' },
  Spec: { connection_specification: 'map!', documentation_url: 'text' },
  DeclarativeStream: {
    name: 'text',
    primary_key: '[text]',
    retriever: 'SimpleRetriever!',
    incremental_sync: 'DatetimeBasedCursor',
    schema_loader: 'InlineSchemaLoader',
  },
  InlineSchemaLoader: { schema: 'map' },
  SimpleRetriever: {
    requester: 'HttpRequester!',
    decoder: 'JsonDecoder|JsonlDecoder',
    record_selector: 'RecordSelector!',
    paginator: 'DefaultPaginator|NoPagination',
  },
  JsonDecoder: {},
  JsonlDecoder: {},
  NoPagination: {},
  RecordSelector: { extractor: 'DpathExtractor!' },
  DpathExtractor: { field_path: '[text]!' },
  DefaultPaginator: {
    pagination_strategy: 'PageIncrement!',
    page_size_option: 'RequestOption',
    page_token_option: 'RequestOption',
  },
  PageIncrement: { page_size: 'number', start_from_page: 'number', inject_on_first_request: 'flag' },
  RequestOption: { inject_into: 'request_parameter|header|body_json!', field_name: 'text' },
  HttpRequester: {
    url: 'text',
    http_method: 'GET|POST',
    authenticator: 'ApiKeyAuthenticator',
    request_parameters: 'map',
    request_body: 'RequestBodyJsonObject',
    error_handler: 'DefaultErrorHandler',
  },
  ApiKeyAuthenticator: { api_token: 'text', inject_into: 'RequestOption' },
  RequestBodyJsonObject: { value: 'map!' },
  DefaultErrorHandler: {
    max_retries: 'number',
    backoff_strategies: '[WaitTimeFromHeader|ExponentialBackoffStrategy]',
    response_filters: '[HttpResponseFilter]',
  },
  WaitTimeFromHeader: { header: 'text!', regex: 'text', max_waiting_time_in_seconds: 'number' },
  ExponentialBackoffStrategy: { factor: 'number' },
  HttpResponseFilter: {
    http_codes: '[number]',
    action: 'FAIL|RETRY|RATE_LIMITED',
    failure_type: 'system_error|config_error|transient_error',
    error_message: 'text',
  },
  DatetimeBasedCursor: {
    cursor_field: 'text!',
    cursor_datetime_formats: '[text]',
    datetime_format: 'text!',
    start_datetime: 'MinMaxDatetime!',
    step: 'text',
    cursor_granularity: 'text',
    lookback_window: 'text',
    start_time_option: 'RequestOption',
    end_time_option: 'RequestOption',
  },
  MinMaxDatetime: { datetime: 'text!', datetime_format: 'text' },
};

const PLAIN: Readonly<Record<string, (value: unknown) => boolean>> = {
  text: (value) => typeof value === 'string',
  number: (value) => typeof value === 'number',
  flag: (value) => typeof value === 'boolean',
  map: (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
};

/** What is wrong with a component, and with those in it. */
function findFaults(at: string, component: Json): string[] {
  const { type, ...fields } = component;
  const known = COMPONENTS[String(type)];
  if (!known) return [`${at}: no component ${String(type)}`];
  const missing = Object.entries(known).filter(([name, field]) => field.endsWith('!') && !(name in fields));
  return [
    ...missing.map(([name]) => `${at}.${name} is missing`),
    ...Object.entries(fields).flatMap(([name, value]) => {
      const field = known[name];
      return field === undefined ? [`${at}.${name} is unknown`] : judge(`${at}.${name}`, field.replace('!', ''), value);
    }),
  ];
}

function judge(at: string, field: Field, value: unknown): string[] {
  const list = /^\[(.*)\]$/.exec(field)?.[1];
  if (list !== undefined)
    return Array.isArray(value) ? value.flatMap((one, n) => judge(`${at}[${n}]`, list, one)) : [`${at} is no list`];
  const options = field.split('|');
  const isPlain = options.some((option) => PLAIN[option]?.(value) ?? option === value);
  if (isPlain) return [];
  const type = String((value as Json | null)?.type);
  return options.includes(type) && type in COMPONENTS ? findFaults(at, value as Json) : [`${at} is not ${field}`];
}

const manifest = readManifest();

test('every component and every field of it is known, and nothing that is required is missing', () => {
  expect(findFaults('source', manifest)).toEqual([]);
});

test.each([
  ['a field that is unknown', { ...manifest, url: 'x' }, 'source.url is unknown'],
  ['a component that is missing', { ...manifest, check: undefined }, 'source.check is not CheckStream'],
  ['another component', { ...manifest, check: { type: 'Spec' } }, 'source.check is not CheckStream'],
  [
    'another value',
    { ...manifest, check: { type: 'CheckStream', stream_names: [1] } },
    /stream_names\[0\] is not text/,
  ],
])('%s is found', (_, changed, fault) => {
  expect(findFaults('source', changed)[0]).toMatch(fault);
});

test('the schema of the CDK accepts it, and refuses a component that is none', () => {
  const file = path.join(__dirname, '../../fixtures/airbyte/declarative_component_schema.yaml');
  const ajv = new Ajv({ strict: false, validateFormats: false });
  const isValid = ajv.compile(load(fs.readFileSync(file, 'utf8')) as Json);
  expect([isValid(manifest), isValid.errors]).toEqual([true, null]);
  const [first] = manifest.streams;
  expect(isValid({ ...manifest, streams: [{ ...first, retriever: { type: 'SimpleRetriever' } }] })).toBe(false);
});

test('there is a stream for every kind of records, and each has a schema and a key that are its own', () => {
  const paths = manifest.streams.map(({ retriever }) => interpolate(retriever.requester.url, { base_url: '' }));
  expect(paths).toEqual(expect.arrayContaining(RECORD_KINDS.map((kind) => `/api/v1/export/${kind}`)));
  const names = manifest.streams.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  expect(names).toEqual(expect.arrayContaining(Object.values(VIEWS)));
  expect(names).toEqual(expect.arrayContaining([...manifest.check.stream_names]));
  for (const { name, primary_key, incremental_sync, schema_loader } of manifest.streams) {
    const columns = Object.keys(schema_loader.schema.properties ?? {});
    const cursor = incremental_sync ? [incremental_sync.cursor_field] : [];
    expect([name, [...primary_key, ...cursor].filter((field) => !columns.includes(field))]).toEqual([name, []]);
  }
});

test('whatever a text asks of the configuration is in the specification, or has a default there', () => {
  const { properties, required } = manifest.spec.connection_specification as {
    properties: Readonly<Record<string, { readonly default?: unknown }>>;
    required: readonly string[];
  };
  const text = JSON.stringify(manifest.streams);
  const asked = [...text.matchAll(/config\['(\w+)'\]/g)].map(([, name]) => name as string);
  expect([...new Set(asked)].sort()).toEqual([...required].sort());
  const optional = [...text.matchAll(/config\.get\('(\w+)', (\d+)\)/g)].map(([, name, otherwise]) => [name, otherwise]);
  expect(optional.length).toBeGreaterThan(0);
  for (const [name, otherwise] of optional)
    expect([name, String(properties[name as string]?.default)]).toEqual([name, otherwise]);
});
