// What proposed fee settings would have earned in the last 30 days: prices the payments again and changes nothing.
import type { Static } from 'typebox';
import type { Actor } from '../../../audit/log.ts';
import { isStaff } from '../../../auth/caller.ts';
import type { Database, Queries } from '../../../db/database.ts';
import { type Clock, DAY_MS, iso } from '../../../kernel/clock.ts';
import { Refusal, refuse } from '../../../kernel/refusal.ts';
import type { AccountKind } from '../../../ledger/account-kinds.ts';
import { PRICED_TYPES, type PricedType } from '../../../ledger/movement-types.ts';
import type { HistoryReplay, Replayed } from '../../../ledger/queries/history-replay.ts';
import { createPartyViews, type NameDependencies } from '../../../parties/names.ts';
import type { PepGuard } from '../../../parties/pep-access.ts';
import { type CommissionTerms, readTiers } from '../../../payments/commission.ts';
import type { FeeSetting } from '../../../payments/fees.ts';
import { feeOf, toInteger, VALUE_RULES } from '../record.ts';
import { allSettings } from '../store.ts';
import { type ComparedIncome, FeeComparison, type Income, newIncome, type Payer } from './comparison.ts';
import type { FeeWhatIfInput, feeWhatIfReply } from './schemas.ts';

export interface FeeWhatIfDependencies extends NameDependencies {
  database: Database;
  clock: Clock;
  pep: PepGuard;
  replay: HistoryReplay;
}

type Reply = Static<typeof feeWhatIfReply>;

const PERIOD_MS = 30 * DAY_MS;
const MAX_PAYERS = 20;

export interface FeeWhatIf {
  whatIf(actor: Actor, input: FeeWhatIfInput): Promise<Reply | Refusal>;
}

export function createFeeWhatIf(deps: FeeWhatIfDependencies): FeeWhatIf {
  const { database, clock, pep, replay } = deps;
  const partyView = createPartyViews(deps);

  async function payersView(actor: Actor, payers: readonly Payer[]): Promise<Reply['paying_more']> {
    const hidden = await pep.hidden(
      actor,
      payers.map(({ id }) => id),
    );
    const full = isStaff(actor.caller);
    return Promise.all(
      payers
        .filter(({ id }) => !hidden.has(id))
        .map(async ({ id, kind, current, proposed }) => {
          const { name } = await partyView(id, null, full);
          return { id, kind, name, current_fees: current, proposed_fees: proposed, difference: proposed - current };
        }),
    );
  }

  return {
    async whatIf(actor, { settings }) {
      const changes = settings.map(readSetting);
      const invalid = changes.find((change) => change instanceof Refusal) ?? duplicateRefusal(settings);
      if (invalid instanceof Refusal) return invalid;
      const current = (await allSettings(database.queries)).map(feeOf);
      const proposed = merged(current, changes as FeeSetting[]);
      const [tiers, termsOf] = [await readTiers(database.queries), await agentTerms(database.queries)];
      const to = clock.now();
      const replayed = await replay.run({
        ...{ types: PRICED_TYPES, from: to - PERIOD_MS, to, warmUpMs: 0 },
        begin: () => new FeeComparison({ current, proposed, tiers, termsOf }),
        visit: (comparison, movement) => comparison.add(movement, Math.floor(movement.at / DAY_MS)),
      });
      if (replayed instanceof Refusal) return replayed;
      const comparison = replayed.state;
      const payingMore = await payersView(actor, comparison.payingMore(MAX_PAYERS));
      return { ...view(comparison, replayed), payers: comparison.payerCounts(), paying_more: payingMore };
    },
  };
}

function readSetting(input: FeeWhatIfInput['settings'][number]): FeeSetting | Refusal {
  const { transaction_type, party_type, fee_type, fee_value, debit_enabled = true, credit_enabled = false } = input;
  const value = toInteger(fee_type, fee_value);
  if (value === null) return refuse('INVALID_REQUEST', `fee_value ${VALUE_RULES[fee_type]}.`);
  return feeOf({ transaction_type, party_type, fee_type, value, debit_enabled, credit_enabled });
}

function duplicateRefusal(settings: FeeWhatIfInput['settings']): Refusal | null {
  const names = new Set(settings.map(({ transaction_type, party_type }) => `${transaction_type}/${party_type}`));
  if (names.size === settings.length) return null;
  return refuse('INVALID_REQUEST', 'settings must contain each transaction type and party at most once.');
}

function merged(current: readonly FeeSetting[], changes: readonly FeeSetting[]): FeeSetting[] {
  const isChanged = ({ transactionType, party }: FeeSetting) =>
    changes.some((change) => change.transactionType === transactionType && change.party === party);
  return [...changes, ...current.filter((setting) => !isChanged(setting))];
}

const STANDARD: CommissionTerms = { tier: 'standard', percent: null, account: null };

/** Reads the agents of tiers other than standard at once: there are few, and the replay asks for each payment. */
async function agentTerms(queries: Queries) {
  const agents = queries.selectFrom('agents').select(['id', 'commission_tier', 'commission_percent']);
  const rows = await agents.where('commission_tier', '<>', 'standard').execute();
  const terms = new Map(
    rows.map((row) => {
      const of = {
        tier: row.commission_tier as CommissionTerms['tier'],
        percent: row.commission_percent,
        account: null,
      };
      return [row.id, of] as const;
    }),
  );
  return (id: string, kind: AccountKind) => (kind === 'agent_float' ? (terms.get(id) ?? STANDARD) : undefined);
}

function view(comparison: FeeComparison, { from, to, truncated }: Replayed) {
  const { total, charged, byType, byDay } = comparison;
  const [first, last] = [Math.floor(from / DAY_MS), Math.floor(to / DAY_MS)];
  const sums = comparedView(total);
  return {
    period: { from: iso(from), to: iso(to) },
    truncated,
    ...sums,
    difference: sums.proposed.income - sums.current.income,
    charged,
    by_type: PRICED_TYPES.map((type) => ({
      transaction_type: type as PricedType,
      ...comparedView(byType.get(type) ?? newIncome()),
    })),
    days: Array.from({ length: last - first + 1 }, (_, index) => ({
      date: iso((first + index) * DAY_MS).slice(0, 'YYYY-MM-DD'.length),
      ...comparedView(byDay.get(first + index) ?? newIncome()),
    })),
  };
}

function comparedView({ payments, current, proposed }: ComparedIncome) {
  return { payments, current: incomeView(current), proposed: incomeView(proposed) };
}

function incomeView({ fees, commission }: Income) {
  return { fees, commission, income: fees - commission };
}
