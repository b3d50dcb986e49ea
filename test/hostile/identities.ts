// Requests about customers' identities that can succeed: documents, a higher level, and an erasure, for customers that nothing else needs.
import sharp from 'sharp';
import { DAY_MS } from '../../src/kernel/clock.ts';
import { assertStatus } from '../support/gateway.ts';
import { PDF } from './cases.ts';
import type { Agent, Host, PreparedRequest } from './world.ts';

interface Tools {
  host: Host;
  /** Of staff. */
  token: string;
  agent: Agent;
  /** Registered with this token, without payments. */
  newCustomer(token: string): Promise<string>;
}

const ROUTE = '/api/v1/subscribers/{id}';
/** Longer than any record is kept. */
const RETENTION_MS = 100 * 366 * DAY_MS;
let requests = 0;

/** By the operation's name. A customer has one open request, so they are prepared again periodically. */
export async function prepareIdentities(tools: Tools): Promise<[string, PreparedRequest][]> {
  const { token, agent, newCustomer } = tools;
  const id = await newCustomer(agent.token);
  const background = { r: 90, g: 20, b: 20 };
  const face = await sharp({ create: { width: 8, height: 8, channels: 3, background } })
    .jpeg()
    .toBuffer();
  const identity_document_id = await upload(tools, `${id}/documents?kind=identity`, PDF, 'application/pdf');
  const face_document_id = await upload(tools, `${id}/documents?kind=face`, face, 'image/jpeg');
  const id_number = `HOSTILE-${++requests}`;
  const level = { id_type: 'NATIONAL_ID', id_number, identity_document_id, face_document_id };
  const ended = await pastRetention(tools, await newCustomer(token));
  return [
    [
      `GET ${ROUTE}/documents/{documentId}`,
      { bearer: token, pathValue: [id, identity_document_id], fields: () => ({}) },
    ],
    [`POST ${ROUTE}/request-level`, { bearer: agent.token, pathValue: id, fields: () => level }],
    [`POST ${ROUTE}/erase`, { bearer: token, pathValue: ended, fields: () => ({ reason: 'Letter 12' }) }],
  ];
}

async function upload({ host, agent }: Tools, path: string, bytes: Uint8Array, type: string): Promise<string> {
  const options = { token: agent.token, raw: new Uint8Array(bytes), headers: { 'content-type': type } };
  return assertStatus(await host.call('POST', `/api/v1/subscribers/${path}`, options), 201).json.document.id;
}

/** The clock cannot move: sessions would end. */
async function pastRetention({ host }: Tools, id: string): Promise<string> {
  const registered = new Date(host.now() - RETENTION_MS);
  await host.query('update subscribers set created_at = $2 where id = $1', [id, registered]);
  return id;
}
