// What /metrics answers, for the OpenAPI document: text, not JSON.
import { type TSchema, Type } from 'typebox';

export const metricsReply = {
  description: "Figures in Prometheus' text format.",
  content: { 'text/plain': { schema: Type.String() } },
} as unknown as TSchema;
