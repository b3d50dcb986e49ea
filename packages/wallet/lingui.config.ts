// The languages of the wallet. Messages are extracted from the source into src/locales.
import { defineConfig } from '@lingui/cli';
import { formatter } from '@lingui/format-po';

export default defineConfig({
  sourceLocale: 'en',
  locales: ['en', 'kri'],
  fallbackLocales: { default: 'en' },
  orderBy: 'message',
  // Without places in the source, so that a catalogue changes only with its texts.
  format: formatter({ origins: false }),
  catalogs: [{ path: 'src/locales/{locale}', include: ['src'] }],
});
