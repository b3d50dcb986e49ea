// Registers the service worker of a page.

interface TrustedTypes {
  createPolicy(name: string, rules: { createScriptURL(url: string): string }): { createScriptURL(url: string): string };
}

/** `page`: its path without slashes, and the name of its policy for addresses of scripts, which admits no other text. */
export function registerWorker(page: 'console' | 'wallet'): void {
  if (!('serviceWorker' in navigator)) return;
  const script = `/${page}/sw.js`;
  const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes };
  const policy = trustedTypes?.createPolicy(page, { createScriptURL: () => script });
  const address = policy ? policy.createScriptURL('') : script;
  // Without it the page works, but does not open without a network.
  navigator.serviceWorker.register(address, { scope: `/${page}/` }).catch(() => undefined);
}
