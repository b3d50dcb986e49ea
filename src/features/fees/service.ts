// Fee settings: custom settings and built-in defaults. A change applies to the next payment on every gateway.
import type { Actor, ChangeContext } from '../../audit/log.ts';
import type { Queries } from '../../db/database.ts';
import type { TableReader } from '../../db/keyed-lookup.ts';
import { noContent, ok } from '../../http/endpoint.ts';
import { canonicalJson } from '../../kernel/canonical-json.ts';
import { percentageOf } from '../../kernel/percentage.ts';
import { Refusal, refuse } from '../../kernel/refusal.ts';
import { PARTIES, PRICED_TYPES, type PricedType } from '../../ledger/movement-types.ts';
import { readTiers } from '../../payments/commission.ts';
import { type FeeSetting, isDeposit, operatorRate, paysOutMore, WITHDRAWAL_TYPE } from '../../payments/fees.ts';
import type { ChangeOperation } from '../approvals/service.ts';
import {
  appliesTo,
  defaultSetting,
  feeOf,
  ownSetting,
  type Setting,
  toDecimal,
  toInteger,
  VALUE_RULES,
} from './record.ts';
import { type SettingInput, settingView } from './schemas.ts';
import {
  allSettings,
  deleteSetting,
  findAuthors,
  findSetting,
  lockSettings,
  pricesReader,
  upsertSetting,
} from './store.ts';

export type FeesDependencies = ChangeContext;

export interface Saved {
  setting: Setting;
  /** The name of the user or key that changed it last. */
  author: string | null;
  /** Warnings about the saved setting. */
  notes: string[];
}

export interface Fees {
  /** The current custom settings, which price payments. */
  settings: TableReader<readonly FeeSetting[]>;
  /** All effective settings, defaults included, in the order of the API documentation. */
  list(type?: string): Promise<Setting[]>;
  get(type: string, party: string): Promise<Setting | Refusal>;
  /** Who changed them, by name. */
  authorsOf(settings: readonly Setting[]): Promise<Map<string, string>>;
  put: ChangeOperation<unknown, SettingInput, Saved>;
  /** The default applies again. */
  remove: ChangeOperation<{ type: string; party: string }, unknown, Removed>;
  /**
   * Refuses a commission percentage under which percentages would pay out more than they charge. Fee settings do not change
   * until the transaction ends. `percent` is in ten-thousandths of a percent.
   */
  percentRefusal(trx: Queries, percent: number): Promise<Refusal | null>;
}

/** The built-in default that applies now, if there is one. */
interface Removed {
  fallback: Setting | null;
}

export function createFees(deps: FeesDependencies): Fees {
  const { database } = deps;

  async function list(type?: string): Promise<Setting[]> {
    const own = (await allSettings(database.queries)).map(ownSetting);
    const types = PRICED_TYPES.filter((candidate) => type === undefined || candidate === type);
    const pairs = types.flatMap((transactionType) => PARTIES.map((party) => ({ transactionType, party })));
    return pairs.flatMap(({ transactionType, party }) => {
      const setting = own.find(({ fee }) => appliesTo(fee, transactionType, party));
      return setting ?? defaultSetting(transactionType, party) ?? [];
    });
  }

  async function get(type: string, party: string): Promise<Setting | Refusal> {
    const row = await findSetting(database.queries, type, party);
    return row ? ownSetting(row) : (defaultSetting(type, party) ?? noSuchSetting());
  }

  async function current(type: string, party: string) {
    const setting = await get(type, party);
    return setting instanceof Refusal ? null : settingView(setting);
  }

  return {
    settings: pricesReader(database.reader),
    list,
    get,
    authorsOf: (settings) =>
      findAuthors(
        database.queries,
        settings.flatMap(({ updatedBy }) => updatedBy ?? []),
      ),
    percentRefusal,
    put: {
      kind: 'change',
      name: 'fees.put',
      action: 'fees.change',
      describe: ({ body }) => `Change the fee of ${body.transaction_type} for the ${body.party_type}.`,
      before: (_actor, { body }) => current(body.transaction_type, body.party_type),
      after: ({ setting }) => settingView(setting),
      plan(actor, { body: input }) {
        const value = toInteger(input.fee_type, input.fee_value);
        if (value === null) return refuse('INVALID_REQUEST', `fee_value ${VALUE_RULES[input.fee_type]}.`);
        return (trx) => put(deps, trx, actor, { input, value });
      },
      reply({ setting, author, notes }) {
        const message = ['The fee setting was saved.', ...notes].join(' ');
        return ok({ success: true, message, setting: { ...settingView(setting), updated_by_name: author } });
      },
    },
    remove: {
      kind: 'change',
      name: 'fees.delete',
      action: 'fees.change',
      describe: ({ params }) => `Delete the custom fee of ${params.type} for the ${params.party}.`,
      before: (_actor, { params }) => current(params.type, params.party),
      after: ({ fallback }) => fallback && settingView(fallback),
      plan:
        (actor, { params }) =>
        (trx) =>
          remove(deps, trx, actor, params),
      reply: noContent,
    },
  };
}

async function put(
  { audit, clock }: FeesDependencies,
  trx: Queries,
  actor: Actor,
  { input, value }: { input: SettingInput; value: number },
): Promise<Saved | Refusal> {
  await lockSettings(trx);
  const { transaction_type, party_type, fee_type, debit_enabled = true, credit_enabled = false } = input;
  const before = await findSetting(trx, transaction_type, party_type);
  const effective = before ? ownSetting(before) : defaultSetting(transaction_type, party_type);
  const terms = { transaction_type, party_type, fee_type, value, debit_enabled, credit_enabled };
  if (effective && input.is_default !== undefined && input.is_default !== (before === undefined)) {
    return refuse('INVALID_REQUEST', 'is_default is read-only: delete the setting to return to the default.');
  }
  // Values of the default create a custom setting, unless the client sends the default's own record back.
  if (effective && (before || input.is_default) && canonicalJson(effective.fee) === canonicalJson(feeOf(terms))) {
    return { setting: effective, author: await authorOf(trx, effective), notes: [] };
  }
  const change = { updated_at: new Date(clock.now()), updated_by: nameOf(actor) };
  const after = ownSetting(await upsertSetting(trx, { ...terms, ...change }, before?.id));
  const details = { from: effective && loggable(effective), to: loggable(after) };
  await audit.record(trx, actor, {
    action: 'fee_setting.update',
    ...auditResource(transaction_type, party_type),
    details,
  });
  const { highest } = await readTiers(trx);
  const notes = notesOn(after.fee, (await allSettings(trx)).map(feeOf), highest);
  return { setting: after, author: await authorOf(trx, after), notes };
}

async function authorOf(trx: Queries, { updatedBy }: Setting): Promise<string | null> {
  return updatedBy ? ((await findAuthors(trx, [updatedBy])).get(updatedBy) ?? null) : null;
}

async function remove(
  { audit }: FeesDependencies,
  trx: Queries,
  actor: Actor,
  { type, party }: { type: string; party: string },
): Promise<Removed | Refusal> {
  await lockSettings(trx);
  const before = await findSetting(trx, type, party);
  if (!before) return refuse('NOT_FOUND', 'There is no custom setting for this transaction type and party.');
  await deleteSetting(trx, before.id);
  const fallback = defaultSetting(type, party);
  const details = { from: loggable(ownSetting(before)), to: fallback && loggable(fallback) };
  await audit.record(trx, actor, { action: 'fee_setting.delete', ...auditResource(type, party), details });
  return { fallback };
}

function loggable({ id, fee: { feeType, value, debitEnabled, creditEnabled } }: Setting): Record<string, unknown> {
  return {
    fee_type: feeType,
    fee_value: toDecimal(feeType, value),
    debit_enabled: debitEnabled,
    credit_enabled: creditEnabled,
    is_default: id === null,
  };
}

function auditResource(type: string, party: string) {
  return { resourceType: 'fee_setting', resourceId: `${type}/${party}` };
}

function nameOf({ caller }: Actor): string {
  return caller.kind === 'user' ? caller.email : String(caller.id);
}

function noSuchSetting(): Refusal {
  return refuse('NOT_FOUND', 'There is no setting, custom or built-in, for this transaction type and party.');
}

async function percentRefusal(trx: Queries, percent: number): Promise<Refusal | null> {
  await lockSettings(trx);
  const settings = (await allSettings(trx)).map(feeOf);
  const { highest } = await readTiers(trx);
  if (percent <= highest) return null;
  const costly = PRICED_TYPES.find((type) => {
    const rate = operatorRate(settings, type, percent);
    return rate < 0 && rate < operatorRate(settings, type, highest);
  });
  return costly === undefined ? null : refuse('COMMISSION_EXCEEDS_FEES', exceedsFees(costly, percent));
}

function exceedsFees(type: PricedType, percent: number): string {
  return `With ${percentageOf(percent)} % of the commissions, the percentages of ${type} pay out more than they charge.`;
}

/** `settings`: all custom settings, including the saved one. `highestPercent`: what an agent gets of a commission, at most. */
function notesOn(saved: FeeSetting, settings: readonly FeeSetting[], highestPercent: number): string[] {
  const costly = PRICED_TYPES.filter((type) => isAffected(type, saved) && paysOutMore(settings, type, highestPercent));
  const flat = saved.creditEnabled && saved.feeType === 'flat';
  return [...costly.map(moreThanItCharges), ...(flat ? [FLAT_COMMISSION_NOTE] : [])];
}

/** Fees of withdrawals also count for deposits, because money that enters a wallet can be withdrawn again. */
function isAffected(type: PricedType, { transactionType }: FeeSetting): boolean {
  return type === transactionType || (transactionType === WITHDRAWAL_TYPE && isDeposit(type));
}

function moreThanItCharges(type: PricedType): string {
  return `Warning: the percentages of ${type} pay out more than they charge; a user on both sides of a payment earns from it.`;
}

const FLAT_COMMISSION_NOTE = 'A flat commission is limited to the fees of the same payment.';
