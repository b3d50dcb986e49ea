// A picture of a transaction: who paid whom, and which fees and commissions went to and from the operator.
import type { TransactionDetails, TransactionParty } from '@kissi/client';
import { Trans, useLingui } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import { contactOf } from '../../components/named-party.tsx';
import { Party, useKindName } from '../../components/party.tsx';
import { Money } from '../../components/values.tsx';
import { amount as written } from '../../format/money.ts';
import classes from './money-flow.module.css';

export function MoneyFlow({ transaction }: { transaction: TransactionDetails }) {
  const { t } = useLingui();
  const { payer, payee, amount, fees } = transaction;
  const operator = fees.reduce((total, { charged, earned }) => total + charged - earned, 0);
  const hasOperator = fees.some(({ charged, earned }) => charged > 0 || earned > 0);
  return (
    <div className={classes.flow} data-operator={hasOperator}>
      <Box area="payer" title={t`Paid by`} party={payer} transaction={transaction} />
      <div className={classes.main}>
        <Arrow direction="forward" isMain>
          SLE {written(amount)}
        </Arrow>
      </div>
      <Box area="payee" title={t`Received by`} party={payee} transaction={transaction} />
      {hasOperator && (
        <>
          <Branch side="payer" fees={fees} />
          <div className={classes.box} data-area="operator">
            <span className={classes.role}>{t`Fees`}</span>
            <span className={classes.name}>{t`Operator`}</span>
            <Money value={operator} signed />
          </div>
          <Branch side="payee" fees={fees} />
        </>
      )}
    </div>
  );
}

interface BoxProps {
  area: 'payer' | 'payee';
  title: string;
  party: TransactionParty;
  transaction: TransactionDetails;
}

function Box({ area, title, party, transaction }: BoxProps) {
  const { t } = useLingui();
  const kindName = useKindName();
  const posting = transaction.postings.find(({ account_id }) => account_id === party.id);
  const name = party.name ?? (party.id ? null : t`Not shown`);
  return (
    <div className={classes.box} data-area={area}>
      <span className={classes.role}>
        {title} · {party.id ? kindName(party.id) : ''}
      </span>
      <span className={classes.name}>
        <Party id={party.id} name={name} />
      </span>
      {contactOf(party)
        .filter(Boolean)
        .map((line) => (
          <span key={line} className={classes.contact}>
            {line}
          </span>
        ))}
      {posting && <Money value={posting.amount} signed />}
      {posting && posting.balance_after !== null && (
        <span className={classes.balance}>{t`Balance after: ${written(posting.balance_after)}`}</span>
      )}
    </div>
  );
}

/** What one side paid to the operator, and got from it. */
function Branch({ side, fees }: { side: 'payer' | 'payee'; fees: TransactionDetails['fees'] }) {
  const own = fees.find(({ party }) => party === side);
  const [charged, earned] = [own?.charged ?? 0, own?.earned ?? 0];
  const towards = side === 'payer' ? 'forward' : 'back';
  const away = side === 'payer' ? 'back' : 'forward';
  return (
    <div className={classes.branch} data-area={`${side}-branch`}>
      {charged > 0 && (
        <Arrow direction={towards} isDown>
          {side === 'payer' ? (
            <Trans>Payer's fee {written(charged)}</Trans>
          ) : (
            <Trans>Recipient's fee {written(charged)}</Trans>
          )}
        </Arrow>
      )}
      {earned > 0 && (
        <Arrow direction={away}>
          {side === 'payer' ? (
            <Trans>Payer's commission {written(earned)}</Trans>
          ) : (
            <Trans>Recipient's commission {written(earned)}</Trans>
          )}
        </Arrow>
      )}
    </div>
  );
}

interface ArrowProps {
  direction: 'forward' | 'back';
  isMain?: boolean;
  /** On a phone, where the operator is below: towards the operator. */
  isDown?: boolean;
  children: ReactNode;
}

function Arrow({ direction, isMain = false, isDown = isMain, children }: ArrowProps) {
  return (
    <div className={classes.arrow} data-direction={direction} data-down={isDown} data-main={isMain}>
      <span className={classes.label}>{children}</span>
      <span className={classes.line} aria-hidden="true" />
    </div>
  );
}
