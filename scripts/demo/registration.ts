// Registers people as subscribers: the record, the KYC level that compliance grants, and the card.

import type { Demo, Subscriber } from './country.ts';
import { SLE } from './money.ts';
import type { Person } from './plan/people.ts';
import { must } from './runtime/client.ts';
import { inParallel } from './runtime/parallel.ts';

/** Well below the number of database connections, so that none waits for one on a slow machine. */
const PARALLEL = 8;

/** Appends the people to the country's subscribers, in their order. */
export async function registerPeople(demo: Demo, people: readonly Person[]): Promise<void> {
  const first = demo.country.subscribers.length;
  const registered = await inParallel(people, PARALLEL, (person, n) => register(demo, person, first + n));
  demo.country.subscribers.push(...registered);
}

async function register(demo: Demo, person: Person, index: number): Promise<Subscriber> {
  const token = demo.operatorKey();
  // Sales registers a few people whose documents are incomplete, and they wait for activation; agents register some in their shops.
  const isPending = index % 100 === 60;
  const agents = demo.country.logins.filter(({ role }) => role.endsWith('_agent'));
  const agent = person.kycLevel === 1 && index % 10 === 5 ? agents[Math.trunc(index / 10) % agents.length] : undefined;
  const by = isPending ? 'sales@kissi.example' : agent?.email;
  const body = { ...recordOf(person), ...(isPending ? { status: 'PENDING' } : {}) };
  const reply = by
    ? demo.session(by).call('POST', '/subscribers', body)
    : demo.client.call('POST', '/subscribers', { token, body });
  const { subscriber } = await must(reply, `registration of ${person.phone}`);
  const { id, account_number: accountNumber } = subscriber;
  if (person.kycLevel > 1 && !isPending) {
    const raised = demo
      .session('compliance@kissi.example')
      .call('PUT', `/subscribers/${id}`, { kyc_level: person.kycLevel });
    await must(raised, `KYC level of ${person.phone}`);
  }
  const card = person.hasCard && !isPending ? await linkCard(demo, id, index) : null;
  return { ...runtimeOf(person), id, accountNumber, card, status: isPending ? 'pending' : 'active' };
}

function recordOf(person: Person) {
  const { firstName, lastName, phone, pin, email, birth, address, idType, idNumber, kycLevel } = person;
  const documents = {
    id_type: idType,
    id_number: idNumber,
    id_document_url: documentUrl('id', idNumber),
    selfie_url: documentUrl('selfie', idNumber),
  };
  return {
    first_name: firstName,
    last_name: lastName,
    phone_number: phone,
    pin,
    date_of_birth: birth,
    address,
    ...(email === null ? {} : { email }),
    ...(kycLevel > 1 ? documents : {}),
  };
}

const documentUrl = (kind: string, idNumber: string) => `https://documents.kissi.example/${kind}/${idNumber}.jpg`;

function runtimeOf(person: Person): Omit<Subscriber, 'id' | 'accountNumber' | 'card' | 'status'> {
  const { firstName, lastName, phone, pin, town, occupation, activity, employer, salary } = person;
  return {
    name: `${firstName} ${lastName}`,
    phone,
    pin,
    cardBlocked: false,
    town: town.name,
    occupation,
    activity,
    employer,
    salary: salary * SLE,
    balance: 0,
  };
}

/** Every twelfth holder also gets a child card, for a member of the family. */
async function linkCard(demo: Demo, subscriberId: string, index: number): Promise<string> {
  const token = demo.operatorKey();
  const serial = `KSI-${String(100_000 + index)}`;
  const body = { card_serial: serial, subscriber_id: subscriberId, label: 'Main card' };
  await must(demo.client.call('POST', '/cards/link', { token, body }), `card ${serial}`);
  if (index % 12 === 5) {
    const child = { parent_serial: serial, card_serial: `${serial}-C`, label: 'Family card', daily_limit: 500 * SLE };
    await must(demo.client.call('POST', '/cards/child', { token, body: child }), `card ${serial}-C`);
  }
  return serial;
}
