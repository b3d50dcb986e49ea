// The build of the wallet: served by the gateway at /wallet, one script for all screens, and a service worker for the shell.
import { createHash } from 'node:crypto';
import { lingui } from '@lingui/vite-plugin';
import babel from '@rolldown/plugin-babel';
import { defineConfig, type Plugin } from 'vite';
import { messagesPreset } from '../../scripts/web/compiled-messages.ts';

/** Puts the names of the built files into the service worker. Its text changes with each of them, so browsers update it. */
const shellList: Plugin = {
  name: 'shell-list',
  generateBundle: {
    // After the plugins that add the style and the page.
    order: 'post',
    handler(_options, bundle) {
      const worker = bundle['sw.js'];
      const page = bundle['index.html'];
      if (worker?.type !== 'chunk' || page?.type !== 'asset') throw new Error('there is no service worker or no page');
      const files = Object.keys(bundle).filter((name) => name.startsWith('assets/') && /\.(js|css)$/.test(name));
      const list = JSON.stringify(files.sort());
      const version = createHash('sha256').update(`${list}${page.source}`).digest('hex').slice(0, 12);
      worker.code = worker.code
        .replace(/(["'`])__FILES__\1/, () => JSON.stringify(list))
        .replace('__VERSION__', version);
    },
  },
};

export default defineConfig({
  base: '/wallet/',
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  plugins: [babel({ presets: [messagesPreset()] }), lingui(), shellList],
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
