// Records refused attempts of staff in the audit log, repetitions within a minute as one entry.
import type { RepeatableEvent, RepeatedEvents } from '../audit/repeated-events.ts';
import { storableText } from '../http/body.ts';
import type { RefusedAttempt } from '../http/route-steps.ts';

export function recordRefusedAttempt(repeated: RepeatedEvents): (attempt: RefusedAttempt) => Promise<void> {
  return (attempt) => repeated.record(eventOf(attempt));
}

/** Attempts at different records are counted separately where the refusal names the record. */
function eventOf({ call, action, target, refusal, resource }: RefusedAttempt): RepeatableEvent {
  // The record that the path names.
  const pathId = Object.values((call.params ?? {}) as Record<string, string>).map(storableText)[0];
  const { caller, ip, requestId } = call;
  const { code, status } = refusal;
  return {
    key: JSON.stringify([caller.id, action, code, ...(resource ? [resource.id] : [])]),
    actor: { caller, ip, requestId },
    action: `${action}.refused`,
    resourceType: resource?.type ?? action.split('.', 1)[0] ?? action,
    resourceId: resource?.id ?? pathId,
    details: { code, status },
    sample: { name: 'path', listName: 'paths', value: target.split('?', 1)[0] ?? target },
  };
}
