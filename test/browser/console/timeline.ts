// Reads the timeline of a screen: its entries, in words.
import assert from 'node:assert/strict';
import type { Locator, Page } from 'playwright-core';

export const entries = (page: Page): Locator =>
  page
    .getByRole('list')
    .filter({ has: page.locator('li[data-kind]') })
    .getByRole('listitem');

/** Opens the tab, and returns the entries. */
export async function showTimeline(page: Page): Promise<string[]> {
  await page.getByText('Timeline', { exact: true }).last().click();
  await entries(page).first().waitFor();
  return entries(page).allInnerTexts();
}

/** The place of each text among the entries, of which one has it. */
export function places(texts: readonly string[], wanted: readonly RegExp[]): number[] {
  return wanted.map((pattern) => {
    const found = texts.flatMap((text, place) => (pattern.test(text) ? [place] : []));
    assert.equal(found.length, 1, `${pattern}: ${texts.join('\n---\n')}`);
    return found[0] ?? -1;
  });
}
