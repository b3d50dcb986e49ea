// The steps of a certification run and their evaluation: a pure function of what was observed.
import { SECOND_MS } from '../../../kernel/clock.ts';
import { amountsOf, LATE_SECONDS, type MagicAmount, RETRY_AFTER_SECONDS } from '../effects.ts';
import type { Observation, RequestObserved } from './observations.ts';

/** not_run: the run was finished before the step was decided. */
export type DecidedState = 'passed' | 'failed' | 'not_run';
export type StepState = DecidedState | 'waiting';

export interface StepResult {
  state: StepState;
  /** What was observed, or what is missing. */
  reason: string;
}

interface Step {
  id: string;
  title: string;
  /** What the integrator does. */
  instruction: string;
  evaluate(observed: Observed): StepResult;
}

type Of<Kind extends Observation['kind']> = Extract<Observation, { kind: Kind }>;

/** Queries on what was observed so far. */
class Observed {
  private readonly all: readonly Observation[];
  readonly now: number;

  constructor(all: readonly Observation[], now: number) {
    this.all = all;
    this.now = now;
  }

  of<Kind extends Observation['kind']>(kind: Kind): Of<Kind>[] {
    return this.all.filter((each): each is Of<Kind> => each.kind === kind);
  }

  /** Made after `first`. */
  after(first: Observation): Observed {
    return new Observed(this.all.slice(this.all.indexOf(first) + 1), this.now);
  }

  /** The first request on which the effect acted. */
  effect(effect: MagicAmount['effect']): Of<'request'> | undefined {
    return this.of('request').find(({ outcome }) => outcome === effect);
  }

  requests({ amount }: RequestObserved): Of<'request'>[] {
    return this.of('request').filter((each) => each.amount === amount);
  }
}

const passed = (reason: string): StepResult => ({ state: 'passed', reason });
const failed = (reason: string): StepResult => ({ state: 'failed', reason });
const waiting = (reason: string): StepResult => ({ state: 'waiting', reason });

const NO_REQUEST = 'No credit with this amount was received yet.';

const credit = (effect: MagicAmount['effect']) => `Send a credit of ${amountsOf(effect)[0]} minor units`;

export const STEPS: readonly Step[] = [
  {
    id: 'retry_after_cut',
    title: 'After a lost reply, retries under the same reference',
    instruction: `${credit('cut')}. The connection is closed after the commit: retry, or read the status.`,
    evaluate: (observed) => resumed(observed, observed.effect('cut')),
  },
  {
    id: 'new_nonce',
    title: 'Signs every retry with a new nonce',
    instruction: 'Nothing more: the retries of this run are checked.',
    evaluate(observed) {
      if (observed.of('nonce_reused').length > 0) return failed('A request used a nonce a second time.');
      const first = observed.effect('cut');
      if (resumed(observed, first).state !== 'passed') return waiting('The retry after the lost reply is missing.');
      return passed('No nonce was used twice.');
    },
  },
  {
    id: 'late_reply',
    title: 'Waits for a late reply, or retries under the same reference',
    instruction: `${credit('late')}. The reply takes ${LATE_SECONDS} seconds.`,
    evaluate(observed) {
      const first = observed.effect('late');
      const result = resumed(observed, first);
      const waited = first !== undefined && observed.now > first.at + (LATE_SECONDS + 10) * SECOND_MS;
      return waited && result.state === 'waiting' ? passed('No other request was sent in the meantime.') : result;
    },
  },
  {
    id: 'retry_after',
    title: 'Obeys Retry-After',
    instruction: `${credit('unavailable')}. It is refused with 503: retry after ${RETRY_AFTER_SECONDS} seconds.`,
    evaluate: obeysRetryAfter,
  },
  {
    id: 'webhook_acknowledged',
    title: 'Acknowledges webhooks',
    instruction: 'Nothing more: the webhooks of the credits are observed.',
    evaluate(observed) {
      const sent = observed.of('webhook');
      if (sent.some(isAcknowledged)) return passed('A webhook was answered with 2xx.');
      const last = sent.at(-1);
      return waiting(last ? `The last webhook failed: ${last.error}` : 'No webhook was sent yet.');
    },
  },
  {
    id: 'webhook_signature',
    title: 'Refuses a webhook with a wrong signature',
    instruction: 'Nothing more: after the first acknowledged webhook, one with a wrong signature is sent.',
    evaluate(observed) {
      const [forged] = observed.of('forged_webhook');
      if (!forged) return waiting('The webhook with a wrong signature was not sent yet.');
      const { status, error } = forged;
      if (status === null) return failed(`It could not be delivered: ${error}`);
      if (status < 300) return failed(`It was accepted with ${status}: anybody could report payments to you.`);
      return status >= 400 && status < 500
        ? passed(`It was refused with ${status}.`)
        : failed(`It was answered ${status}.`);
    },
  },
  {
    id: 'webhook_duplicate',
    title: 'Tolerates a webhook that arrives twice',
    instruction: `${credit('duplicate')}. Its webhook is sent twice.`,
    evaluate(observed) {
      const [first, second] = webhooksOf(observed, 'duplicate', 'credit.completed');
      if (!first || !second) return waiting(first ? 'The webhook was sent once so far.' : NO_REQUEST);
      return isAcknowledged(second) ? passed('Both were acknowledged.') : failed(`The second failed: ${second.error}`);
    },
  },
  {
    id: 'webhook_retry',
    title: 'Accepts a webhook that is repeated later',
    instruction: `${credit('fails')}. Its webhook is repeated after 30 seconds.`,
    evaluate(observed) {
      const sent = webhooksOf(observed, 'fails', 'credit.completed');
      const repeated = sent.find(({ number }) => number > 1);
      if (!repeated) return waiting(sent.length > 0 ? 'The repeat is due after 30 seconds.' : NO_REQUEST);
      return isAcknowledged(repeated)
        ? passed('The repeat was acknowledged.')
        : failed(`The repeat failed: ${repeated.error}`);
    },
  },
  {
    id: 'webhook_out_of_order',
    title: 'Tolerates webhooks that arrive out of order',
    instruction: `${credit('out_of_order')}. It is reversed; the webhook of the reversal arrives first.`,
    evaluate(observed) {
      const [reversed] = webhooksOf(observed, 'out_of_order', 'credit.reversed');
      const [completed] = webhooksOf(observed, 'out_of_order', 'credit.completed');
      const broken = [reversed, completed].find((sent) => sent && !isAcknowledged(sent));
      if (broken) return failed(`${broken.event} failed: ${broken.error}`);
      if (!reversed) return waiting(NO_REQUEST);
      return completed ? passed('Both were acknowledged.') : waiting('credit.completed is due after 30 seconds.');
    },
  },
  {
    id: 'reversal_noticed',
    title: "Notices a reversal and reads the credit's status",
    instruction: `${credit('reversed')}. It is reversed after a minute: read its status then.`,
    evaluate(observed) {
      const first = observed.effect('reversed');
      if (!first) return waiting(NO_REQUEST);
      const reversal = observed.of('reversal').find(({ reference }) => reference === first.reference);
      if (!reversal) return waiting('The reversal is due a minute after the credit.');
      const noticed = observed
        .after(reversal)
        .of('enquiry')
        .some(({ reference }) => reference === first.reference);
      return noticed ? passed('The status was read after the reversal.') : waiting('The status was not read yet.');
    },
  },
];

/** Whether the payment was completed under its own reference after the effect. */
function resumed(observed: Observed, first: Of<'request'> | undefined): StepResult {
  if (!first) return waiting(NO_REQUEST);
  const later = observed.after(first);
  const requests = later.requests(first);
  const again = requests.find(({ reference }) => reference !== first.reference);
  if (again) return failed('The credit was sent again under a new reference: the customer would be credited twice.');
  const retried = requests.find(({ reference }) => reference === first.reference);
  if (retried && retried.outcome !== 'replayed') return failed(`The retry was refused with ${retried.outcome}.`);
  if (retried) return passed('The retry had the same reference and got the stored reply.');
  const enquired = later.of('enquiry').some(({ reference }) => reference === first.reference);
  return enquired ? passed('The status was read under the same reference.') : waiting('The retry is missing.');
}

function obeysRetryAfter(observed: Observed): StepResult {
  const first = observed.effect('unavailable');
  if (!first) return waiting(NO_REQUEST);
  const [retry] = observed.after(first).requests(first);
  if (!retry) return waiting('The retry is missing.');
  if (retry.reference !== first.reference) return failed('The retry had a new reference.');
  const seconds = (retry.at - first.at) / SECOND_MS;
  if (seconds < RETRY_AFTER_SECONDS) {
    return failed(`The retry came after ${seconds.toFixed(1)} seconds; Retry-After asked for ${RETRY_AFTER_SECONDS}.`);
  }
  return passed(`The retry came after ${seconds.toFixed(1)} seconds.`);
}

function webhooksOf(observed: Observed, effect: MagicAmount['effect'], event: string): Of<'webhook'>[] {
  const amounts = amountsOf(effect);
  const [first] = observed.of('webhook').filter((each) => amounts.includes(each.amount));
  return observed.of('webhook').filter((each) => each.event === event && each.reference === first?.reference);
}

function isAcknowledged({ status }: Of<'webhook'>): boolean {
  return status !== null && status >= 200 && status < 300;
}

export interface EvaluatedStep extends StepResult {
  id: string;
  title: string;
  instruction: string;
}

export type DecidedStep = EvaluatedStep & { state: DecidedState };

export function evaluate(observations: readonly Observation[], now: number): EvaluatedStep[] {
  const observed = new Observed(observations, now);
  return STEPS.map(({ id, title, instruction, evaluate: judge }) => ({ id, title, instruction, ...judge(observed) }));
}

/** At the end of a run: the steps that nothing was observed for were not run. */
export function evaluateAtEnd(observations: readonly Observation[], now: number): DecidedStep[] {
  return evaluate(observations, now).map(({ state, ...step }) => ({
    ...step,
    state: state === 'waiting' ? 'not_run' : state,
  }));
}
