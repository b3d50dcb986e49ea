// Checks of what protects customers: phone numbers, PINs, look-ups, notices and USSD.
import { type Check, type Examined, fail, fine, warn } from '../check.ts';

export const CUSTOMER_CHECKS: readonly Check[] = [
  { id: 'phone_verification', area: 'customers', name: 'Phone verification', run: phoneVerification },
  { id: 'pins', area: 'customers', name: 'Common PINs', run: pins },
  { id: 'lookups', area: 'customers', name: 'Balances in look-ups', run: lookups },
  { id: 'notices', area: 'customers', name: 'Notices', run: notices },
  { id: 'ussd', area: 'customers', name: 'USSD', run: ussd },
];

function phoneVerification({ config: { verifyPhones } }: Examined) {
  if (verifyPhones) return fine('A number is used once its holder has entered a code.');
  return warn(
    "PHONE_VERIFICATION is off: anybody can register somebody else's number, and receive what is sent to it.",
    'Set a provider of SMS, then PHONE_VERIFICATION=required.',
  );
}

function pins({ config: { refuseCommonPins } }: Examined) {
  if (refuseCommonPins) return fine('Very common PINs are refused.');
  return fail(
    'REFUSE_COMMON_PINS is false: three guesses open one wallet in ten.',
    'Set REFUSE_COMMON_PINS=true, the default in production.',
  );
}

function lookups({ config: { verifyCardShowsBalance } }: Examined) {
  if (!verifyCardShowsBalance) return fine('verify-card does not tell balances.');
  return warn(
    "VERIFY_CARD_BALANCE is on: a merchant's terminal reads the balance of every card it sees, without its PIN.",
    'Set VERIFY_CARD_BALANCE=off, unless your terminals need it.',
  );
}

function notices({ config: { notices, messaging } }: Examined) {
  const hasProvider = notices.sms !== undefined || messaging.platform !== undefined;
  if (!hasProvider) {
    return fail(
      'Nobody sends messages: codes, passwords and notices of stolen PINs reach no phone.',
      'Set SMS_PROVIDER (docs/guides/sms-provider.md), or MESSAGING_API_URL.',
    );
  }
  if (notices.notices === 'all') return fine('Customers are told of payments, and of their security.');
  return warn(
    notices.notices === 'off'
      ? 'NOTICES is off: a customer learns of a stolen PIN from the balance.'
      : 'NOTICES is security: customers are not told of payments.',
    'Set NOTICES=all, the default in production.',
  );
}

function ussd({ config: { ussd, ussdServiceCode } }: Examined) {
  const { secrets, allowed } = ussd;
  if (secrets.length === 0) {
    if (ussdServiceCode === '') return fine('There is no USSD gateway.');
    return fail('USSD_SERVICE_CODE is set, but no gateway can call.', 'Set USSD_SECRET and USSD_ALLOWED.');
  }
  if (allowed.length === 0) {
    return fail(
      'USSD_ALLOWED is empty: whoever learns USSD_SECRET can act for every phone number.',
      "Set USSD_ALLOWED to the gateway's addresses.",
    );
  }
  if (secrets.length === 1) return fine('One secret is valid, from the addresses of the gateway only.');
  return warn('Two values of USSD_SECRET are valid.', 'Remove the old one once the gateway uses the new one.');
}
