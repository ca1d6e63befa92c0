// owns: spans of what Sylk does, sent by OTLP to an address that the person gave; nothing without one
// knows: nothing of ours but redaction and the clock
// must not know: what the spans are about
import { randomBytes } from 'node:crypto';
import type { Clock } from '../clock.ts';
import { reportOf } from '../errors.ts';
import { redact } from '../redact.ts';
import type { TelemetrySettings } from './config/index.ts';

export type SpanValue = string | number | boolean | string[] | undefined;

export interface Span {
  set(name: string, value: SpanValue): void;
  /** A span inside of this one. */
  readonly parent: SpanParent;
}

export interface SpanParent {
  traceId: string;
  spanId: string;
}

export interface Telemetry {
  /** False where no address is given: nothing is recorded. */
  readonly isOn: boolean;
  /** Whether the person asked for contents too. */
  readonly withContents: boolean;
  span<T>(
    name: string,
    attributes: Record<string, SpanValue>,
    work: (span: Span) => Promise<T>,
    parent?: SpanParent,
  ): Promise<T>;
  /** Sends what is left. A collector that does not answer is no failure of ours. */
  close(): Promise<void>;
}

interface TelemetryContext {
  settings: TelemetrySettings;
  version: string;
  clock: Clock;
  fetch?: typeof globalThis.fetch | undefined;
  /** Told once when the collector does not take the spans. */
  warn(line: string): void;
}

const sentAtOnce = 64;
const sendTimeout = 5_000;
const kinds = { client: 3 };

const off: Telemetry = {
  isOn: false,
  withContents: false,
  span: (_name, _attributes, work) => work({ set: () => {}, parent: { traceId: '', spanId: '' } }),
  close: async () => {},
};

export function createTelemetry(context: TelemetryContext): Telemetry {
  const { endpoint, contents } = context.settings;
  if (!endpoint) return off;
  const waiting: object[] = [];
  let sending: Promise<void> = Promise.resolve();
  let hasFailed = false;
  const send = async (spans: object[]) => {
    try {
      const answer = await (context.fetch ?? globalThis.fetch)(`${endpoint.replace(/\/+$/, '')}/v1/traces`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(exportOf(spans, context.version)),
        redirect: 'error',
        signal: AbortSignal.timeout(sendTimeout),
      });
      if (!answer.ok) throw new Error(`the collector answered ${answer.status}`);
    } catch (error) {
      if (!hasFailed) context.warn(`Spans were not sent: ${reportOf(error).message}`);
      hasFailed = true;
    }
  };
  const flush = () => {
    const spans = waiting.splice(0);
    if (spans.length > 0) sending = sending.then(() => send(spans));
    return sending;
  };
  return {
    isOn: true,
    withContents: contents,
    async span(name, attributes, work, parent) {
      const ids = { traceId: parent?.traceId ?? randomBytes(16).toString('hex'), spanId: hex8() };
      const values = new Map(Object.entries(attributes));
      const start = context.clock.now();
      const end = (failure?: unknown) => {
        waiting.push({
          ...ids,
          parentSpanId: parent?.spanId,
          name,
          kind: kinds.client,
          startTimeUnixNano: `${start}000000`,
          endTimeUnixNano: `${context.clock.now()}000000`,
          attributes: [...values].flatMap(([key, value]) => attribute(key, value)),
          status: failure === undefined ? {} : { code: 2, message: redact(reportOf(failure).message) },
        });
        if (waiting.length >= sentAtOnce) void flush();
      };
      try {
        const result = await work({ set: (key, value) => void values.set(key, value), parent: ids });
        end();
        return result;
      } catch (error) {
        values.set('error.type', reportOf(error).code);
        end(error);
        throw error;
      }
    },
    close: flush,
  };
}

const hex8 = () => randomBytes(8).toString('hex');

function attribute(key: string, value: SpanValue): object[] {
  if (value === undefined) return [];
  return [{ key, value: otlpValue(value) }];
}

function otlpValue(value: Exclude<SpanValue, undefined>): object {
  if (typeof value === 'string') return { stringValue: redact(value) };
  if (typeof value === 'boolean') return { boolValue: value };
  if (typeof value === 'number')
    return Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value };
  return { arrayValue: { values: value.map((each) => ({ stringValue: redact(each) })) } };
}

const exportOf = (spans: object[], version: string) => ({
  resourceSpans: [
    {
      resource: {
        attributes: [...attribute('service.name', 'sylk'), ...attribute('service.version', version)],
      },
      scopeSpans: [{ scope: { name: 'sylk', version }, spans }],
    },
  ],
});
