// The build of the console: served by the gateway at /console, each screen in its own file.
import { fileURLToPath } from 'node:url';
import { shellList } from '@kissi/web/shell-list';
import { lingui } from '@lingui/vite-plugin';
import babel from '@rolldown/plugin-babel';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { messagesPreset } from '../../scripts/web/compiled-messages.ts';
import { withoutUnusedFamilies } from './scripts/unused-families.ts';

/** Few files, because each costs a round trip on a slow network. Libraries change less often than the console. */
const INITIAL = '$initial' as const;
const GROUPS = [
  { name: 'libraries', tags: [INITIAL], test: /node_modules/, priority: 3 },
  // Without the entry itself, which the manifest lists.
  { name: 'base', tags: [INITIAL], test: /src\/(?!main\.tsx|sw\.ts|shell-worker)/, priority: 2 },
  // For agents and merchants; staff load the forms with their frame.
  {
    name: 'own',
    test: /src\/components\/own\/(?!movement-names|share-link|qr|camera|agent-texts|send-receipt)/,
    priority: 0,
  },
  // What the first screen of an agent loads after it is shown.
  {
    name: 'waits',
    test: /src\/(components\/own\/agent-texts|screens\/own-agent\/(use-float-requests|more\/waits))/,
    priority: 2,
  },
  {
    name: 'forms',
    test: /src\/(components\/(own\/movement-names|archived|large-money|named-party|payment\/(?!unresolved|payout|refund|transfer)|facts|status\.|values\.module|link|money-input|copy-curl|use-call|use-submit|action-form)|api\/curl|format\/words)|use-debounced-value/,
    priority: 1,
  },
];

export default defineConfig({
  base: '/console/',
  resolve: { alias: { '@kissi/signatures': fileURLToPath(new URL('./scripts/no-signatures.ts', import.meta.url)) } },
  plugins: [
    withoutUnusedFamilies,
    react(),
    babel({ presets: [messagesPreset()] }),
    lingui(),
    shellList((source) =>
      /\/src\/(screens\/own-|components\/own\/|components\/payment\/unresolved|app\/krio)/.test(source),
    ),
  ],
  build: {
    target: 'es2023',
    // The sizes of the first page and of each screen are tested from the manifest.
    manifest: true,
    modulePreload: { polyfill: false },
    // A font or picture inside the style sheet would need `data:` in the Content-Security-Policy.
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    rolldownOptions: {
      input: { index: 'index.html', sw: 'src/sw.ts' },
      output: {
        codeSplitting: { groups: GROUPS },
        entryFileNames: ({ name }) => (name === 'sw' ? 'sw.js' : 'assets/[name]-[hash].js'),
      },
    },
  },
  server: { proxy: { '/api': 'http://127.0.0.1:8080', '/console/session': 'http://127.0.0.1:8080' } },
});
