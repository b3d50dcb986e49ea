// What the parts of the scenario share: the gateway, and calls as the administrator.
import type { CallOptions, Json, TestGateway } from '../support/gateway.ts';

export interface Scene {
  kissi: TestGateway;
  /** Receives the partner's webhooks. */
  hooksUrl: string;
  /** Logs the administrator in again, after the clock was moved. */
  renew(): Promise<void>;
  /** Calls an operation as the administrator, and asserts that it succeeds; the path is relative to /api/v1. */
  send(method: string, path: string, body?: object, options?: CallOptions): Promise<Json>;
  /** Asserts that the operation is refused with this code. */
  refused(code: string, method: string, path: string, body?: object, options?: CallOptions): Promise<void>;
}
