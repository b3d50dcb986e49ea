// The families of the client that the console never calls: the build leaves them out.
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
  'terminal',
  'ussd',
];

/** Leaves them out of the build: every family is in one object, of which nothing can be shaken off. */
export const withoutUnusedFamilies: Plugin = {
  name: 'without-unused-families',
  // Before the types are removed.
  enforce: 'pre',
  transform(code, id) {
    if (!id.endsWith('/families.gen.ts')) return null;
    const family = new RegExp(`^  (?:${UNUSED_FAMILIES.join('|')}): \\{\\n(?:    .*\\n)*  \\},\\n`, 'gm');
    return { code: code.replaceAll(family, ''), map: null };
  },
};
