// The token of a name enquiry: stateless, valid for 15 minutes, for one partner and one beneficiary.
import { hkdfSync } from 'node:crypto';
import { hmac, hmacHex, signatureMatches } from '@kissi/signatures/node';
import { type Clock, MINUTE_MS } from '../../../kernel/clock.ts';
import { Derived, type Keys } from '../../../kernel/key-ring.ts';

/** The partner and the beneficiary that a token is issued for. */
export interface Binding {
  partnerId: string;
  subscriberId: string;
}

export interface BeneficiaryRefs {
  issue(binding: Binding): string;
  /** Null if the token is valid; otherwise the reason, phrased to follow the field's name. */
  faultOf(ref: string, binding: Binding): string | null;
}

const VALID_MS = 15 * MINUTE_MS;
const FORM = /^([0-9a-z]{1,10})\.([0-9a-f]{64})$/;

/**
 * The token consists of its expiry and an HMAC over the expiry and both parties. The caller names the beneficiary again
 * with the token, so it contains nothing about the beneficiary, and every gateway can verify it.
 */
export function createBeneficiaryRefs({ masterKey, clock }: { masterKey: Keys; clock: Clock }): BeneficiaryRefs {
  const secrets = new Derived(masterKey, (value) =>
    Buffer.from(hkdfSync('sha256', value, '', 'kissi-beneficiary-ref-v1', 32)).toString('hex'),
  );
  const signed = ({ partnerId, subscriberId }: Binding, end: number) => `${partnerId}\n${subscriberId}\n${end}`;
  return {
    issue(binding) {
      const end = clock.now() + VALID_MS;
      return `${end.toString(36)}.${hmacHex(secrets.writing, signed(binding, end))}`;
    },
    faultOf(ref, binding) {
      const [, written = '', code] = FORM.exec(ref) ?? [];
      const end = Number.parseInt(written, 36);
      const isSigned = (secret: string) => signatureMatches(hmac(secret, signed(binding, end)), code);
      if (!secrets.usable.some(isSigned)) return 'does not name this beneficiary';
      return clock.now() <= end ? null : 'has expired; it is valid for 15 minutes';
    },
  };
}
