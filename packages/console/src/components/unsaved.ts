// Text that was typed into a form and not sent yet: which fields have it, and a question before it is lost.
import { useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import { session } from '../api/session.ts';
import { askToDiscard, loadQuestion } from './ask-to-discard.ts';

type Field = HTMLInputElement | HTMLTextAreaElement;

/** Passwords and PINs are typed again in any case. */
const TYPED =
  'textarea, input[type="text"], input[type="email"], input[type="tel"], input[type="number"], input:not([type])';
/** Parameters of an address that change the tab of a screen, whose fields are removed. */
const TABS = ['tab', 'view'];

/** The value of each field before the user typed into it. */
const before = new Map<Field, string>();

for (const event of ['focusin', 'beforeinput']) addEventListener(event, note, { capture: true });

function note({ target }: Event): void {
  if (!(target instanceof Element) || !target.matches(TYPED)) return;
  const field = target as Field;
  if (!field.form || field.readOnly || before.has(field)) return;
  before.set(field, field.value);
  void loadQuestion();
}

/** `data-sent`: the form's text is kept elsewhere. The lock and the login never wait for an answer. */
function unsavedForms(): HTMLFormElement[] {
  if (session.get().kind !== 'in') return [];
  for (const field of before.keys()) if (!field.form?.isConnected) before.delete(field);
  const changed = [...before].filter(([field, value]) => field.value !== value);
  return changed.flatMap(([{ form }]) => (form && !form.matches('[data-sent="true"]') ? [form] : []));
}

/** While the form is sent. Afterwards what was sent is saved; what was typed meanwhile is not. */
export function sentValues(form: EventTarget | null): () => void {
  const sent = [...before.keys()].filter((field) => field.form === form).map((field) => [field, field.value] as const);
  return () => {
    for (const [field, value] of sent) {
      if (field.value === value) before.delete(field);
      else before.set(field, value);
    }
  };
}

/** True if nothing typed below this element would be lost, or if the user agrees. */
export async function mayClose(element: Element | null): Promise<boolean> {
  return !unsavedForms().some((form) => element?.contains(form)) || askToDiscard();
}

interface Place {
  pathname: string;
  search: string;
}

async function mayLeave(from: Place, to: Place): Promise<boolean> {
  const lost = unsavedForms().filter((form) => isRemoved(form, from, to));
  return lost.length === 0 || askToDiscard();
}

function isRemoved(form: HTMLFormElement, from: Place, to: Place): boolean {
  if (from.pathname !== to.pathname) return true;
  const [old, next] = [new URLSearchParams(from.search), new URLSearchParams(to.search)];
  return form.closest('[role="tabpanel"]') !== null && TABS.some((name) => old.get(name) !== next.get(name));
}

let guards = 0;
let stopGuard: (() => void) | undefined;

/** Every form with text uses it: leaving its screen or the page asks first. One question for all forms of a screen. */
export function useUnsavedGuard(): void {
  // Forms before the first screen, such as a required new password, have no address to leave.
  const history = useRouter({ warn: false })?.history;
  useEffect(() => {
    if (!history) return;
    guards += 1;
    if (guards === 1) {
      stopGuard = history.block({
        blockerFn: async ({ currentLocation, nextLocation }: Record<'currentLocation' | 'nextLocation', Place>) =>
          !(await mayLeave(currentLocation, nextLocation)),
        enableBeforeUnload: () => unsavedForms().length > 0,
      });
    }
    return () => {
      guards -= 1;
      if (guards === 0) stopGuard?.();
    };
  }, [history]);
}
