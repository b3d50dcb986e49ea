// The secrets of test gateways.

export const SECRETS = {
  JWT_SECRET: 'test-jwt-secret-0123456789abcdefghijklmnop',
  MASTER_KEY: 'test-master-key-0123456789abcdefghijklmnop',
  PIN_PEPPER: 'test-pin-pepper-0123456789abcdefghijklmnop',
  CLOSE_SIGNING_KEY: 'dGVzdC1jbG9zZS1zaWduaW5nLWtleS0wMTIzNDU2Nzg=',
};
