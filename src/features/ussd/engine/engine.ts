// The menu engine, a pure function: from a state and an input, or an answer of the service, to a state and a page, or a question to the service.

import type { Language } from '../../../http/pages/language.ts';
import { SCREENS } from '../flows/screens.ts';
import { menuText, supportAt } from '../menus/index.ts';
import { BACK, layOut, MORE, type Page } from './page.ts';
import { refusedStep } from './refusals.ts';
import type { Item, Screen, Settings, Step, View } from './screen.ts';
import type { Answer, Effect, Person, State } from './state.ts';

export type Outcome = Shown | { state: State; effect: Effect };

export interface Shown {
  state: State;
  page: Page;
  /** Why what was typed did not do; the page begins with it. */
  reason?: string | undefined;
}

/** The first page. */
export function start(person: Person, language: Language, settings: Settings): Shown {
  const state: State = { screen: home(person), language, person, values: {}, offset: 0, shown: 0 };
  return show(state, settings);
}

/** What the customer typed. */
export function answer(state: State, input: string, settings: Settings): Outcome {
  const screen = screenOf(state);
  const typed = input.trim();
  return take(state, inputStep(viewOf(state, settings), screen, typed), settings);
}

/** What the service answered to the question that this state asked. */
export function resume(state: State, reply: Answer, settings: Settings): Outcome {
  const screen = screenOf(state);
  const view = viewOf(state, settings);
  const step = screen.answered?.(view, reply) ?? null;
  if (step) return take(state, step, settings);
  if (reply.kind !== 'refused') throw new Error(`the screen ${state.screen} expects no ${reply.kind}`);
  return take(state, refusedStep(view, screen, reply), settings);
}

/** The same page again, with a reason. */
export function repeat(state: State, reason: 'reason.pinDialled', settings: Settings): Shown {
  return show(state, settings, menuText(state.language, reason));
}

/** The next answer is a PIN. */
export function awaitsPin(state: State): boolean {
  return screenOf(state).secret ?? false;
}

/** The menu that a person starts with. */
function home({ customer, agent }: Person): string {
  if (customer) return 'main';
  return agent ? 'agent' : 'welcome';
}

function screenOf({ screen: name }: State): Screen {
  const screen = SCREENS[name];
  if (!screen) throw new Error(`there is no screen ${name}`);
  return screen;
}

function viewOf(state: State, settings: Settings): View {
  const { language, values } = state;
  return {
    state,
    values,
    settings,
    say: (key, texts) => menuText(language, key, { ...supportAt(settings.support), ...texts }),
  };
}

function inputStep(view: View, screen: Screen, input: string): Step {
  const { state, say } = view;
  const unlisted = screen.hidden?.(view, input);
  if (unlisted) return unlisted;
  const back = backTarget(state, screen);
  if (input === BACK && back !== null) return { go: back, ...(back === home(state.person) ? { forget: true } : {}) };
  if (screen.secret && !/^\d{4}$/.test(input)) return { repeat: say('reason.pinForm') };
  if (screen.entry) return screen.entry(view, input);
  return itemStep(view, screen.items?.(view) ?? [], input);
}

/** Null from the first menu. */
function backTarget({ person, screen: name }: State, { back = home(person) }: Screen): string | null {
  return back === name ? null : back;
}

function itemStep({ state, say }: View, items: Item[], input: string): Step {
  const { offset, shown } = state;
  if (input === MORE && offset + shown < items.length) return { go: state.screen, offset: offset + shown };
  const chosen = /^[1-8]$/.test(input) && Number(input) <= shown ? items[offset + Number(input) - 1] : undefined;
  return chosen?.step ?? { repeat: say('reason.choice') };
}

function take(state: State, step: Step, settings: Settings): Outcome {
  if ('repeat' in step) return show(state, settings, step.repeat);
  if ('end' in step) return { state: { ...state, values: {} }, page: { text: step.end, ends: true } };
  if ('ask' in step) {
    return { state: { ...state, values: { ...state.values, ...step.set } }, effect: step.ask };
  }
  const { go, set = {}, reason, language = state.language, forget, offset = 0 } = step;
  const screen = go === 'home' ? home(state.person) : go;
  const values = forget ? set : { ...state.values, ...set };
  return show({ ...state, screen, language, values, offset }, settings, reason);
}

function show(state: State, settings: Settings, reason?: string): Shown {
  const screen = screenOf(state);
  const view = viewOf(state, settings);
  const { say } = view;
  const asked = screen.text(view);
  const lines = (screen.items?.(view) ?? []).map(({ label, step }) => ({ label, isChoice: step !== undefined }));
  const { text, shown } = layOut(
    {
      heading: reason === undefined ? asked : `${reason}\n${asked}`,
      ...{ lines, offset: state.offset, more: say('more') },
      // The text of a PIN page says it.
      back: backTarget(state, screen) === null || screen.secret ? null : say('back'),
    },
    settings.pageLimit,
  );
  const page = { text, ends: false, ...(screen.secret ? { awaitsPin: true as const } : {}) };
  return { state: { ...state, shown }, page, reason };
}
