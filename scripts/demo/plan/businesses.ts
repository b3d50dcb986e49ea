// The businesses of the demo: agent networks, merchants by sector, partner banks and the rates of their sectors.

export interface NetworkPlan {
  name: string;
  town: string;
  /** The towns of its sub-agents. */
  branches: readonly string[];
}

const network = (name: string, town: string, branches: string): NetworkPlan => ({
  name,
  town,
  branches: branches.split(' ').map((branch) => branch.replace('_', ' ')),
});

/** 10 super-agents with 50 sub-agents. */
export const NETWORKS: readonly NetworkPlan[] = [
  network('Kissy Road Traders', 'Freetown', 'Freetown Freetown Freetown Freetown Waterloo Waterloo'),
  network('Aberdeen Cash Point', 'Freetown', 'Freetown Freetown Freetown Freetown Lungi'),
  network('Sewa Money Services', 'Freetown', 'Freetown Freetown Freetown Port_Loko Kambia'),
  network('Waterloo Union Agents', 'Waterloo', 'Waterloo Waterloo Freetown Moyamba'),
  network('Bo Central Exchange', 'Bo', 'Bo Bo Bo Bo Pujehun Moyamba'),
  network('Gola Forest Agents', 'Kenema', 'Kenema Kenema Kenema Kailahun Kailahun'),
  network('Wusum Hill Finance', 'Makeni', 'Makeni Makeni Makeni Magburaka Kabala'),
  network('Diamond Field Agents', 'Koidu', 'Koidu Koidu Koidu Kailahun'),
  network('Bullom Shore Services', 'Port Loko', 'Port_Loko Port_Loko Lungi Lungi Kambia'),
  network('Northern Star Agents', 'Makeni', 'Makeni Kabala Kabala Magburaka Kambia'),
];

export const AGENT_SHOPS = [
  'Provision Shop',
  'Telecentre',
  'Pharmacy',
  'Filling Station',
  'Bookshop',
  'Cold Room',
  'Cement Depot',
  'Market Stall',
];

export interface MerchantPlan {
  name: string;
  sector: string;
  town: string;
  /** Half of the payments are below, in SLE. */
  ticket: number;
  /** Share of all card payments. */
  weight: number;
  /** Sold in an app, without a terminal. */
  online?: boolean;
  /** Share of the payments that are refunded. */
  refunds?: number;
}

const merchant = (sector: string, name: string, town: string, ticket: number, weight: number): MerchantPlan => ({
  sector,
  name,
  town,
  ticket,
  weight,
});

/** 30 merchants. */
export const MERCHANTS: readonly MerchantPlan[] = [
  merchant('supermarket', 'Cotton Tree Superstore', 'Freetown', 320, 9),
  merchant('supermarket', 'Congo Cross Supermarket', 'Freetown', 260, 7),
  merchant('supermarket', 'Wilkinson Road Supermarket', 'Freetown', 280, 6),
  merchant('supermarket', 'Bo Family Stores', 'Bo', 190, 4),
  merchant('supermarket', 'Kenema Mini Mart', 'Kenema', 170, 3),
  merchant('fuel', 'Lumley Filling Station', 'Freetown', 400, 7),
  merchant('fuel', 'Waterloo Fuel Point', 'Waterloo', 350, 4),
  merchant('fuel', 'Makeni Highway Petroleum', 'Makeni', 380, 4),
  merchant('fuel', 'Bo Junction Filling Station', 'Bo', 360, 3),
  merchant('pharmacy', 'Kroo Town Pharmacy', 'Freetown', 130, 4),
  merchant('pharmacy', 'Kenema Health Pharmacy', 'Kenema', 110, 2),
  merchant('pharmacy', 'Koidu Community Pharmacy', 'Koidu', 100, 2),
  merchant('restaurant', 'Lumley Beach Grill', 'Freetown', 240, 4),
  merchant('restaurant', 'Cassava Leaf Bakery', 'Freetown', 150, 4),
  merchant('restaurant', 'Hill Station Kitchen', 'Freetown', 220, 2),
  merchant('restaurant', 'Rogbaneh Restaurant', 'Makeni', 140, 2),
  merchant('building', 'Kingtom Cement Depot', 'Freetown', 1_800, 2),
  merchant('building', 'Bo Iron and Zinc', 'Bo', 1_500, 1),
  { ...merchant('electronics', 'Abacha Street Electronics', 'Freetown', 1_100, 3), refunds: 0.12 },
  merchant('electronics', 'Koidu Phone Centre', 'Koidu', 700, 2),
  merchant('school', 'Kissy Girls School Office', 'Freetown', 1_400, 1),
  merchant('school', 'Bo Boys School Office', 'Bo', 1_200, 1),
  merchant('hospital', 'Goderich Clinic', 'Freetown', 450, 1),
  merchant('hotel', 'Lakka Beach Guest House', 'Freetown', 1_900, 1),
  merchant('transport', 'Sierra Coach Lines', 'Freetown', 180, 3),
  { ...merchant('utility', 'Prepaid Electricity', 'Freetown', 120, 9), online: true },
  { ...merchant('utility', 'Freetown Water', 'Freetown', 90, 3), online: true },
  { ...merchant('airtime', 'Top-up Salone', 'Freetown', 30, 10), online: true },
  { ...merchant('television', 'Salone Satellite TV', 'Freetown', 250, 3), online: true },
  { ...merchant('shopping', 'Makit Online', 'Freetown', 420, 3), online: true, refunds: 0.04 },
];

export interface BankPlan {
  name: string;
  code: string;
  /** Share of the salaries and remittances that come through it. */
  weight: number;
  /** Share of the webhooks that its receiver answers with 503. They are retried. */
  webhookErrors: number;
}

export const BANKS: readonly BankPlan[] = [
  { name: 'Rokel Union Bank', code: 'RUB', weight: 4, webhookErrors: 0 },
  { name: 'Lion Mountain Bank', code: 'LMB', weight: 3, webhookErrors: 0 },
  { name: 'Atlantic Commercial Bank', code: 'ACB', weight: 2, webhookErrors: 0 },
  { name: 'Diaspora Remit Services', code: 'DRS', weight: 2, webhookErrors: 0.05 },
];

export const EMPLOYERS = [
  'Ministry of Health',
  'Ministry of Basic Education',
  'Freetown City Council',
  'Southern College',
  'Gbangbama Mines',
  'Harbour Company',
  'Makeni Mission Hospital',
  'Electricity Company',
];
