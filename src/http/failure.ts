// Converts errors into refusals: framework errors by their code, everything else as INTERNAL_ERROR.
import type { ErrorObject } from 'ajv';
import type { FastifyError } from 'fastify';
import { Overloaded } from '../kernel/bounded-concurrency.ts';
import { type Code, type Refusal, refuse } from '../kernel/refusal.ts';
import { TooManyChunks } from './body.ts';
import { BrokenUpload } from './upload.ts';
import { validationRefusal } from './validation.ts';

const FRAMEWORK: Record<string, { code: Code; sentence: string }> = {
  FST_ERR_CTP_BODY_TOO_LARGE: { code: 'PAYLOAD_TOO_LARGE', sentence: 'The body is larger than 1 MiB.' },
  FST_ERR_CTP_INVALID_MEDIA_TYPE: {
    code: 'UNSUPPORTED_MEDIA_TYPE',
    sentence: 'The body must be JSON: send Content-Type: application/json.',
  },
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: {
    code: 'INVALID_REQUEST',
    sentence: 'The body is not as long as Content-Length says.',
  },
  FST_ERR_BAD_URL: { code: 'INVALID_REQUEST', sentence: 'The path is not a valid URL path.' },
  FST_ERR_MAX_PARAM_LENGTH: { code: 'NOT_FOUND', sentence: 'No record has an id of this length.' },
  FST_ERR_ASYNC_CONSTRAINT: { code: 'INVALID_REQUEST', sentence: 'The request is not valid.' },
};

/** Null for a defect or a failed dependency, which the caller logs. */
export function expectedFailure(error: FastifyError): Refusal | null {
  if (error.validation) {
    return validationRefusal(error.validation as ErrorObject[], error.validationContext as 'body');
  }
  if (error instanceof BrokenUpload) return error.refusal;
  if (error instanceof Overloaded) return tooMany();
  if (error instanceof TooManyChunks) return refuse('INVALID_REQUEST', 'The body arrives in too many small chunks.');
  const known = FRAMEWORK[error.code];
  if (known) return refuse(known.code, known.sentence);
  return isClientError(error) ? refuse('INVALID_REQUEST', 'The request is not valid HTTP for this path.') : null;
}

/** For client errors of the framework that are not listed here, including those of later versions. */
function isClientError({ code, statusCode = 500 }: FastifyError): boolean {
  return typeof code === 'string' && code.startsWith('FST_') && statusCode >= 400 && statusCode < 500;
}

let rejections = 0;

/** Retry-After alternates between 1, 2 and 3 seconds, so that rejected clients do not all retry at the same time. */
export function tooMany(): Refusal {
  rejections += 1;
  const headers = { 'retry-after': String(1 + (rejections % 3)) };
  return refuse('SERVICE_UNAVAILABLE', 'Too many requests are waiting; nothing was done. Try again.', { headers });
}

export function internalError(): Refusal {
  const sentence =
    'The service could not complete this request. Try again, with the same request_id if it moves money.';
  return refuse('INTERNAL_ERROR', sentence);
}

/** The properties of an error that may be logged: no values from a query. */
export function loggableError(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { message: String(error) };
  const { name, message, stack } = error;
  const code: unknown = (error as { code?: unknown }).code;
  return { name, code, message, stack };
}
