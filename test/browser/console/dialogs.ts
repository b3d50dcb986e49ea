// Buttons, menus and dialogs of a screen, as a user finds them by their names.
import type { Locator } from 'playwright-core';
import { waitFor } from '../../support/wait.ts';
import { assertAccessible, assertFitsWidth } from '../page.ts';
import type { ConsolePage } from './console.ts';

export interface Screen extends ConsolePage {
  dialog: Locator;
  button(name: string | RegExp): Locator;
  /** Opens the dialog of a button, and checks it with axe-core. */
  open(name: string | RegExp): Promise<Locator>;
  /** Checks the open dialog or menu with axe-core. */
  checkOpened(label: string): Promise<void>;
  /** Opens the dialog of an item of a menu; checks both with axe-core. */
  openFromMenu(menu: string, item: string): Promise<Locator>;
  /** Clicks a button of the dialog, and waits until the dialog is closed. */
  confirm(name: string): Promise<void>;
  /** Confirms the filled in form of a payment, waits for its outcome, and closes the dialog. */
  pay(name: string, outcome: string): Promise<void>;
  /** Saves a picture of the whole page to the folder SHOTS, if it is set. */
  shoot(name: string): Promise<void>;
  /** A fact of the record, by its name. */
  fact(name: string): Promise<string>;
}

/** A dialog is named by its title, which is drawn a moment after it. */
const ARE_NAMED = `[...document.querySelectorAll('[role="dialog"]')].every((dialog) =>
  dialog.hasAttribute('aria-label') || document.getElementById(dialog.getAttribute('aria-labelledby') ?? '') !== null)`;
/** The parts of a page that lie above it. */
const OPENED = '[role="dialog"], [role="menu"], [popover]:popover-open';

export function screenOf(window: ConsolePage): Screen {
  const { page } = window;
  const dialog = page.getByRole('dialog');
  const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true });
  const checkOpened = async (label: string) => {
    await page.evaluate('Promise.allSettled(document.getAnimations().map(({ finished }) => finished))');
    await waitFor('every dialog has its title', () => page.evaluate<boolean>(ARE_NAMED));
    await assertFitsWidth(page, label);
    await assertAccessible(page, label, OPENED);
  };
  const opened = async (label: string) => {
    await dialog.waitFor();
    await checkOpened(label);
    return dialog;
  };
  return {
    ...window,
    dialog,
    button,
    checkOpened,
    async open(name) {
      await button(name).first().click();
      return opened(`the dialog of ${name}`);
    },
    async openFromMenu(menu, item) {
      await button(menu).first().click();
      await page.getByRole('menuitem', { name: item, exact: true }).waitFor();
      await checkOpened(`the menu ${menu}`);
      await page.getByRole('menuitem', { name: item, exact: true }).click();
      return opened(`the dialog of ${item}`);
    },
    async confirm(name) {
      await dialog.getByRole('button', { name, exact: true }).click();
      await dialog.waitFor({ state: 'detached' });
    },
    async pay(name, outcome) {
      await dialog.getByRole('button', { name: 'Continue' }).click();
      await dialog.getByText('Check before you confirm').waitFor();
      await checkOpened(`the confirmation of ${name}`);
      await dialog.getByRole('button', { name, exact: true }).click();
      await dialog.getByText(outcome).waitFor();
      await checkOpened(`the outcome of ${name}`);
      await dialog.getByText('Close', { exact: true }).click();
      await dialog.waitFor({ state: 'detached' });
    },
    async shoot(name) {
      const { SHOTS } = process.env;
      if (SHOTS) await page.screenshot({ path: `${SHOTS}/${name}.png`, fullPage: true });
    },
    fact(name) {
      const fact = page.locator('dl > div').filter({ has: page.locator('dt', { hasText: new RegExp(`^${name}$`) }) });
      return fact.locator('dd').innerText();
    },
  };
}
