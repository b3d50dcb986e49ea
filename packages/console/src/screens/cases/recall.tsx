// The recall of a wrong transfer: where it stands, and what compliance may decide about it.
import type { CaseDetails, Recall } from '@kissi/client';
import { useLingui } from '@lingui/react/macro';
import { Group, Stack, Text } from '@mantine/core';
import { useCan } from '../../api/user.ts';
import { Choices, type Offered } from '../../components/choices.tsx';
import { Facts } from '../../components/facts.tsx';
import { Panel } from '../../components/page.tsx';
import { Instant, Money, Status } from '../../components/values.tsx';
import { money } from '../../format/money.ts';
import { instant } from '../../format/time.ts';
import { LegalOrderDialog } from './legal-order.tsx';
import { CHANGES, isClosed, useRecallStates } from './words.ts';

const TONES: Partial<Record<Recall['state'], string>> = {
  staff_decides: 'yellow',
  asked: 'blue',
  returned: 'kissi',
  contested: 'red',
};

export function RecallPanel({ details }: { details: CaseDetails }) {
  const { t } = useLingui();
  const states = useRecallStates();
  const sentence = useSentence();
  const { recall, kind } = details;
  if (!recall) {
    if (kind !== 'wrong_transfer' || isClosed(details)) return null;
    return (
      <Panel title={t`Recall`}>
        <Text size="sm">
          {t`Nothing is held yet. The customer confirms the recall with the PIN: in the wallet under Problems, or by USSD.`}
        </Text>
      </Panel>
    );
  }
  const { state, amount, held, returned, confirmed_at, asked_at, expires_at, contested_at, extended_until, reason } =
    recall;
  return (
    <Panel title={t`Recall`} aside={<Status value={state} text={states[state]} tone={TONES[state] ?? 'gray'} />}>
      <Stack gap="md">
        <Text size="sm">{sentence(recall)}</Text>
        {reason && <Text size="sm">{t`Outside the rules: ${reason}`}</Text>}
        <Facts
          facts={[
            [t`Transferred (SLE)`, <Money key="amount" value={amount} />],
            held === null ? null : [t`Held (SLE)`, <Money key="held" value={held} />],
            returned > 0 ? [t`Returned (SLE)`, <Money key="returned" value={returned} />] : null,
            [t`Confirmed by the customer`, <Instant key="confirmed" at={confirmed_at} />],
            asked_at ? [t`Recipient asked`, <Instant key="asked" at={asked_at} />] : null,
            state === 'asked' && expires_at ? [t`Answer until`, <Instant key="until" at={expires_at} />] : null,
            contested_at ? [t`Contested`, <Instant key="contested" at={contested_at} />] : null,
            extended_until ? [t`Extended until`, <Instant key="extended" at={extended_until} />] : null,
          ]}
        />
        <Group gap="xs">
          <Decisions details={details} recall={recall} />
        </Group>
      </Stack>
    </Panel>
  );
}

function useSentence(): (recall: Recall) => string {
  const { t } = useLingui();
  return ({ state, held, expires_at, contested_at, returned }) => {
    const [amount, back] = [money(held ?? 0), money(returned)];
    const until = expires_at === null ? '' : instant(expires_at);
    switch (state) {
      case 'staff_decides':
        return t`Nothing is held. Compliance decides whether the recipient is asked.`;
      case 'placing':
        return t`What is left is being held.`;
      case 'asked':
        return contested_at
          ? t`The recipient contests it. ${amount} stays held until ${until}, as two users decided.`
          : t`${amount} is held in the recipient's wallet until ${until}. The recipient is asked.`;
      case 'nothing_left':
        return t`Nothing was left in the recipient's wallet.`;
      case 'returned':
        return t`The recipient returned ${back}.`;
      case 'contested':
        return t`The recipient contests it, and the hold has ended. Without consent only a legal order returns money.`;
      case 'expired':
        return t`The recipient did not answer, and the hold has ended.`;
    }
  };
}

function Decisions({ details, recall }: { details: CaseDetails; recall: Recall }) {
  const { t } = useLingui();
  const can = useCan();
  const { id } = details;
  const { state, extended_until, contested_at } = recall;
  if (!can('cases:decide')) return null;
  const choices: Offered[] = [
    state === 'staff_decides' &&
      !isClosed(details) && {
        label: t`Ask the recipient`,
        icon: 'exchange',
        look: 'primary',
        action: {
          title: t`Ask the recipient`,
          description: t`What is left of the transfer is held, up to its amount, and the recipient is asked to return it. The recipient can contest, which ends the hold.`,
          submitLabel: t`Hold and ask`,
          doneMessage: t`The recipient is asked.`,
          call: (client, reason) => client.cases.recall(id, { reason }),
          changes: CHANGES,
        },
      },
    state === 'asked' &&
      !extended_until &&
      !contested_at && {
        label: t`Extend the hold`,
        icon: 'clock',
        action: {
          title: t`Extend the hold for suspected fraud`,
          description: t`A second user must approve. Then the hold stays even if the recipient contests it.`,
          submitLabel: t`Request approval`,
          call: (client, reason) => client.cases.extendHold(id, { reason }),
          changes: CHANGES,
        },
      },
    state !== 'returned' && {
      label: t`Legal order`,
      icon: 'scale',
      dialog: (onClose) => <LegalOrderDialog id={id} most={recall.amount} onClose={onClose} />,
    },
  ];
  return <Choices buttons={choices} />;
}
