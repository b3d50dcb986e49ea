// Settings of tracing, with the names and values that OpenTelemetry gives them.
import { type Static, Type } from 'typebox';
import { isWebUrl } from './checks.ts';
import { checkedText, choice, text } from './variable.ts';

const SAMPLERS = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const;

export type SamplerName = (typeof SAMPLERS)[number];

const PAIRS = /^[^=,\s]+=[^,]*(,\s*[^=,\s]+=[^,]*)*$/;
const pairs = (description: string) =>
  Type.Optional(
    checkedText((value) => PAIRS.test(value), 'must be a list such as name=value,other=value.', { description }),
  );

export const tracingVariables = {
  OTEL_EXPORTER_OTLP_ENDPOINT: Type.Optional(
    checkedText(isWebUrl, 'must be a URL that begins with https:// or http://, without a user or a fragment.', {
      description:
        'Where spans are sent by OTLP over HTTP: the address of a collector such as `http://127.0.0.1:4318`, to which `/v1/traces` is added. If unset, nothing is traced ([tracing](operations/tracing.md)).',
    }),
  ),
  OTEL_EXPORTER_OTLP_HEADERS: pairs(
    'Headers of requests to the collector, such as `authorization=Bearer%20…`. Values are percent-encoded.',
  ),
  OTEL_TRACES_SAMPLER: choice(SAMPLERS, {
    default: 'parentbased_always_on',
    description:
      'Which traces are kept. The `parentbased_` samplers do as the `traceparent` of the caller says, and decide only if there is none.',
  }),
  OTEL_TRACES_SAMPLER_ARG: checkedText(isShare, 'must be a number from 0 to 1.', {
    default: '1',
    description: 'The share of traces that the `traceidratio` samplers keep, such as 0.01.',
  }),
  OTEL_SERVICE_NAME: text({ default: 'kissi', description: 'The name of the service in spans.' }),
  OTEL_RESOURCE_ATTRIBUTES: pairs('Attributes of all spans, such as `deployment.region=freetown`.'),
};

const VARIABLES = Type.Object(tracingVariables);

function isShare(value: string): boolean {
  return /^\d(\.\d+)?$/.test(value) && Number(value) <= 1;
}

export interface TracingConfig {
  endpoint: string;
  /** As `name=value,…`, percent-encoded. */
  headers: string | undefined;
  resourceAttributes: string | undefined;
  serviceName: string;
  sampler: { name: SamplerName; share: number };
}

/** Undefined: nothing is traced. */
export function tracingConfig(values: Static<typeof VARIABLES>): TracingConfig | undefined {
  if (values.OTEL_EXPORTER_OTLP_ENDPOINT === undefined) return undefined;
  return {
    endpoint: values.OTEL_EXPORTER_OTLP_ENDPOINT,
    headers: values.OTEL_EXPORTER_OTLP_HEADERS,
    resourceAttributes: values.OTEL_RESOURCE_ATTRIBUTES,
    serviceName: values.OTEL_SERVICE_NAME,
    sampler: { name: values.OTEL_TRACES_SAMPLER, share: Number(values.OTEL_TRACES_SAMPLER_ARG) },
  };
}
