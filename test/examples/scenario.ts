// A scenario that calls every operation of the API once with success, and meets the most important refusals.
import assert from 'node:assert/strict';
import type { CallOptions, TestGateway } from '../support/gateway.ts';
import { administration } from './administration.ts';
import { customers } from './customers.ts';
import { closes, finance } from './finance.ts';
import { integrators } from './integrators.ts';
import { ownWallet } from './own-wallet.ts';
import { privacy } from './privacy.ts';
import type { Scene } from './scene.ts';

export async function playScenario(kissi: TestGateway, hooksUrl: string): Promise<void> {
  let admin = await kissi.adminToken();
  const call = (method: string, path: string, body?: object, options: CallOptions = {}) =>
    kissi.call(method, path.startsWith('//') ? path.slice(1) : `/api/v1${path}`, {
      token: admin,
      ...(body ? { body } : {}),
      ...options,
    });
  const scene: Scene = {
    kissi,
    hooksUrl,
    async renew() {
      admin = await kissi.adminToken();
    },
    async send(...request) {
      const reply = await call(...request);
      assert.ok(reply.status < 300, `${request[0]} ${request[1]}: ${reply.status} ${reply.text}`);
      return reply.json;
    },
    async refused(code, ...request) {
      const { json, text } = await call(...request);
      assert.equal(json?.code, code, `${request[0]} ${request[1]}: ${text}`);
    },
  };
  const people = await customers(scene);
  await integrators(scene, people);
  await finance(scene, people);
  await administration(scene, people);
  await ownWallet(scene, people);
  await closes(scene);
  await privacy(scene);
}
