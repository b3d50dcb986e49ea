// The build of the console: served by the gateway at /console, each screen in a file of its own.
import { lingui, linguiTransformerBabelPreset } from '@lingui/vite-plugin';
import babel from '@rolldown/plugin-babel';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

export default defineConfig({
  base: '/console/',
  plugins: [react(), babel({ presets: [linguiTransformerBabelPreset()] }), lingui()],
  build: {
    target: 'es2023',
    // The sizes of the first page and of each screen are tested from the manifest.
    manifest: true,
    modulePreload: { polyfill: false },
    // A font or picture inside the style sheet would need `data:` in the Content-Security-Policy.
    assetsInlineLimit: 0,
    reportCompressedSize: false,
  },
  server: { proxy: { '/api': 'http://127.0.0.1:8080', '/console/session': 'http://127.0.0.1:8080' } },
});
