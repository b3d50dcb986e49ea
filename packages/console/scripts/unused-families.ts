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
  'publicKeys',
  'revokeReceipt',
  'setNewPin',
  'setReturnHosts',
  'transferByCard',
  'verifyPin',
];

/** Leaves them out of the build: every family is in one object, of which nothing can be shaken off. */
export const withoutUnusedFamilies: Plugin = {
  name: 'without-unused-families',
  // Before the types are removed.
  enforce: 'pre',
  transform(code, id) {
    if (!id.endsWith('/families.gen.ts')) return null;
    const family = new RegExp(`^  (?:${UNUSED_FAMILIES.join('|')}): \\{\\n(?:    .*\\n)*  \\},\\n`, 'gm');
    const method = new RegExp(`^    (?:${UNUSED_METHODS.join('|')}): \\{.*\\},\n`, 'gm');
    return { code: code.replaceAll(family, '').replaceAll(method, ''), map: null };
  },
};
