// The USSD service: one callback of a gateway in, one page out. State is in the database, so any gateway process answers.
import { createHmac, hkdfSync } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import type { Vault } from '../../auth/vault.ts';
import type { StatementRunner } from '../../db/driver/statement.ts';
import type { Language } from '../../http/pages/language.ts';
import { type Clock, MINUTE_MS, SECOND_MS } from '../../kernel/clock.ts';
import { Derived, type Keys } from '../../kernel/key-ring.ts';
import type { PhoneReader } from '../../kernel/phone.ts';
import type { CustomerAccess } from '../../parties/customer-access.ts';
import type { GatewayCall } from './codecs.ts';
import { createEffects, type EffectsContext } from './effects/effects.ts';
import { answer, awaitsPin, type Outcome, repeat, resume, type Shown, start } from './engine/engine.ts';
import type { Page } from './engine/page.ts';
import type { Settings } from './engine/screen.ts';
import { acts, type State } from './engine/state.ts';
import { menuText, supportAt, type TextKey } from './menus/index.ts';
import { createSessionStore, endSessionsOf, type SessionRow } from './session-store.ts';

export type UssdContext = EffectsContext & UssdSettings;

export interface UssdSettings {
  /** What ends a customer's access ends the sessions. */
  access: Pick<CustomerAccess, 'onEnd'>;
  pool: StatementRunner;
  vault: Vault;
  masterKey: Keys;
  phone: PhoneReader;
  clock: Clock;
  pageLimit: number;
  operatorName: string;
  supportNumber: string;
  /** Logs an error that no page can explain. */
  report(error: unknown, message: string): void;
}

/** From whom a callback comes, for the audit log. */
export interface CallOrigin {
  ip: string;
  requestId: string;
}

export type UssdService = ReturnType<typeof createUssdService>;

const SESSION_MS = 3 * MINUTE_MS;
/** For callbacks that come late: they get the last page again. */
const KEPT_MS = 60 * MINUTE_MS;
/** Longer than a payment takes. If the gateway is killed meanwhile, a repeated callback executes the step again. */
const CLAIM_MS = 15 * SECOND_MS;
const WAIT_MS = 50;
/** `CON ` counts: some gateways measure it. */
const PREFIX_LENGTH = 4;
/** From one page to the next the engine asks twice at most. */
const MAX_QUESTIONS = 5;

interface Sealed {
  /** Null: the session has ended. */
  state: State | null;
  page: Page;
}

export function createUssdService(context: UssdContext) {
  const { pool, vault, phone, clock, report } = context;
  const store = createSessionStore(pool);
  const effects = createEffects(context);
  // Of the oldest key that is configured: a session's steps are answered by gateways that write under different keys.
  const markKeys = new Derived(context.masterKey, (value) =>
    Buffer.from(hkdfSync('sha256', value, '', 'kissi-ussd-pin-mark-v1', 32)),
  );

  /** Gateways and people leave out the plus of an international number, or encode it as a space. */
  function readPhone(typed: string): string | null {
    const text = typed.trim();
    return phone(text) ?? (/^[1-9]\d{9,14}$/.test(text) ? phone(`+${text}`) : null);
  }

  function settingsOf(sessionId: string): Settings {
    return {
      pageLimit: context.pageLimit - PREFIX_LENGTH,
      operator: context.operatorName,
      support: context.supportNumber,
      markPin: (pin) =>
        createHmac('sha256', markKeys.of(markKeys.ring.oldest.id)).update(`${sessionId}:${pin}`).digest('base64url'),
      readPhone,
    };
  }

  const seal = (id: string, { state, page }: Shown) =>
    vault.seal(JSON.stringify({ state: page.ends ? null : state, page }), `ussd:${id}`);
  const open = ({ id, sealed }: SessionRow): Sealed => JSON.parse(vault.open(sealed, `ussd:${id}`));

  /** Asks the service until there is a page. `execute` runs what changes something. */
  async function toPage(first: Outcome, settings: Settings, ask: Ask): Promise<Shown | null> {
    let outcome = first;
    for (let questions = 0; 'effect' in outcome; questions += 1) {
      if (questions === MAX_QUESTIONS) throw new Error(`the screen ${outcome.state.screen} asks too often`);
      const reply = await ask(outcome);
      if (reply === null) return null;
      outcome = resume(outcome.state, reply, settings);
    }
    return outcome;
  }

  /** What was dialled leads to a page. It neither holds a PIN nor changes anything: a link on a web page can dial. */
  async function firstPage(call: GatewayCall, number: string, origin: CallOrigin): Promise<Shown> {
    const settings = settingsOf(call.sessionId);
    const found = await effects.identify(number);
    if (!('person' in found)) return ended(found.language, found.says, settings.support);
    let shown = start(found.person, found.language, settings);
    for (const input of call.dialled) {
      if (shown.page.ends || shown.reason !== undefined) break;
      if (awaitsPin(shown.state)) return repeat(shown.state, 'reason.pinDialled', settings);
      const next = await toPage(answer(shown.state, input, settings), settings, async ({ state, effect }) =>
        acts(effect) ? null : effects.run(effect, { ...origin, state, sessionId: call.sessionId, number }),
      );
      if (next === null) break;
      shown = next;
    }
    return shown;
  }

  async function begin(call: GatewayCall, number: string, origin: CallOrigin): Promise<Page> {
    const { gateway, sessionId: id, serviceCode, position } = call;
    const shown = await firstPage(call, number, origin);
    const { page } = shown;
    const expiresAt = new Date(clock.now() + SESSION_MS);
    const session = { id, gateway, phoneNumber: number, serviceCode, position, ended: page.ends, expiresAt };
    if (await store.insert({ ...session, sealed: seal(id, shown) })) return page;
    const other = await store.find(id);
    return other ? next(other, call, number, origin) : page;
  }

  /** The page of the step, whichever callback of it comes first. */
  async function proceed(row: SessionRow, state: State, call: GatewayCall, origin: CallOrigin): Promise<Page | null> {
    const settings = settingsOf(row.id);
    const { phoneNumber: number, step, position } = row;
    let isClaimed = false;
    try {
      const requestId = `ussd:${row.id}:${step + 1}`;
      const shown = await toPage(answer(state, call.typedAfter(position), settings), settings, async (asked) => {
        if (acts(asked.effect) && !isClaimed) {
          const now = clock.now();
          isClaimed = await store.claim(row, { now: new Date(now), until: new Date(now + CLAIM_MS) });
          if (!isClaimed) return null;
        }
        return effects.run(asked.effect, { ...origin, state: asked.state, sessionId: row.id, number, requestId });
      });
      if (!shown) return null;
      const advance = { position: call.position, sealed: seal(row.id, shown), ended: shown.page.ends };
      return (await store.advance(row, advance)) ? shown.page : null;
    } catch (error) {
      if (isClaimed) await store.release(row);
      throw error;
    }
  }

  async function next(row: SessionRow, call: GatewayCall, number: string, origin: CallOrigin): Promise<Page> {
    const { gateway, phoneNumber, serviceCode } = row;
    if (gateway !== call.gateway || phoneNumber !== number || serviceCode !== call.serviceCode) {
      return closing('en', 'session.foreign');
    }
    const { state, page } = open(row);
    if (call.position <= row.position) return page;
    const isOver = state === null || row.ended || row.expiresAt.getTime() <= clock.now();
    if (isOver) return closing(state?.language ?? 'en', 'session.ended');
    return (await proceed(row, state, call, origin)) ?? otherCallbacksPage(row, state.language);
  }

  /** Another callback of the same step executes it: its page is this one's too. */
  async function otherCallbacksPage({ id, step }: SessionRow, language: Language): Promise<Page> {
    for (let waitedMs = 0; waitedMs < CLAIM_MS; waitedMs += WAIT_MS) {
      const row = await store.find(id);
      if (!row) break;
      if (row.step > step) return open(row).page;
      if (row.ended || row.claimedUntil === null) break;
      await setTimeout(WAIT_MS);
    }
    return closing(language, 'session.failed');
  }

  context.access.onEnd((trx, { subscriberId }) => endSessionsOf(trx, subscriberId));

  return {
    async answer(call: GatewayCall, origin: CallOrigin): Promise<Page> {
      const number = readPhone(call.phoneNumber);
      if (number === null) return closing('en', 'session.noNumber');
      try {
        const row = await store.find(call.sessionId);
        return await (row ? next(row, call, number, origin) : begin(call, number, origin));
      } catch (error) {
        report(error, 'a USSD page failed');
        return closing('en', 'session.failed');
      }
    },

    /** The gateway says that the session is over. */
    end: (sessionId: string) => store.end(sessionId),

    async prune(): Promise<void> {
      await store.prune(new Date(clock.now() - KEPT_MS));
      await effects.prune();
    },
  };
}

type Ask = (
  asked: Extract<Outcome, { effect: unknown }>,
) => Promise<Awaited<ReturnType<ReturnType<typeof createEffects>['run']>> | null>;

function closing(language: Language, key: TextKey, support = ''): Page {
  return { text: menuText(language, key, supportAt(support)), ends: true };
}

function ended(language: Language, key: TextKey, support: string): Shown {
  return { state: {} as State, page: closing(language, key, support) };
}
