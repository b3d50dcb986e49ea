// A chat message that begins with REPORT opens a case. Nothing in a chat takes a PIN, so money is asked back elsewhere.
import type { CustomerActor } from '../../audit/log.ts';
import { customerCaller } from '../../auth/caller.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { withoutPins } from './possible-pin.ts';

/** Opens a case, or says why not. */
export type OpenFromChat = (actor: CustomerActor, report: ChatReport) => Promise<{ number: string } | Refusal>;

interface ChatReport {
  kind: 'other';
  subscriberId: string;
  description: string;
  messageId: string;
}

interface Report {
  subscriberId: string;
  message: string;
  /** Of the message: delivered twice, it opens one case. */
  messageId: string;
}

const COMMAND = /^\s*(?:report|ripot)\b[\s:,.-]*/i;
const MOST_LENGTH = 1_000;

/** Null: the message is no report. */
export function createReports(open: OpenFromChat): (report: Report) => Promise<string | null> {
  return async ({ subscriberId, message, messageId }) => {
    if (!COMMAND.test(message)) return null;
    const description = withoutPins(message.replace(COMMAND, '').toWellFormed().trim()).slice(0, MOST_LENGTH);
    if (description === '') return HOW_TO;
    const actor: CustomerActor = { caller: customerCaller(subscriberId, null), ip: '', requestId: messageId };
    const opened = await open(actor, { kind: 'other', subscriberId, description, messageId });
    if (opened instanceof Refusal) return TOO_OFTEN;
    return `We have your report ${opened.number} and will get back to you. If you sent money to the wrong person, ask for it back in the app or with our USSD code, with your PIN. Never send your PIN here.`;
  };
}

const HOW_TO = 'Write REPORT and what happened, in one message. Never send your PIN here.';

const TOO_OFTEN = 'You have sent many reports today. We are working on them. If it is urgent, please call us.';
