// The languages of the console. Messages are extracted from the source into src/locales.
import { defineConfig } from '@lingui/cli';

export default defineConfig({
  sourceLocale: 'en',
  locales: ['en', 'kri'],
  fallbackLocales: { default: 'en' },
  catalogs: [{ path: 'src/locales/{locale}', include: ['src'] }],
});
