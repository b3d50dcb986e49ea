// Starts the wallet in the browser.
import { registerWorker } from '@kissi/web/register-worker';
import { render } from 'preact';
import { App } from './app.tsx';
import { startLanguage } from './language.ts';
import './style.css';

const root = document.getElementById('root');
if (root) {
  await startLanguage();
  root.replaceChildren();
  render(<App />, root);
  if (!import.meta.env.DEV) registerWorker('wallet');
}
