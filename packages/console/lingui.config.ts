// The languages of the console. Messages are extracted from the source into src/locales.
import { defineConfig } from '@lingui/cli';
import { formatter } from '@lingui/format-po';

/** Parts that only staff's screens show. */
const STAFF = [
  'src/app/shell/{search-dialog,palette-entries}.*',
  'src/components/list/**/*.*',
  'src/components/{party-picker,audit-words}.*',
];
const AGENT = ['src/screens/own-agent/more/**/*.*', 'src/components/own/{camera,send-receipt}.tsx'];
const REFUSALS = ['src/components/own/refusal-words.ts'];
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
      exclude: [...STAFF, ...BULK, ...AGENT, ...REFUSALS],
    },
    { path: 'src/locales/staff/{locale}', include: ['src/screens/!(own-*|account)/**/*.*', ...STAFF], exclude: BULK },
    // Loaded with the screens that need them.
    { path: 'src/locales/bulk/{locale}', include: BULK },
    { path: 'src/locales/agent/{locale}', include: AGENT },
    { path: 'src/locales/refusals/{locale}', include: REFUSALS },
  ],
});
