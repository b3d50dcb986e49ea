// Requests to cases that can succeed: transfers to the wrong customer, each for one way to ask for it back or to answer.
import { assertStatus, type Json } from '../support/gateway.ts';
import type { OwnSession } from './customers.ts';
import type { Host, PreparedRequest } from './world.ts';

interface Tools {
  host: Host;
  pin: string;
  /** Of staff. */
  token: string;
  newSession(): Promise<OwnSession>;
}

const FILE_TYPE = 'application/pdf';
export const PDF = Buffer.from('%PDF-1.7\n');

const ME = '/api/v1/me/cases';
const STAFF = '/api/v1/cases';
/** The days of the built-in ones. */
const CLOCKS = {
  ...{ valid_from: '2020-01-01', acknowledge_days: 3, resolve_days: 5, complex_days: 15 },
  ...{ working_days: [1, 2, 3, 4, 5], holidays: [], source: 'Hostile' },
};
let requests = 0;
const newId = () => `hostile-case-${++requests}`;
const nothing = () => ({});

/** By the operation's name. A recall ends once, so they are prepared again periodically. */
export async function prepareCases(tools: Tools): Promise<[string, PreparedRequest][]> {
  const { pin, newSession } = tools;
  const recipient = await newSession();
  const [asking, confirming, accepted, contested, held] = [
    await newSession(),
    await newSession(),
    await newSession(),
    await newSession(),
    await newSession(),
  ];
  const ofWrongTransfer = (transaction_id: string) => ({
    kind: 'wrong_transfer',
    transaction_id,
    description: 'Wrong',
  });
  const open = async ({ token }: OwnSession, body: Json): Promise<string> =>
    (await post(tools, ME, body, token)).case.id;
  const transferred = async (sender: OwnSession, to = recipient) => transfer(tools, sender, to);
  const recalled = async (sender: OwnSession, to = recipient) =>
    open(sender, { ...ofWrongTransfer(await transferred(sender, to)), pin });

  const asked = { ...ofWrongTransfer(await transferred(asking)), pin };
  const unconfirmed = await open(confirming, ofWrongTransfer(await transferred(confirming)));
  const acceptance = { pin, request_id: newId() };
  const answer = async (sender: OwnSession, fields: Json): Promise<PreparedRequest> => ({
    bearer: recipient.token,
    pathValue: await recalled(sender),
    fields: () => fields,
  });
  const own = { bearer: confirming.token, pathValue: unconfirmed };
  const extended = await recalled(held);
  // One recall may be open at a time, so staff decide on the second one.
  const undecided = await recalled(held, asking);
  const order = { order_reference: 'High Court 1', reason: 'Restitution', amount: 10, request_id: newId() };
  const reason = () => ({ reason: 'A reason' });
  const fileId = await uploaded(tools, undecided);
  return [
    [`POST ${ME}`, { bearer: asking.token, fields: () => asked }],
    [`GET ${ME}/{id}`, { ...own, fields: nothing }],
    [`POST ${ME}/{id}/messages`, { ...own, fields: () => ({ text: 'Hostile' }) }],
    [`POST ${ME}/{id}/confirm`, { ...own, fields: () => ({ pin }) }],
    [`POST ${ME}/{id}/accept`, await answer(accepted, acceptance)],
    [`POST ${ME}/{id}/contest`, await answer(contested, {})],
    ['POST /api/v1/case-clocks', { fields: () => CLOCKS }],
    [`POST ${STAFF}/{id}/recall`, { pathValue: undecided, fields: reason }],
    [`POST ${STAFF}/{id}/complex`, { pathValue: undecided, fields: reason }],
    [`GET ${STAFF}/{id}/files/{fileId}`, { pathValue: [undecided, fileId], fields: nothing }],
    [`POST ${STAFF}/{id}/extend-hold`, { pathValue: extended, fields: reason }],
    [`POST ${STAFF}/{id}/legal-order`, { pathValue: extended, fields: () => order }],
  ];
}

async function transfer(tools: Tools, sender: OwnSession, { phone }: OwnSession): Promise<string> {
  const input = { type: 'transfer', phone_number: phone, amount: 200 };
  const { quote } = await post(tools, '/api/v1/me/quote', input, sender.token, 200);
  const confirmation = { quote_id: quote.id, pin: tools.pin, request_id: newId() };
  return (await post(tools, '/api/v1/me/transfers', confirmation, sender.token, 200)).transaction_id;
}

async function uploaded({ host, token }: Tools, caseId: string): Promise<string> {
  const options = { token, raw: PDF, headers: { 'content-type': FILE_TYPE } };
  return assertStatus(await host.call('POST', `${STAFF}/${caseId}/files`, options), 201).json.file.id;
}

async function post({ host }: Tools, path: string, body: Json, token: string, status = 201): Promise<Json> {
  return assertStatus(await host.call('POST', path, { token, body }), status).json;
}
