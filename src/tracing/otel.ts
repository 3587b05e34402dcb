/**
 * Traces by OpenTelemetry, sent by OTLP over HTTP. Loaded where tracing is on only. The SDK reads its own variables
 * (docs/configuration.md, Traces): sampler, limits, batches, headers, resource.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import {
  defaultTextMapGetter,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  type Context as OtelContext,
  type Span as OtelSpan,
} from '@opentelemetry/api';
import { ExportResultCode, W3CTraceContextPropagator, type ExportResult } from '@opentelemetry/core';
import { OTLPTraceExporter as JsonExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { OTLPTraceExporter as ProtobufExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import { BasicTracerProvider, BatchSpanProcessor, type SpanExporter } from '@opentelemetry/sdk-trace-base';
import { currentContext, runIn } from '../lib/context';
import type { Log } from '../lib/log';
import type { Attributes, Tracing } from './tracing';

export type Protocol = 'http/protobuf' | 'http/json';

export interface TracingOptions {
  readonly protocol: Protocol;
  readonly version: string;
  readonly log: Pick<Log, 'info' | 'warn'>;
}

const propagator = new W3CTraceContextPropagator();

export function startTracing({ protocol, version, log }: TracingOptions): Tracing {
  const exporter = protocol === 'http/json' ? new JsonExporter() : new ProtobufExporter();
  const ours = resourceFromAttributes({ 'service.name': 'adtrail', 'service.version': version });
  const provider = new BasicTracerProvider({
    resource: ours.merge(detectResources({ detectors: [envDetector] })),
    spanProcessors: [new BatchSpanProcessor(logFailures(exporter, log))],
  });
  const tracer = provider.getTracer('adtrail', version);
  const parent = () => (currentContext().span as OtelContext | undefined) ?? ROOT_CONTEXT;

  /** Runs `work` with the span as what others are children of. */
  const within = <T>(span: OtelSpan, above: OtelContext, work: () => T): T => {
    const { traceId } = span.spanContext();
    return runIn({ ...currentContext(), traceId, span: trace.setSpan(above, span) }, work);
  };
  const measured = async <T>(
    name: string,
    attributes: Attributes,
    kind: SpanKind,
    work: (span: OtelSpan) => Promise<T>,
  ) => {
    const above = parent();
    const span = tracer.startSpan(name, { attributes, kind }, above);
    try {
      return await within(span, above, () => work(span));
    } catch (error) {
      // Its message may repeat values of the request.
      const type = error instanceof Error ? error.name : typeof error;
      span.setAttribute('error.type', type).setStatus({ code: SpanStatusCode.ERROR });
      throw error;
    } finally {
      span.end();
    }
  };
  return {
    isOn: true,
    span: (name, attributes, work) =>
      measured(name, attributes, SpanKind.INTERNAL, (span) =>
        work({ set: (more) => void span.setAttributes({ ...more }) }),
      ),
    part: (name, attributes, work) =>
      currentContext().span === undefined ? work() : measured(name, attributes, SpanKind.CLIENT, work),
    past(name, attributes, seconds) {
      const now = Date.now();
      tracer.startSpan(name, { attributes, startTime: now - seconds * 1000 }, ROOT_CONTEXT).end(now);
    },
    request(headers, requestId) {
      const above = propagator.extract(ROOT_CONTEXT, headers, defaultTextMapGetter);
      const span = tracer.startSpan('HTTP', { kind: SpanKind.SERVER }, above);
      return {
        run: (work) => within(span, above, work),
        end(name, attributes, failed) {
          span.updateName(name).setAttributes({ ...attributes, 'adtrail.request_id': requestId });
          if (failed) span.setStatus({ code: SpanStatusCode.ERROR });
          span.end();
        },
      };
    },
    async stop(ms) {
      const sent = provider.shutdown().catch(() => undefined);
      await Promise.race([sent, sleep(ms, undefined, { ref: false })]);
    },
  };
}

/** The exporter, which tells when spans no longer arrive, and when they do again. */
function logFailures(exporter: SpanExporter, log: TracingOptions['log']): SpanExporter {
  let isArriving = true;
  const told = ({ code, error }: ExportResult) => {
    const arrives = code === ExportResultCode.SUCCESS;
    if (arrives === isArriving) return;
    isArriving = arrives;
    if (arrives) log.info('Spans arrive again');
    else log.warn(`Spans do not arrive where OTEL_EXPORTER_OTLP_ENDPOINT says: ${error?.message ?? 'no answer'}`);
  };
  return {
    export: (spans, done) =>
      exporter.export(spans, (result) => {
        told(result);
        done(result);
      }),
    shutdown: () => exporter.shutdown(),
    forceFlush: () => exporter.forceFlush?.() ?? Promise.resolve(),
  };
}
