// Streamed replies are complete whatever text they hold and however slowly the client reads.
import assert from 'node:assert/strict';
import { get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, test } from 'node:test';
import { noAuthentication } from '../../src/auth/schemes/bearer.ts';
import { endpoint, type RouteGroup, streamed } from '../../src/http/endpoint.ts';
import { legacyEnvelope } from '../../src/http/envelope.ts';
import { AdmissionControl } from '../../src/http/overload/admission-control.ts';
import { bareServer } from '../support/bare-server.ts';

const CHUNKS = 400;
const TEXTS: Record<string, string> = {
  ascii: 'a'.repeat(60_000),
  accents: 'é'.repeat(30_000),
  krio: 'ɛ–'.repeat(15_000),
};

async function* repeat(text: string): AsyncGenerator<string> {
  for (let n = 0; n < CHUNKS; n++) yield text;
}

const group: RouteGroup = {
  ...{ family: 'probe', prefix: '', authentication: noAuthentication, envelope: legacyEnvelope },
  endpoints: Object.entries(TEXTS).map(([name, value]) =>
    endpoint({
      ...{ id: name, method: 'GET', path: `/${name}`, permission: 'anyone', summary: 'Streams text', replies: {} },
      handle: () => streamed(repeat(value), { 'content-type': 'text/plain; charset=utf-8' }),
    }),
  ),
};

const newLane = () => new AdmissionControl({ limit: 10 });
const lanes = { changes: newLane(), reads: newLane(), uploads: newLane(), conversations: newLane() };
const app = await bareServer({ rows: [group], lanes });
await app.listen({ host: '127.0.0.1', port: 0 });
const { port } = app.server.address() as AddressInfo;
after(() => app.close());

for (const [name, value] of Object.entries(TEXTS)) {
  test(`a client that reads ${name} in small steps receives all of it`, async () => {
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      get({ host: '127.0.0.1', port, path: `/${name}` }, resolve).once('error', reject);
    });
    let bytes = 0;
    for await (const chunk of response) {
      bytes += chunk.length;
      // The gateway generates faster than the client reads, so that it has to wait for the client.
      await new Promise(setImmediate);
    }
    assert.equal(bytes, CHUNKS * Buffer.byteLength(value));
  });
}
