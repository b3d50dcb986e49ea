// Opens a case for a customer who calls; about one payment it may be a recall.
import type { Case } from '@kissi/client';
import { useLingui } from '@lingui/react/macro';
import { NativeSelect, Textarea } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { Action } from '../../components/action.tsx';
import { MAX_TEXT } from './actions.tsx';
import { CHANGES, useKindNames } from './words.ts';

interface OpenCaseProps {
  customerId: string;
  transactionId?: string;
  onClose: () => void;
}

/** The case is opened and shown. */
export function OpenCase({ customerId, transactionId, onClose }: OpenCaseProps) {
  const { t } = useLingui();
  const kinds = useKindNames();
  const [kind, setKind] = useState<Case['kind']>(transactionId ? 'failed_payment' : 'other');
  const offered = (Object.keys(kinds) as Case['kind'][]).filter((each) => each !== 'wrong_transfer');
  return (
    <CaseForm
      {...{ customerId, kind, onClose, ...(transactionId ? { transactionId } : {}) }}
      title={t`Open a case`}
      submitLabel={t`Open the case`}
    >
      <NativeSelect
        label={t`What it is about`}
        value={kind}
        onChange={({ currentTarget }) => setKind(currentTarget.value as Case['kind'])}
        data={offered.map((value) => ({ value, label: kinds[value] }))}
      />
    </CaseForm>
  );
}

/** Support begins a recall with what the customer says; the customer confirms it with the PIN. */
export function OpenRecall({ customerId, transactionId, onClose }: Required<OpenCaseProps>) {
  const { t } = useLingui();
  return (
    <CaseForm
      {...{ customerId, transactionId, onClose }}
      kind="wrong_transfer"
      title={t`Recall the transfer`}
      description={t`Nothing is held before the customer confirms with the PIN: in the wallet under Problems, or by USSD. Tell the caller to do that now. Never ask for the PIN yourself.`}
      submitLabel={t`Open the recall`}
      initial={t`The customer says that the money went to the wrong person.`}
    />
  );
}

interface CaseFormProps extends OpenCaseProps {
  kind: Case['kind'];
  title: string;
  description?: string;
  submitLabel: string;
  initial?: string;
  children?: React.ReactNode;
}

function CaseForm({ customerId, transactionId, kind, initial = '', children, ...action }: CaseFormProps) {
  const { t } = useLingui();
  const navigate = useNavigate();
  const [text, setText] = useState(initial);
  const body = {
    ...{ kind, subscriber_id: customerId, description: text.trim() },
    ...(transactionId ? { transaction_id: transactionId } : {}),
  };
  return (
    <Action
      {...action}
      changes={CHANGES}
      isReady={text.trim() !== ''}
      doneMessage={t`The case was opened.`}
      call={(client) => client.cases.open(body)}
      onDone={(reply) => void navigate({ to: `/cases/${reply.case.id}` as never })}
    >
      {children}
      <Textarea
        label={t`What happened, in the words of the customer`}
        required
        autosize
        minRows={3}
        maxRows={10}
        maxLength={MAX_TEXT}
        data-autofocus
        value={text}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
      />
    </Action>
  );
}
