// The response of GET /metrics in the OpenAPI document: text, not JSON.
import { type TSchema, Type } from 'typebox';

export const metricsReply = {
  description: "Metrics in Prometheus' text format.",
  content: { 'text/plain': { schema: Type.String() } },
} as unknown as TSchema;
