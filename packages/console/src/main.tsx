// Starts the console in the browser.
import { createRoot } from 'react-dom/client';
import { App } from './app/app.tsx';
import { startLanguage } from './app/language.ts';
import './styles/base.ts';

const root = document.getElementById('root');
if (root) {
  await startLanguage();
  createRoot(root).render(<App />);
}
