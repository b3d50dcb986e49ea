// Starts the wallet in the browser.
import { render } from 'preact';
import { App } from './app.tsx';
import { startLanguage } from './language.ts';
import './style.css';

interface TrustedTypes {
  createPolicy(name: string, rules: { createScriptURL(url: string): string }): { createScriptURL(url: string): string };
}

/** The page's policy admits no other text as the address of a script. */
function registerWorker(): void {
  if (!('serviceWorker' in navigator) || import.meta.env.DEV) return;
  const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes };
  const policy = trustedTypes?.createPolicy('wallet', { createScriptURL: () => '/wallet/sw.js' });
  const address = policy ? policy.createScriptURL('') : '/wallet/sw.js';
  // Without it the wallet works, but does not open without a network.
  navigator.serviceWorker.register(address, { scope: '/wallet/' }).catch(() => undefined);
}

const root = document.getElementById('root');
if (root) {
  await startLanguage();
  root.replaceChildren();
  render(<App />, root);
  registerWorker();
}
