// Makes the console an app that a phone can install, for agents and merchants: staff's pages stay as they are.
import { registerWorker } from '@kissi/web/register-worker';

export function install(): void {
  if (document.querySelector('link[rel=manifest]')) return;
  const manifest = Object.assign(document.createElement('link'), {
    rel: 'manifest',
    href: '/console/manifest.webmanifest',
  });
  document.head.append(manifest);
  registerWorker('console');
}
