// Walks through every page of the menus, in both languages, with the longest names and amounts, and with whatever people type.
import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { LANGUAGES, type Language } from '../../../http/pages/language.ts';
import { gsmLength } from '../../../kernel/gsm.ts';
import { CATALOGUE } from '../../../kernel/refusal.ts';
import { SCREENS } from '../flows/screens.ts';
import { answer, awaitsPin, type Outcome, resume, start } from './engine.ts';
import type { Settings } from './screen.ts';
import type { Answer, Effect, Person, PinHolder, ShownCase, State } from './state.ts';

const PIN = '7391';
const LIMIT = 178;
const MOST = Number.MAX_SAFE_INTEGER;
const LONG_NAME = 'Ŋaimbana-Wilberforce Abdulrahman ɔf di ɛntaprayz '.repeat(4);

const SETTINGS: Settings = {
  pageLimit: LIMIT,
  operator: LONG_NAME,
  support: '+232 76 000 000',
  markPin: (pin) => `mark of ${[...pin].reverse().join('')}x`,
  readPhone: (text) => (/^\+?\d{8,15}$/.test(text) ? `+${text.replace('+', '')}` : null),
};

const [CUSTOMER, AGENT] = ['sub_1', 'agent_1'].map((id) => ({ id, pinSalt: '' })) as [PinHolder, PinHolder];
const PEOPLE: Person[] = [
  { customer: CUSTOMER, agent: null, invitation: null },
  { customer: CUSTOMER, agent: AGENT, invitation: null },
  { customer: null, agent: AGENT, invitation: null },
  { customer: null, agent: null, invitation: null },
  {
    ...{ customer: null, agent: null },
    invitation: { firstName: LONG_NAME, lastName: LONG_NAME, agentName: LONG_NAME },
  },
];

const PHONE = '+232761234567890';
const CODE = '0123456789';
const NAME = 'Ɛlizabɛth-Mary Ann Konah Bangura Kamara';
/** One valid answer of each kind, and wrong ones. */
const TYPED = [
  ...['', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9', '12345', 'x', '*', '-1', '1e3', '0.001'],
  ...[PHONE, CODE, '1234567', '12345678', '9999999999999.99', NAME],
];

const QUOTE = { id: 'quote_1', name: LONG_NAME, amount: MOST, fee: MOST, total: MOST };
const RECEIPT = { transactionId: 'txn_01KAE3Z8Y0VQ7M5J9T2N4R6W8X', balance: MOST };
const REQUESTS = [null, MOST].flatMap((amount) =>
  Array.from({ length: 5 }, (_, index) => ({ id: `prq_${amount}_${index}`, payeeName: LONG_NAME, amount })),
);

/** Every state, and what waits for the customer. */
const CASES: ShownCase[] = (
  [
    'answer',
    'confirmation',
    'open',
    'waiting_customer',
    'waiting_other_party',
    'investigating',
    'resolved',
    'rejected',
  ] as const
).map((each) => {
  const waitsFor = each === 'answer' || each === 'confirmation' ? each : null;
  const state = each === 'answer' || each === 'confirmation' ? 'open' : each;
  return {
    id: `case_${each}`,
    number: 'C-2026-4817362',
    state,
    waitsFor,
    name: LONG_NAME,
    amount: MOST,
    answerBy: '19/11',
  };
});

function longestAnswer(effect: Effect): Answer {
  const { kind } = effect;
  switch (kind) {
    case 'quote':
    case 'cashOutQuote':
    case 'cashInQuote':
      return { kind, quote: QUOTE };
    case 'pay':
    case 'cashIn':
      return { kind, receipt: RECEIPT };
    case 'cashOutCode':
      return { kind, code: '12345678', minutes: 30 };
    case 'loginCode':
      return { kind, code: '123456', minutes: 10 };
    case 'findRequest':
      return { kind, request: { id: 'prq_1', payeeName: LONG_NAME, amount: null } };
    case 'requests':
      return { kind, requests: REQUESTS };
    case 'balance':
      return { kind, available: MOST, held: MOST };
    case 'history':
      return { kind, history: REQUESTS.slice(0, 5).map(() => ({ at: '19/11', amount: -MOST, name: LONG_NAME })) };
    case 'limits':
      return { kind, leftToday: MOST, daily: MOST, maxBalance: MOST };
    case 'report':
      return { kind, number: 'C-2026-4817362' };
    case 'cases':
      return { kind, cases: CASES };
    case 'transfers':
      return {
        kind,
        transfers: Array.from({ length: 5 }, (_, index) => ({
          id: `txn_${index}`,
          at: '19/11',
          amount: MOST,
          name: LONG_NAME,
        })),
      };
    case 'recall':
    case 'confirmRecall':
      return { kind, number: 'C-2026-4817362', state: 'asked' };
    case 'accept':
      return { kind, amount: MOST, receipt: RECEIPT };
    case 'checkPin':
      return { kind, pinVersion: 7 };
    case 'setLanguage':
      return { kind, language: effect.language };
    case 'redeem':
      return { kind, name: LONG_NAME, amount: MOST, transactionId: RECEIPT.transactionId };
    case 'float':
      return { kind, float: MOST };
    case 'decline':
    case 'contest':
    case 'changePin':
    case 'register':
    case 'invite':
      return { kind };
  }
}

const REFUSALS: Answer[] = [
  ...[...Object.keys(CATALOGUE), 'INVALID_CODE'].map((code) => ({ kind: 'refused' as const, code })),
  ...[0, 1, 2].map((attemptsLeft) => ({ kind: 'refused' as const, code: 'INVALID_PIN', attemptsLeft })),
  { kind: 'refused', code: 'ACCOUNT_LOCKED', lockedUntil: '23:59' },
  { kind: 'refused', code: 'QUOTE_CHANGED', quote: QUOTE },
];

interface Walk {
  /** Of each screen and language: the longest page, in septets. */
  longest: Map<string, number>;
  pages: number;
  states: State[];
  askedWithPin: Set<string>;
}

/** Every page that any answer leads to, from every person's first page. */
function walkEverywhere(language: Language): Walk {
  const walk: Walk = { longest: new Map(), pages: 0, states: [], askedWithPin: new Set() };
  const seen = new Set<string>();
  const expanded = new Set<string>();
  const open: State[] = [];

  function arrive(outcome: Outcome, from: string): void {
    if ('effect' in outcome) {
      const { state, effect } = outcome;
      if ('pin' in effect) walk.askedWithPin.add(`${state.screen}: ${effect.kind}`);
      for (const reply of [longestAnswer(effect), ...REFUSALS]) arrive(resume(state, reply, SETTINGS), state.screen);
      return;
    }
    const { state, page } = outcome;
    const key = `${page.ends} ${page.text} ${JSON.stringify(state)}`;
    if (seen.has(key)) return;
    seen.add(key);
    walk.pages += 1;
    const length = gsmLength(page.text);
    assert.ok(length !== null, `not in the alphabet, after ${from}: ${page.text}`);
    assert.ok(length <= LIMIT, `${length} characters, after ${from}:\n${page.text}`);
    assert.ok(!page.text.includes(PIN), `a page shows the PIN, after ${from}`);
    assert.ok(!/\{|undefined|NaN/.test(page.text), page.text);
    const name = page.ends ? `${from} last` : state.screen;
    if (state.language === language) walk.longest.set(name, Math.max(length, walk.longest.get(name) ?? 0));
    walk.states.push(state);
    const { screen, person, values, offset } = state;
    const kind = JSON.stringify([screen, state.language, person, Object.keys(values).sort(), values.shows, offset]);
    if (page.ends || expanded.has(kind)) return;
    expanded.add(kind);
    open.push(state);
  }

  for (const person of PEOPLE) arrive(start(person, language, SETTINGS), 'start');
  for (let state = open.pop(); state; state = open.pop()) {
    for (const typed of awaitsPin(state) ? [...TYPED, PIN] : TYPED) {
      arrive(answer(state, typed, SETTINGS), state.screen);
    }
  }
  return walk;
}

const DOCUMENT = new URL('../../../../docs/decisions/ussd.md', import.meta.url);
const TABLE = /\| page \|[\s\S]*?(?=\n\n|\n$)/;
/** By language, from the tests of this file. */
const lengths = new Map<Language, Walk['longest']>();

function lengthTable(): string {
  const cell = (name: string) => LANGUAGES.map((language) => lengths.get(language)?.get(name) ?? '-').join(' | ');
  const rows = Object.keys(SCREENS).map((name) => `| \`${name}\` | ${cell(name)} | ${cell(`${name} last`)} |`);
  return ['| page | English | Krio | the last page after it | in Krio |', '|---|---|---|---|---|', ...rows].join('\n');
}

describe('every page', () => {
  for (const language of LANGUAGES) {
    test(`fits and is in the alphabet: ${language}`, () => {
      const { longest, pages, states, askedWithPin } = walkEverywhere(language);
      const reached = new Set(states.map(({ screen }) => screen));
      assert.deepEqual([...reached].sort(), Object.keys(SCREENS).sort());
      assert.ok(pages > 500, `${pages} pages`);
      // A PIN is what was typed on a page that asks for one.
      for (const asked of askedWithPin) assert.ok(SCREENS[asked.split(':')[0] ?? '']?.secret, asked);
      for (const state of states) assert.ok(!JSON.stringify(state).includes(PIN), JSON.stringify(state));
      lengths.set(language, longest);
    });
  }

  test('has the length that the decision record states', async () => {
    const page = await readFile(DOCUMENT, 'utf8');
    const table = lengthTable();
    if (process.env.WRITE_LENGTHS) await writeFile(DOCUMENT, page.replace(TABLE, table));
    else assert.equal(TABLE.exec(page)?.[0], table, 'run it with WRITE_LENGTHS=1');
  });

  test('fits whatever people type and are called', () => {
    const name = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 120 });
    const choice = fc.oneof(fc.constantFrom(...TYPED), fc.string({ unit: 'grapheme', maxLength: 30 }));
    const reply = fc.oneof({ weight: 5, arbitrary: fc.constant(null) }, fc.constantFrom(...REFUSALS));
    const walkOf = fc.record({
      person: fc.constantFrom(...PEOPLE),
      language: fc.constantFrom(...LANGUAGES),
      steps: fc.array(fc.record({ choice, reply, name, amount: fc.integer({ min: 1, max: MOST }) }), { maxLength: 12 }),
    });
    fc.assert(
      fc.property(walkOf, ({ person, language, steps }) => {
        let outcome: Outcome = start(person, language, SETTINGS);
        for (const { choice: typed, reply: refused, name: called, amount } of steps) {
          if ('page' in outcome && outcome.page.ends) return;
          outcome = answer(outcome.state, typed, SETTINGS);
          for (let rounds = 0; 'effect' in outcome; rounds += 1) {
            assert.ok(rounds < 4, 'the engine asks again and again');
            const good = renamed(longestAnswer(outcome.effect), called, amount);
            outcome = resume(outcome.state, refused ?? good, SETTINGS);
          }
          const length = gsmLength(outcome.page.text);
          assert.ok(length !== null && length <= LIMIT, outcome.page.text);
        }
      }),
      { numRuns: 3_000 },
    );
  });
});

/** The same answer about somebody else and another amount. */
function renamed(reply: Answer, name: string, amount: number): Answer {
  return JSON.parse(JSON.stringify(reply), (_key, value) =>
    value === LONG_NAME ? name : value === MOST ? amount : value,
  );
}

describe('the PIN', () => {
  test('is asked for last, after the name and the fee', () => {
    const confirming = ['send.pin', 'pay.merchantPin', 'pay.requestPin', 'withdraw.pin', 'cashIn.pin'];
    for (const language of LANGUAGES) {
      for (const screen of confirming) {
        const values = {
          to: PHONE,
          quote: { ...QUOTE, name: 'Aminata K.', amount: 125_000, fee: 1_250 },
          amount: 125_000,
        };
        const state: State = { ...{ screen, language, person: PEOPLE[1] as Person, values }, offset: 0, shown: 0 };
        assert.ok(awaitsPin(state));
        const shown = answer(state, 'x', SETTINGS);
        assert.ok('page' in shown);
        assert.match(shown.page.text, /SLE 1,250\.00/);
        assert.match(shown.page.text, /SLE 12\.50/);
        if (screen !== 'withdraw.pin') assert.match(shown.page.text, /Aminata K\./);
      }
    }
  });

  test('is not taken where none is asked for', () => {
    const state = start(PEOPLE[0] as Person, 'en', SETTINGS).state;
    const outcome = answer(state, PIN, SETTINGS);
    assert.ok('page' in outcome && outcome.page.text.startsWith('That is not on the list.'));
  });
});
