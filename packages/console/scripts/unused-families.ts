// The families and methods of the client that the console never calls: the build leaves them out.
import type { Plugin } from 'vite';

/** Families of the client whose calls are signed or made by tools. `test/size.test.ts` checks that no screen uses them. */
export const UNUSED_FAMILIES = [
  'inApp',
  'inbound',
  'lab',
  'me',
  'messaging',
  'partner',
  'paymentPages',
  'receipts',
  'terminal',
  'ussd',
];

/** Methods of other families. Their names are unique in the client. */
export const UNUSED_METHODS = [
  'accountRules',
  'balanceWithPin',
  'fundFromPartner',
  'live',
  'metrics',
  'publicKeys',
  'ready',
  'returnHosts',
  'revokeReceipt',
  'setNewPin',
  'setReturnHosts',
  'transferByCard',
  'verifyPin',
];

/** By family, where another family has a method of the same name. None may be called by a computed name. */
export const UNUSED_CALLS = [
  'agents.balance',
  'bulkPayments.rowLimit',
  'bulkPayments.updateRowLimit',
  'cards.get',
  'cards.upload',
  'cases.addClocks',
  'cases.clocks',
  'compliance.check',
  'holds.get',
  'registration.register',
  'session.finishLogin',
  'session.login',
  'session.logout',
  'session.refresh',
  'subscribers.changePin',
  'subscribers.documents',
  'transactions.receipt',
  'wallet.balance',
  'wallet.transfer',
  'webhookEndpoints.get',
];

/** What the client knows about calls that no user with an access token makes, and that they may also be signed. */
const UNUSED_TRAITS = [
  /^ {2}'.*': \{ schemes: \['(?!bearer').*\},\n/gm,
  /^ {2}'.*': \{ schemes: \['bearer'[^\]]*\] \},\n/gm,
  /^ {2}'(?:GET \/(?:health\/|metrics)|POST \/api\/v1\/(?:admin\/(?:log|refresh)|compliance\/check|public\/(?:subscribers'|pin)|wallet\/transfer)).*\n/gm,
  /^ {2}'\w+ \/(?:api\/v1\/)?(?:me|ussd|r|pay|webhooks|external|admin\/lab)\/.*\n/gm,
];

const without = (code: string, parts: readonly RegExp[]) =>
  parts.reduce((rest, part) => rest.replaceAll(part, ''), code);

function withoutCall(code: string, call: string): string {
  const [family, method] = call.split('.');
  const line = new RegExp(`(^  ${family}: \\{\\n(?:    .*\\n)*?)    ${method}: \\{.*\\},\\n`, 'm');
  return code.replace(line, '$1');
}

/** Leaves them out of the build: every family is in one object, of which nothing can be shaken off. */
export const withoutUnusedFamilies: Plugin = {
  name: 'without-unused-families',
  // Before the types are removed.
  enforce: 'pre',
  transform(code, id) {
    if (id.endsWith('/traits.gen.ts')) return { code: without(code, UNUSED_TRAITS), map: null };
    if (!id.endsWith('/families.gen.ts')) return null;
    const family = new RegExp(`^  (?:${UNUSED_FAMILIES.join('|')}): \\{\\n(?:    .*\\n)*  \\},\\n`, 'gm');
    const method = new RegExp(`^    (?:${UNUSED_METHODS.join('|')}): \\{.*\\},\n`, 'gm');
    return { code: UNUSED_CALLS.reduce(withoutCall, without(code, [family, method])), map: null };
  },
};
