// The signatures of clients over WebCrypto, for browsers and every other platform.
export type { InboundOptions, SignatureHeaders, SignedRequest, SigningKey } from './unsigned.ts';
export { signCashIn, signHub, signInbound, signRequest, signService, withBodyHash } from './web.ts';
export { type Bytes, utf8 } from './web-crypto.ts';
export { encryptPin } from './web-pin.ts';
export { isHookSigned, isStandardSigned } from './web-webhooks.ts';
