// Problems: report one, ask for a transfer back, and answer somebody who asks for one.
import { shownMoney } from '../../../http/pages/language.ts';
import type { Item, Screen, View } from '../engine/screen.ts';
import type { Answer, ShownCase } from '../engine/state.ts';
import type { TextKey } from '../menus/index.ts';
import { balanceText, known, shownName } from './parts.ts';

/** What needs an answer of the customer; other cases end with their state. */
function caseItem({ say }: View, shown: ShownCase): Item {
  const { number, waitsFor, name, amount, state } = shown;
  if (waitsFor === 'answer') {
    const label = `${shownName(name)} ${shownMoney(amount)}`;
    return { label, step: { go: 'problem.answer', set: { case: shown } } };
  }
  if (waitsFor === 'confirmation') return { label: number, step: { go: 'problem.confirm', set: { case: shown } } };
  return { label: number, step: { end: say(`case.${state}`, { case: number }) } };
}

function opened({ say }: View, answer: Answer) {
  if (answer.kind !== 'recall') return null;
  const { number, state } = answer;
  const key: TextKey = state === 'asked' ? 'recall.asked' : 'recall.staff';
  return { end: say(key, { case: number }) };
}

const REPORTS = [
  ['problem.failed', 'failed_payment'],
  ['problem.fraud', 'fraud'],
  ['problem.agent', 'agent'],
  ['problem.other', 'other'],
] as const;

export const problemScreens: Record<string, Screen> = {
  problem: {
    text: ({ say }) => say('main.problem'),
    items: ({ say, settings }) => [
      { label: say('problem.wrong'), step: { go: 'problem.unlock' } },
      { label: say('problem.cases'), step: { ask: { kind: 'cases' } } },
      ...REPORTS.map(([key, problem]) => ({ label: say(key), step: { ask: { kind: 'report' as const, problem } } })),
      ...(settings.support === ''
        ? []
        : [{ label: say('problem.support'), step: { end: say('problem.call', { support: settings.support }) } }]),
    ],
    answered({ say }, answer) {
      if (answer.kind === 'report') return { end: say('problem.reported', { case: answer.number }) };
      if (answer.kind !== 'cases') return null;
      const { cases } = answer;
      return cases.length === 0 ? { end: say('case.none') } : { go: 'problem.cases', set: { cases } };
    },
  },
  'problem.unlock': {
    secret: true,
    text: ({ say }) => `${say('recall.find')}\n${say('pin.cancel')}`,
    entry: (_view, pin) => ({ ask: { kind: 'transfers', pin } }),
    answered({ say }, answer) {
      if (answer.kind !== 'transfers') return null;
      const { transfers } = answer;
      return transfers.length === 0 ? { end: say('recall.none') } : { go: 'problem.transfers', set: { transfers } };
    },
  },
  'problem.transfers': {
    text: ({ say }) => say('recall.which'),
    items: ({ values }) =>
      known(values.transfers).map((transfer) => ({
        label: `${transfer.at} ${shownMoney(transfer.amount)} ${shownName(transfer.name)}`,
        step: { go: 'problem.recall', set: { transfer } },
      })),
    back: 'problem',
  },
  'problem.recall': {
    secret: true,
    text({ say, values }) {
      const { name, amount } = known(values.transfer);
      return `${say('recall.ask', { name: shownName(name), amount: shownMoney(amount) })}\n${say('pin.cancel')}`;
    },
    entry: ({ values }, pin) => ({ ask: { kind: 'recall', transferId: known(values.transfer).id, pin } }),
    answered: opened,
  },
  'problem.cases': {
    text: ({ say }) => say('problem.cases'),
    items: (view) => known(view.values.cases).map((shown) => caseItem(view, shown)),
    back: 'problem',
  },
  'problem.confirm': {
    secret: true,
    text({ say, values }) {
      const { name, amount } = known(values.case);
      return `${say('recall.ask', { name: shownName(name), amount: shownMoney(amount) })}\n${say('pin.cancel')}`;
    },
    entry: ({ values }, pin) => ({ ask: { kind: 'confirmRecall', caseId: known(values.case).id, pin } }),
    answered: (view, answer) => (answer.kind === 'confirmRecall' ? opened(view, { ...answer, kind: 'recall' }) : null),
  },
  'problem.answer': {
    text({ say, values }) {
      const { name, amount, answerBy } = known(values.case);
      return say('recall.question', { name: shownName(name), amount: shownMoney(amount), until: answerBy });
    },
    items: ({ say, values }) => [
      { label: say('recall.return'), step: { go: 'problem.accept' } },
      { label: say('recall.mine'), step: { ask: { kind: 'contest', caseId: known(values.case).id } } },
    ],
    back: 'problem.cases',
    answered: ({ say }, answer) => (answer.kind === 'contest' ? { end: say('recall.contested') } : null),
  },
  'problem.accept': {
    secret: true,
    text({ say, values }) {
      const { name, amount } = known(values.case);
      return `${say('recall.accept', { name: shownName(name), amount: shownMoney(amount) })}\n${say('pin.cancel')}`;
    },
    entry: ({ values }, pin) => ({ ask: { kind: 'accept', caseId: known(values.case).id, pin } }),
    answered(view, answer) {
      if (answer.kind !== 'accept') return null;
      const { amount, receipt } = answer;
      const { name } = known(view.values.case);
      const texts = { amount: shownMoney(amount), name: shownName(name), id: receipt.transactionId };
      return { end: view.say('recall.returned', { ...texts, balance: balanceText(view, receipt.balance) }) };
    },
  },
};
