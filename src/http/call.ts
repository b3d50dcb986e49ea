// Builds the call that a handler gets from a request that passed all checks.
import { PUBLIC_CALLER } from '../auth/caller.ts';
import { rawBodyOf } from './body.ts';
import type { Call } from './endpoint.ts';
import type { ServedRequest } from './served-request.ts';
import { mediaTypeOf } from './upload.ts';

const NO_FILE: Buffer[] = [];

export function callOf(request: ServedRequest): Call {
  const { body, params, query, ip } = request;
  const { 'x-request-id': sentId, 'x-idempotency-key': idempotencyKey, cookie = '' } = request.headers;
  const { accept = '', 'accept-language': acceptLanguage = '' } = request.headers;
  return {
    body,
    params,
    query,
    ip,
    caller: request.caller ?? PUBLIC_CALLER,
    requestId: request.id,
    clientRequestId: typeof sentId === 'string' ? sentId : null,
    idempotencyKey: typeof idempotencyKey === 'string' ? idempotencyKey : '',
    cookie,
    accept,
    acceptLanguage,
    rawBody: rawBodyOf(request),
    file: request.upload ?? NO_FILE,
    fileType: request.upload ? mediaTypeOf(request) : '',
  };
}
