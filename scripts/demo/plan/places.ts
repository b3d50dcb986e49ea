// Towns of Sierra Leone: districts, streets, market days and their share of the population of the demo.

export interface Town {
  name: string;
  district: string;
  streets: readonly string[];
  /** 0 is Sunday. */
  marketDays: readonly number[];
  /** Share of the subscribers. */
  weight: number;
}

const town = (
  name: string,
  district: string,
  weight: number,
  marketDays: readonly number[],
  streets: string,
): Town => ({ name, district, weight, marketDays, streets: streets.split(', ') });

export const TOWNS: readonly Town[] = [
  town(
    'Freetown',
    'Western Area Urban',
    34,
    [5, 6],
    'Siaka Stevens Street, Kissy Road, Wilkinson Road, Lumley Road, Fourah Bay Road, Circular Road, Pademba Road, Kroo Town Road',
  ),
  town('Waterloo', 'Western Area Rural', 9, [6], 'Main Motor Road, Lumpa Road, Campbell Town Road, Station Road'),
  town('Bo', 'Bo', 11, [3, 6], 'Dambara Road, Bojon Street, Tikonko Road, Kissy Town Road, Fenton Road'),
  town('Kenema', 'Kenema', 9, [4, 6], 'Hangha Road, Dama Road, Blama Road, Maxwell Khobe Street'),
  town('Makeni', 'Bombali', 9, [3, 6], 'Azzolini Highway, Magburaka Road, Rogbaneh Road, Station Road'),
  town('Koidu', 'Kono', 7, [2, 6], 'Main Kaingkordu Road, Post Office Road, Masingbi Road'),
  town('Port Loko', 'Port Loko', 4, [5], 'Sahr Street, Old Port Road, Masiaka Road'),
  town('Lungi', 'Port Loko', 2, [0], 'Airport Road, Tagrin Road'),
  town('Kabala', 'Koinadugu', 3, [4], 'Makeni Highway, Heremakono Road'),
  town('Magburaka', 'Tonkolili', 3, [1], 'Mabai Street, Makeni Road'),
  town('Moyamba', 'Moyamba', 2, [2], 'Siaka Stevens Street, Shenge Road'),
  town('Kailahun', 'Kailahun', 3, [0], 'Buedu Road, Pendembu Road'),
  town('Pujehun', 'Pujehun', 2, [5], 'Fairo Road, Bandajuma Road'),
  town('Kambia', 'Kambia', 2, [6], 'Rokupr Road, Customs Road'),
];

export const isMarketDay = (name: string, weekday: number) =>
  TOWNS.some((each) => each.name === name && each.marketDays.includes(weekday));

/** Mobile prefixes of the four operators. */
export const PHONE_PREFIXES = [
  '72',
  '73',
  '74',
  '75',
  '76',
  '78',
  '79',
  '30',
  '33',
  '77',
  '80',
  '88',
  '99',
  '31',
  '34',
];
