// What the phone received: SMS and chat messages, newest first.
import type { LabPhoneMessage } from '@kissi/client';
import { Trans } from '@lingui/react/macro';
import { Badge } from '@mantine/core';
import { Empty } from '../../components/states.tsx';
import { Instant } from '../../components/values.tsx';
import classes from './lab.module.css';

export function Inbox({ messages }: { messages: readonly LabPhoneMessage[] }) {
  if (messages.length === 0) {
    return (
      <Empty title={<Trans>No messages yet</Trans>}>
        <Trans>Notices of payments and codes arrive here a moment after the payment.</Trans>
      </Empty>
    );
  }
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrolls by the keyboard.
    <ol className={classes.messages} tabIndex={0}>
      {messages.map(({ id, channel, text, created_at }) => (
        <li key={id}>
          <div className={classes.head}>
            <Badge size="sm" variant="light">
              {channel === 'sms' ? 'SMS' : <Trans>Chat</Trans>}
            </Badge>
            <Instant at={created_at} />
          </div>
          <p className={classes.text}>{text}</p>
        </li>
      ))}
    </ol>
  );
}
