// The signatures of the service and of tools that run in Node, without waiting.
export { commonMistakes } from './common-mistakes.ts';
export { type HttpRequest, SCHEMES, type Scheme, type SchemeName, schemeForPath, schemeNamed } from './schemes.ts';
export * from './sync.ts';
export { encryptionKeyBytes, pinEncrypter, sealJwe } from './sync-pin.ts';
export * from './timestamps.ts';
export { BODY_HASH, PIN_HEADER, PIN_PURPOSE, type SignatureHeaders, type SigningKey } from './unsigned.ts';
