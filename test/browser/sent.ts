// The changes that the windows of a test file have sent to the service, and that it has accepted.
import type { BrowserContext } from 'playwright-core';

const accepted = new Set<string>();

export function watchChanges(context: BrowserContext): void {
  context.on('response', (response) => {
    const method = response.request().method();
    if (method !== 'GET' && response.ok()) accepted.add(`${method} ${new URL(response.url()).pathname}`);
  });
}

/** Each as method and path. Another file of this process begins without them. */
export function takeChanges(): string[] {
  const changes = [...accepted];
  accepted.clear();
  return changes;
}
