// Which types of payments the customer may make and receive. Single types can be blocked.
import type { EnableTransactionTypesRequest, SubscriberView } from '@kissi/client';
import { Trans, useLingui } from '@lingui/react/macro';
import { Button, Text } from '@mantine/core';
import { useState } from 'react';
import { useCan } from '../../api/user.ts';
import { Action } from '../../components/action.tsx';
import { Panel } from '../../components/page.tsx';
import { ReasonAction } from '../../components/reason-action.tsx';
import { useTypeName } from '../../components/type-name.ts';
import { Status } from '../../components/values.tsx';
import classes from './customer.module.css';

type Type = EnableTransactionTypesRequest['transaction_types'][number];

const TYPES: readonly Type[] = [
  'transfer_p2p',
  'pos_payment',
  'agent_cashin',
  'wallet_withdraw',
  'inbound_credit',
  'partner_cashin',
  'vult_fund',
];

export function TransactionTypes({ customer }: { customer: SubscriberView }) {
  const { t } = useLingui();
  const can = useCan();
  const typeName = useTypeName();
  const [chosen, setChosen] = useState<Type | null>(null);
  const blocked = customer.disabled_transaction_types;
  if (!blocked) return null;
  const isBlocked = (type: Type) => blocked.includes(type);
  const mayChange = (type: Type) => can(isBlocked(type) ? 'subscribers:unblock' : 'subscribers:block');
  return (
    <Panel title={t`Types of payments`}>
      <ul className={classes.types}>
        {TYPES.map((type) => (
          <li key={type}>
            <Text size="sm">{typeName(type)}</Text>
            {isBlocked(type) && <Status value={t`Blocked`} tone="red" />}
            {mayChange(type) && (
              <Button
                variant="subtle"
                color="gray"
                size="compact-xs"
                onClick={() => setChosen(type)}
                aria-label={isBlocked(type) ? t`Allow ${typeName(type)}` : t`Block ${typeName(type)}`}
              >
                {isBlocked(type) ? <Trans>Allow</Trans> : <Trans>Block</Trans>}
              </Button>
            )}
          </li>
        ))}
      </ul>
      {chosen && (
        <Dialog id={customer.id} type={chosen} isBlocked={isBlocked(chosen)} onClose={() => setChosen(null)} />
      )}
    </Panel>
  );
}

interface DialogProps {
  id: string;
  type: Type;
  isBlocked: boolean;
  onClose: () => void;
}

function Dialog({ id, type, isBlocked, onClose }: DialogProps) {
  const { t } = useLingui();
  const name = useTypeName()(type);
  const shared = { onClose, changes: ['subscribers', 'audit'] };
  if (isBlocked) {
    return (
      <Action
        {...shared}
        title={t`Allow: ${name}`}
        description={t`Payments of this type are possible again.`}
        submitLabel={t`Allow`}
        doneMessage={t`Allowed: ${name}`}
        call={(client) => client.subscribers.enableTypes(id, { transaction_types: [type] })}
      />
    );
  }
  return (
    <ReasonAction
      {...shared}
      isDangerous
      title={t`Block: ${name}`}
      description={t`Payments of this type are refused. All others continue to work.`}
      submitLabel={t`Block`}
      doneMessage={t`Blocked: ${name}`}
      call={(client, reason) => client.subscribers.block(id, { reason, transaction_types: [type] })}
    />
  );
}
