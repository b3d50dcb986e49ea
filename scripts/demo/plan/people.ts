// The people of the demo: names, phones, addresses, documents, occupations and habits, all from the seed.

import type { Random } from '@kissi/testkit/random';
import { DAY_MS, iso } from '../../../src/kernel/clock.ts';
import { EMPLOYERS } from './businesses.ts';
import { newName } from './names.ts';
import { PHONE_PREFIXES, TOWNS, type Town } from './places.ts';

export type Occupation = 'salaried' | 'trader' | 'farmer' | 'student' | 'rider' | 'household' | 'wholesaler';

/** Share of the people, and their usual number of payments compared with others. */
const OCCUPATIONS: readonly (readonly [Occupation, number])[] = [
  ['trader', 27],
  ['salaried', 24],
  ['farmer', 16],
  ['student', 13],
  ['household', 11],
  ['rider', 8],
  ['wholesaler', 1],
];
const ACTIVITY: Record<Occupation, number> = {
  trader: 2,
  salaried: 1.4,
  farmer: 0.5,
  student: 0.8,
  household: 0.7,
  rider: 1.6,
  wholesaler: 3,
};
/** Cumulative shares of the KYC levels 1 and 2; the rest has level 3. */
const KYC_SHARES: Record<Occupation, readonly [number, number]> = {
  trader: [0.5, 0.95],
  salaried: [0.25, 0.9],
  farmer: [0.8, 0.99],
  student: [0.85, 0.99],
  household: [0.7, 0.98],
  rider: [0.75, 0.99],
  wholesaler: [0, 0.2],
};

export interface Person {
  firstName: string;
  lastName: string;
  phone: string;
  email: string | null;
  birth: string;
  address: string;
  town: Town;
  occupation: Occupation;
  kycLevel: 1 | 2 | 3;
  idType: 'NATIONAL_ID' | 'PASSPORT' | 'DRIVERS_LICENSE';
  idNumber: string;
  pin: string;
  /** The day of the history on which this person registers; 0 is the first. */
  joinsOnDay: number;
  activity: number;
  hasCard: boolean;
  employer: string | null;
  /** In SLE; 0 without an employer. */
  salary: number;
}

/** Two thirds of the history has steady growth; 40 % are there from the beginning. */
const FOUNDERS = 0.4;

export function newPeople(random: Random, count: number, days: number): Person[] {
  const phones = new Set<string>();
  return Array.from({ length: count }, (_, n) => {
    const person = newPerson(random.stream(`person ${n}`), phones);
    const isFounder = days === 0 || n < Math.ceil(count * FOUNDERS);
    const joinsOnDay = isFounder ? 0 : 1 + Math.floor(((n / count - FOUNDERS) / (1 - FOUNDERS)) * (days - 1));
    return { ...person, joinsOnDay };
  });
}

function newPerson(random: Random, phones: Set<string>): Omit<Person, 'joinsOnDay'> {
  const { first, last } = newName(random);
  const town = random.weighted(TOWNS.map((each) => [each, each.weight]));
  const occupation = random.weighted(OCCUPATIONS);
  const isSalaried = occupation === 'salaried';
  return {
    firstName: first,
    lastName: last,
    phone: newPhone(random, phones),
    email: random.chance(0.3) ? `${plain(first)}.${plain(last)}${random.int(1, 99)}@mail.example` : null,
    birth: birthday(random, occupation),
    address: `${random.int(1, 180)} ${random.pick(town.streets)}, ${town.name}, ${town.district}`,
    town,
    occupation,
    kycLevel: kycLevel(random, occupation),
    idType: random.weighted([
      ['NATIONAL_ID', 80],
      ['PASSPORT', 12],
      ['DRIVERS_LICENSE', 8],
    ]),
    idNumber: `SL${random.digits(8)}`,
    pin: newPin(random),
    activity: ACTIVITY[occupation] * random.around(1, 0.7),
    hasCard: random.chance(occupation === 'farmer' ? 0.4 : 0.82),
    employer: isSalaried ? random.pick(EMPLOYERS) : null,
    salary: isSalaried ? Math.round(random.around(3_200, 0.5) / 50) * 50 : 0,
  };
}

export const plain = (name: string) => name.toLowerCase().replace(/[^a-z]/g, '');

export function newPhone(random: Random, taken: Set<string>): string {
  for (;;) {
    const phone = `+232${random.pick(PHONE_PREFIXES)}${random.digits(6)}`;
    if (taken.has(phone)) continue;
    taken.add(phone);
    return phone;
  }
}

/** Not 0000: the demo enters it as the wrong PIN. */
function newPin(random: Random): string {
  return String(random.int(1, 9_998)).padStart(4, '0');
}

function kycLevel(random: Random, occupation: Occupation): 1 | 2 | 3 {
  const [first, second] = KYC_SHARES[occupation];
  const drawn = random.next();
  if (drawn < first) return 1;
  return drawn < second ? 2 : 3;
}

const YEAR_MS = 365.25 * DAY_MS;
/** Ages are relative to a fixed day, so that the same seed gives the same birthdays. */
const AGES_AT = Date.parse('2026-01-01');

function birthday(random: Random, occupation: Occupation): string {
  const age = occupation === 'student' ? random.int(18, 27) : Math.min(84, 19 + random.around(16, 0.6));
  return iso(AGES_AT - age * YEAR_MS - random.int(0, 364) * DAY_MS).slice(0, 10);
}
