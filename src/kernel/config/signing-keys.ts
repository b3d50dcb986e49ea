// The environment variables with the keys that sign anchors and daily closes.
import { Type } from 'typebox';
import { checkedText, text } from './variable.ts';

const SEED_BYTES = 32;

/** A PEM is checked when it is read. */
const isSigningKey = (value: string) =>
  value.includes('PRIVATE KEY') || /^[0-9a-f]{64}$/i.test(value) || Buffer.from(value, 'base64').length === SEED_BYTES;

export const signingKeyVariables = {
  ANCHOR_SIGNING_KEY: Type.Optional(
    text({
      defaultNote: 'derived from `MASTER_KEY`',
      description:
        'Ed25519 key that signs anchors (`npm run ledger:anchor`): a PEM, or a seed of 32 bytes in base64. The service does not use it.',
    }),
  ),
  CLOSE_SIGNING_KEY: Type.Optional(
    checkedText(isSigningKey, 'must be a PEM, or 32 bytes in base64 or hexadecimal digits (openssl rand -base64 32).', {
      defaultNote: 'generated in development',
      requiredOutsideDevelopment: true,
      rejectExampleInProduction: true,
      description:
        "Ed25519 key that signs daily closes: a PEM, or a seed of 32 bytes in base64 or hexadecimal digits. Required outside development. To rotate it, set a new one: earlier closes' public keys stay published at `/.well-known/kissi-keys.json`.",
    }),
  ),
};
