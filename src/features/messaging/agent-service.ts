// Asks the agent service for an answer to what somebody wrote.
import { type ServiceIdentity, serviceHeaders } from '../../auth/schemes/service.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { AgentServiceConfig } from '../../kernel/config/config.ts';
import { createBreaker } from './circuit-breaker.ts';
import { type Answered, parsed, postJson, reasonOf } from './json-post.ts';

/** As it is forwarded, under these names. */
export interface Question {
  event: string;
  message: string;
  /** The platform's name for who wrote. */
  from: string;
  phoneE164: string;
  subscriber_id: string | null;
}

export interface Asking {
  /** Whether the platform vouches for who wrote; otherwise that is what somebody claims. */
  verified: boolean;
  /** The same for the same message, should it have to be asked twice. */
  requestId: string;
  signal: AbortSignal;
}

export interface AgentService {
  /** Null: there is none, or it fails. */
  ask(question: Question, asking: Asking): Promise<string | null>;
}

export interface AgentServiceParts {
  config: AgentServiceConfig | undefined;
  /** By which way questions come; those of one do not open the breaker of the other. */
  way: 'platform' | 'bridge';
  clock: Clock;
  report(message: string, details: Record<string, unknown>): void;
}

/** What the platform takes as one message. */
const MAX_TEXT_LENGTH = 4_096;

export function createAgentService({ config, way, clock, report }: AgentServiceParts): AgentService {
  if (config === undefined) return { ask: async () => null };
  const { timeoutMs, identity } = config;
  const url = new URL(config.url);
  const breaker = createBreaker({
    clock,
    changed: (state) =>
      report(state === 'open' ? 'the agent service is left alone for a while' : 'the agent service answers again', {
        way,
      }),
  });

  async function post(question: Question, { verified, requestId, signal }: Asking): Promise<Answered> {
    const headers = {
      'X-Request-ID': requestId,
      'X-Sender-Verified': String(verified),
      ...signed(identity, url, clock),
    };
    return postJson({ url, headers, body: question, timeoutMs, signal });
  }

  return {
    async ask(question, asking) {
      const trial = breaker.begin();
      if (!trial) return null;
      let reason: string;
      try {
        const reply = await post(question, asking);
        const answer = answerOf(reply);
        // Who is refused for what one person wrote is not broken for everybody else.
        if (answer !== null || isRefusal(reply.status)) trial.succeeded();
        else trial.failed();
        if (answer !== null) return answer;
        reason = reply.status === 200 ? 'no answer in what it said' : `status ${reply.status}`;
      } catch (error) {
        trial.failed();
        reason = reasonOf(error);
      }
      report('the agent service did not answer', { reason, requestId: asking.requestId });
      return null;
    },
  };
}

function signed(identity: ServiceIdentity | undefined, url: URL, clock: Clock): Record<string, string> {
  return identity ? serviceHeaders(identity, { method: 'POST', url, now: clock.now() }) : {};
}

function answerOf({ status, text }: Answered): string | null {
  if (status < 200 || status > 299) return null;
  const { answer } = (parsed(text) ?? {}) as { answer?: unknown };
  if (typeof answer !== 'string' || answer.trim() === '') return null;
  return answer.slice(0, MAX_TEXT_LENGTH).toWellFormed();
}

/** For what was asked: those named here would meet whoever asks. */
function isRefusal(status: number): boolean {
  return status >= 400 && status < 500 && ![401, 403, 404, 405, 408, 429].includes(status);
}
