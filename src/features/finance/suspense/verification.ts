// Verifies the suspense account: its balance is the sum of its open items, and each item was resolved at most once.
import { sqlType } from '../../../ledger/movement-types.ts';
import { SUSPENSE } from '../../../ledger/system-accounts.ts';
import { type Check, rowsOf } from '../../../ledger/verification/findings.ts';
import { itemTotal } from './resolution.ts';
import { IS_ITEM, RESOLVING_TYPES } from './store.ts';

const RULES = {
  suspense_differs: 'the balance of the suspense account is not the sum of its open items',
  suspense_item_resolved_twice: 'an item of the suspense account was resolved more than once',
  suspense_resolution_differs:
    'a resolution does not match its item of the suspense account: its amount, wallet or running total',
} as const;

const RESOLVING = RESOLVING_TYPES.map(sqlType).join(', ');

const BALANCE = `select a.balance, coalesce((select -sum(m.amount) from movements m where ${IS_ITEM} and m.id not in (
    select r.related_id from movements r where r.type in (${RESOLVING}) and r.related_id is not null)), 0)
  from accounts a where a.id = '${SUSPENSE}'`;

const TWICE = `select related_id, count(*) from movements where type in (${RESOLVING}) group by related_id having count(*) > 1`;

const DIFFERING = `select r.id, coalesce(r.related_id, 'none') from movements r
  left join (select * from movements m where ${IS_ITEM}) item on item.id = r.related_id
  where r.type in (${RESOLVING}) and (item.id is null or item.amount <> r.amount or r.to_account <> '${SUSPENSE}'
    or (r.type = ${sqlType('suspense_refund')} and r.from_account <> item.to_account)
    or r.details -> 'allowances' ->> 0 <> '${itemTotal('')}' || r.related_id)`;

export const SUSPENSE_ITEMS: Check = {
  rules: RULES,
  needsHistory: true,
  async run(connection, findings) {
    for await (const [balance, open] of rowsOf(connection, 'suspense_balance', BALANCE)) {
      if (BigInt(balance as string) === BigInt(open as string)) continue;
      findings.fault('suspense_differs', SUSPENSE, `${balance}, by its open items ${open}`);
    }
    for await (const [item, count] of rowsOf(connection, 'suspense_twice', TWICE)) {
      findings.fault('suspense_item_resolved_twice', item as string, `${count} resolutions`);
    }
    for await (const [id, item] of rowsOf(connection, 'suspense_resolutions', DIFFERING)) {
      findings.fault('suspense_resolution_differs', id as string, `its item is ${item}`);
    }
  },
};
