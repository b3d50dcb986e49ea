// The public interface of the client.
export {
  encryptPin,
  type SignedRequest,
  type SigningKey,
  signCashIn,
  signInbound,
  signRequest,
  signService,
} from '@kissi/signatures';
export { createClient } from './create-client.ts';
export {
  KissiAuthenticationError,
  KissiConnectionError,
  KissiError,
  KissiRateLimitError,
  KissiRefusalError,
  KissiWebhookError,
} from './errors.ts';
export type { Families } from './generated/families.gen.ts';
export type { ErrorCode, WebhookPayload } from './generated/traits.gen.ts';
export type * from './generated/types.gen.ts';
export { Kissi } from './kissi.ts';
export { List } from './list.ts';
export type { CallOptions, Client, Reply, ResponseInfo, UploadBody, UploadOptions } from './low-level.ts';
export { formatMoney, parseMoney, readMoney } from './money.ts';
export type { Credentials, KissiOptions, Login, SecondFactorAnswer, Time, TokenSource, Tokens } from './options.ts';
export {
  type EndpointEvent,
  verifyWebhook,
  type WebhookEvent,
  type WebhookHeaders,
  type WebhookOptions,
} from './webhooks.ts';
