// In place of @kissi/signatures in the build: users' requests carry an access token, and the console signs nothing.

const nothing = (): never => {
  throw new Error('the console has no signing secrets');
};

export const utf8 = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text);

export {
  nothing as encryptPin,
  nothing as isHookSigned,
  nothing as isStandardSigned,
  nothing as signCashIn,
  nothing as signHub,
  nothing as signInbound,
  nothing as signRequest,
  nothing as signService,
  nothing as withBodyHash,
};
