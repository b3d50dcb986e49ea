// Corrects a difference between the selected sides with the operation that books it, under its policy. No money moves here.
import { Trans, useLingui } from '@lingui/react/macro';
import { Stack, Text } from '@mantine/core';
import { useRead } from '../../../api/queries.ts';
import { kissi } from '../../../api/session.ts';
import { Dialog } from '../../../components/dialog.tsx';
import { Waiting } from '../../../components/states.tsx';
import { money } from '../../../format/money.ts';
import { FloatPayment } from '../../agents/float-payment.tsx';
import { Settle } from '../../partners/settle.tsx';
import { partyOf } from './correctable.ts';
import type { Selection } from './selection.ts';

interface CorrectionProps {
  selection: Selection;
  onClose: () => void;
}

export function Correction({ selection, onClose }: CorrectionProps) {
  const party = partyOf(selection) ?? '';
  const { difference, expect } = selection;
  const Of = party.startsWith('agent_') ? OfAgent : OfPartner;
  return <Of id={party} difference={difference} onPaid={expect} onClose={onClose} />;
}

interface PartyProps {
  id: string;
  /** What the bank has more than the books. */
  difference: number;
  onPaid: (transactionId: string) => void;
  onClose: () => void;
}

function OfAgent({ id, difference, onPaid, onClose }: PartyProps) {
  const { data, error, refetch } = useRead(['agent', id], (options) => kissi.agents.get(id, options));
  if (!data) return <Preparing error={error} retry={refetch} difference={difference} onClose={onClose} />;
  const kind = difference > 0 ? 'fund' : 'return';
  const initial = Math.abs(difference);
  return <FloatPayment kind={kind} agent={data.agent} initial={initial} onPaid={onPaid} onClose={onClose} />;
}

function OfPartner({ id, difference, onPaid, onClose }: PartyProps) {
  const { data, error, refetch } = useRead(['partners', id], (options) => kissi.partners.get(id, options));
  if (!data) return <Preparing error={error} retry={refetch} difference={difference} onClose={onClose} />;
  return <Settle partner={data.partner} initial={difference} onPaid={onPaid} onClose={onClose} />;
}

interface PreparingProps extends Omit<PartyProps, 'id' | 'onPaid'> {
  error: unknown;
  retry: () => unknown;
}

function Preparing({ error, retry, difference, onClose }: PreparingProps) {
  const { t } = useLingui();
  const amount = money(Math.abs(difference));
  return (
    <Dialog onClose={onClose} title={t`Correct the difference`}>
      <Stack gap="md">
        <Text size="sm">
          <Trans>The difference is {amount}.</Trans>
        </Text>
        <Waiting error={error} retry={retry} rows={3} />
      </Stack>
    </Dialog>
  );
}
