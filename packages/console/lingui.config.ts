// The languages of the console. Messages are extracted from the source into src/locales.
import { defineConfig } from '@lingui/cli';
import { formatter } from '@lingui/format-po';

const BULK = ['src/{components,screens,screens/own-merchant}/bulk-payments/**/*.*'];

export default defineConfig({
  sourceLocale: 'en',
  locales: ['en', 'kri'],
  fallbackLocales: { default: 'en' },
  orderBy: 'message',
  // Without places in the source, so that a catalogue changes only with its texts.
  format: formatter({ origins: false }),
  // Staff's texts are in their own files: agents and merchants do not load them.
  catalogs: [
    {
      path: 'src/locales/{locale}',
      include: ['src/app', 'src/components', 'src/session', 'src/screens/@(own-*|account)/**/*.*'],
      exclude: BULK,
    },
    { path: 'src/locales/staff/{locale}', include: ['src/screens/!(own-*|account)/**/*.*'], exclude: BULK },
    // Loaded with the screens that need them.
    { path: 'src/locales/bulk/{locale}', include: BULK },
  ],
});
