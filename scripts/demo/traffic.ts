// Draws the everyday payments of the country: who pays whom, where and how.

import type { Random } from '@kissi/testkit/random';
import { HOUR_MS, MINUTE_MS } from '../../src/kernel/clock.ts';
import type { Demo, DemoAgent, DemoMerchant, Subscriber } from './country.ts';
import { SLE } from './money.ts';
import { bankCredit, cashIn, type Payment, type Purchase, purchase, refund, transfer, withdrawal } from './payments.ts';
import { townFactors } from './plan/calendar.ts';
import { balanceByUssd, cashOutByCode, requestByUssd, transferByUssd } from './ussd.ts';

type Kind = 'transfer' | 'purchase' | 'cash-in' | 'withdrawal' | 'remittance' | 'blocked card';

const KINDS: readonly (readonly [Kind, number])[] = [
  ['transfer', 25],
  ['purchase', 38],
  ['cash-in', 12],
  ['withdrawal', 16],
  ['remittance', 3],
  ['blocked card', 0.4],
];

type UssdKind = 'balance' | 'transfer' | 'cash-out' | 'request';

const USSD_KINDS: readonly (readonly [UssdKind, number])[] = [
  ['balance', 35],
  ['transfer', 35],
  ['cash-out', 20],
  ['request', 10],
];

/** Each person mostly pays the same few others. */
const CONTACTS = 6;
const ABROAD = ['London', 'Maryland', 'Philadelphia', 'Banjul', 'Conakry', 'Amsterdam', 'Sydney'];

export class Traffic {
  private readonly demo: Demo;
  private readonly random: Random;
  /** Subscribers who can start payments, with the running sum of their activity today. */
  private payers: { subscriber: Subscriber; index: number; upTo: number }[] = [];
  private refunds: { due: number; purchase: Purchase }[] = [];
  private readonly agentsByTown = new Map<string, DemoAgent[]>();

  constructor(demo: Demo, random: Random) {
    this.demo = demo;
    this.random = random;
  }

  /** Once a day, and after people registered or were blocked. */
  beginDay(day: number): void {
    const factors = townFactors(day);
    let upTo = 0;
    this.payers = this.demo.country.subscribers.flatMap((subscriber, index) => {
      if (subscriber.status !== 'active') return [];
      upTo += subscriber.activity * (factors.get(subscriber.town) ?? 1);
      return [{ subscriber, index, upTo }];
    });
    this.agentsByTown.clear();
    for (const agent of this.demo.country.agents) {
      this.agentsByTown.set(agent.town, [...(this.agentsByTown.get(agent.town) ?? []), agent]);
    }
  }

  /** Null if the person that was drawn has no money, no card or no agent. */
  next(): Payment | null {
    const { demo, random } = this;
    const drawn = this.drawPayer();
    if (!drawn) return null;
    const { subscriber, index } = drawn;
    if (subscriber.pinRefused) return null;
    const kind = this.affordableKind(random.weighted(KINDS), subscriber);
    switch (kind) {
      case 'transfer':
        return transfer(demo, random, subscriber, this.contactOf(index));
      case 'purchase':
        return purchase(demo, random, subscriber, this.merchantFor(subscriber), (made) => this.planRefund(made));
      case 'cash-in':
        return cashIn(demo, random, subscriber, this.agentFor(subscriber));
      case 'withdrawal':
        return withdrawal(demo, random, subscriber, this.agentFor(subscriber));
      case 'remittance':
        return this.remittance(subscriber);
      case 'blocked card':
        return this.blockedCardAttempt();
    }
  }

  /** What somebody does by USSD; null if they have too little money. */
  nextByUssd(): Payment | null {
    const { demo, random } = this;
    const drawn = this.drawPayer();
    if (!drawn || drawn.subscriber.pinRefused) return null;
    const { subscriber, index } = drawn;
    switch (random.weighted(USSD_KINDS)) {
      case 'balance':
        return balanceByUssd(demo, subscriber);
      case 'transfer':
        return transferByUssd(demo, random, subscriber, this.contactOf(index));
      case 'cash-out':
        return cashOutByCode(demo, random, subscriber, this.agentFor(subscriber));
      case 'request':
        return requestByUssd(demo, random, subscriber, this.merchantFor(subscriber));
    }
  }

  /** The refunds that merchants make until this time. */
  refundsDue(at: number): Payment[] {
    const due = this.refunds.filter((planned) => planned.due <= at);
    this.refunds = this.refunds.filter((planned) => planned.due > at);
    return due
      .sort((a, b) => a.due - b.due || (a.purchase.payer.phone < b.purchase.payer.phone ? -1 : 1))
      .map((planned) => refund(this.demo, this.random, planned.purchase));
  }

  private drawPayer() {
    const at = this.random.next() * (this.payers.at(-1)?.upTo ?? 0);
    let [low, high] = [0, this.payers.length - 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.payers[middle]?.upTo ?? 0) > at) high = middle;
      else low = middle + 1;
    }
    return this.payers[low];
  }

  /** Without money people deposit cash first; without a card they transfer instead of buying. */
  private affordableKind(kind: Kind, { balance, card, cardBlocked }: Subscriber): Kind {
    if (kind === 'remittance' || kind === 'blocked card' || kind === 'cash-in') return kind;
    if (balance < 15 * SLE) return 'cash-in';
    if (kind === 'purchase' && (card === null || cardBlocked)) return 'transfer';
    return kind;
  }

  private contactOf(index: number): Subscriber {
    const { subscribers } = this.demo.country;
    const contact = this.random.chance(0.8) ? this.random.int(1, CONTACTS) : this.random.int(1, subscribers.length);
    const chosen = subscribers[(index * 31 + contact * 7_919) % subscribers.length];
    if (!chosen) throw new Error('there are no subscribers');
    // A blocked recipient refuses some payments; most people know better.
    return chosen.status === 'active' || this.random.chance(0.2) ? chosen : this.random.pick(subscribers);
  }

  private merchantFor({ town }: Subscriber): DemoMerchant {
    const { merchants } = this.demo.country;
    const near = merchants.filter((merchant) => merchant.online || merchant.town === town);
    const choice = this.random.chance(0.9) ? near : merchants;
    return this.random.weighted(choice.map((merchant) => [merchant, merchant.weight]));
  }

  private agentFor({ town, occupation }: Subscriber): DemoAgent {
    const { agents } = this.demo.country;
    if (occupation === 'wholesaler') return this.random.pick(agents.filter(({ type }) => type === 'super_agent'));
    const near = this.agentsByTown.get(town) ?? agents;
    const open = near.filter(({ suspended }) => !suspended);
    // The customers of a suspended agent try it now and then.
    return open.length === 0 || this.random.chance(0.004) ? this.random.pick(near) : this.random.pick(open);
  }

  private remittance(payee: Subscriber): Payment {
    const { demo, random } = this;
    const bank = demo.country.banks.at(-1);
    if (!bank) throw new Error('there are no banks');
    const amount = Math.round(random.around(900, 0.6) / 10) * 10 * SLE;
    const sender = payee.name.split(' ').at(-1) ?? '';
    return bankCredit(demo, payee, bank, {
      amount,
      payer: `Family ${sender}`,
      narration: `Remittance from ${random.pick(ABROAD)}`,
    });
  }

  private blockedCardAttempt(): Payment | null {
    const blocked = this.demo.country.subscribers.filter(
      ({ cardBlocked, balance }) => cardBlocked && balance > 30 * SLE,
    );
    if (blocked.length === 0) return null;
    const payer = this.random.pick(blocked);
    return purchase(this.demo, this.random, payer, this.merchantFor(payer), () => undefined);
  }

  /** Customers return goods between 20 minutes and two days later. */
  private planRefund(made: Purchase): void {
    const random = this.random.stream(`refund ${made.payer.phone} ${made.amount} ${this.demo.clock.now()}`);
    if (!random.chance(made.merchant.refunds)) return;
    this.refunds.push({ due: this.demo.clock.now() + random.int(20 * MINUTE_MS, 48 * HOUR_MS), purchase: made });
  }
}
