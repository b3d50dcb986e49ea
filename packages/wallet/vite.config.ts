// The build of the wallet: served by the gateway at /wallet, one script for all screens, and a service worker for the shell.
import { shellList } from '@kissi/web/shell-list';
import { lingui } from '@lingui/vite-plugin';
import babel from '@rolldown/plugin-babel';
import { defineConfig } from 'vite';
import { messagesPreset } from '../../scripts/web/compiled-messages.ts';

export default defineConfig({
  base: '/wallet/',
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  plugins: [babel({ presets: [messagesPreset()] }), lingui(), shellList()],
  build: {
    target: 'es2020',
    // The size of the first load is tested from the manifest.
    manifest: true,
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    cssCodeSplit: false,
    reportCompressedSize: false,
    rolldownOptions: {
      input: { main: 'index.html', sw: 'src/sw.ts' },
      output: { entryFileNames: ({ name }) => (name === 'sw' ? 'sw.js' : 'assets/[name]-[hash].js') },
    },
  },
  server: { proxy: { '/api': 'http://127.0.0.1:8080' } },
});
