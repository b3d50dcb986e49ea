// Client of the agent service, which answers messages of subscribers.
import { type ServiceIdentity, serviceHeaders } from '../../auth/schemes/service.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { AgentServiceConfig } from '../../kernel/config/config.ts';
import { createBreaker } from './circuit-breaker.ts';
import { type PostResponse, parseJson, postJson, reasonOf } from './json-post.ts';

/** The JSON body of the request. */
export interface Question {
  event: string;
  message: string;
  /** The sender's id on the platform. */
  from: string;
  phoneE164: string;
  subscriber_id: string | null;
}

export interface AskOptions {
  /** Whether the platform's signature confirms the sender; otherwise the number is only claimed. */
  verified: boolean;
  /** Retries of the same message use the same id. */
  requestId: string;
  signal: AbortSignal;
}

export interface AgentService {
  /** Null if no agent service is configured, or if the request fails. */
  ask(question: Question, options: AskOptions): Promise<string | null>;
}

export interface AgentServiceDependencies {
  config: AgentServiceConfig | undefined;
  /** The channel of the messages. Each channel has its own circuit breaker. */
  channel: 'platform' | 'bridge';
  clock: Clock;
  report(message: string, details: Record<string, unknown>): void;
}

/** The platform's limit for one message. */
const MAX_TEXT_LENGTH = 4_096;

export function createAgentService({ config, channel, clock, report }: AgentServiceDependencies): AgentService {
  if (config === undefined) return { ask: async () => null };
  const { timeoutMs, identity } = config;
  const url = new URL(config.url);
  const breaker = createBreaker({
    clock,
    onChange: (state) =>
      report(
        state === 'open'
          ? 'the circuit breaker of the agent service opened'
          : 'the circuit breaker of the agent service closed',
        { channel },
      ),
  });

  async function post(question: Question, { verified, requestId, signal }: AskOptions): Promise<PostResponse> {
    const headers = {
      'X-Request-ID': requestId,
      'X-Sender-Verified': String(verified),
      ...signed(identity, url, clock),
    };
    return postJson({ url, headers, body: question, timeoutMs, signal });
  }

  return {
    async ask(question, options) {
      const trial = breaker.begin();
      if (!trial) return null;
      let reason: string;
      try {
        const reply = await post(question, options);
        const answer = answerOf(reply);
        // A refused message is not a failure of the service.
        if (answer !== null || isRefusal(reply.status)) trial.succeeded();
        else trial.failed();
        if (answer !== null) return answer;
        reason = reply.status === 200 ? 'no answer in the response' : `status ${reply.status}`;
      } catch (error) {
        trial.failed();
        reason = reasonOf(error);
      }
      report('the agent service did not answer', { reason, requestId: options.requestId });
      return null;
    },
  };
}

function signed(identity: ServiceIdentity | undefined, url: URL, clock: Clock): Record<string, string> {
  return identity ? serviceHeaders(identity, { method: 'POST', url, now: clock.now() }) : {};
}

function answerOf({ status, text }: PostResponse): string | null {
  if (status < 200 || status > 299) return null;
  const { answer } = (parseJson(text) ?? {}) as { answer?: unknown };
  if (typeof answer !== 'string' || answer.trim() === '') return null;
  return answer.slice(0, MAX_TEXT_LENGTH).toWellFormed();
}

/** The service refuses this message. The statuses listed here would apply to every request. */
function isRefusal(status: number): boolean {
  return status >= 400 && status < 500 && ![401, 403, 404, 405, 408, 429].includes(status);
}
