// The client: one object per family of operations.
import { connect } from './create-client.ts';
import { FAMILIES, type Families } from './generated/families.gen.ts';
import type { Client } from './low-level.ts';
import { bindMethod, type Method } from './methods.ts';
import type { KissiOptions, Tokens } from './options.ts';
import type { Session } from './session.ts';

/** Has a property for each family; the generated interface describes their methods. */
const FamiliesOf = class {
  constructor(client: Client) {
    for (const [name, methods] of Object.entries<Record<string, Method>>(FAMILIES)) {
      const bound = Object.entries(methods).map(([method, operation]) => [method, bindMethod(client, operation)]);
      Object.defineProperty(this, name, { value: Object.freeze(Object.fromEntries(bound)), enumerable: true });
    }
  }
} as unknown as new (
  client: Client,
) => Families;

/**
 * A client of the service. It can be shared by all parts of a program.
 *
 *     const kissi = new Kissi({ baseUrl: 'https://api.example.com', apiKey: 'svc_live_…' });
 *     const { transaction_id } = await kissi.wallet.transferByCard({ sender_id, recipient_card_serial, amount, pin });
 */
export class Kissi extends FamiliesOf {
  /** For the operations of `@kissi/client/operations`. */
  readonly client: Client;
  readonly #session: Session | null;

  constructor(options: KissiOptions) {
    const { client, session } = connect(options);
    super(client);
    this.client = client;
    this.#session = session;
  }

  /** The user's current tokens; null before the first call and without `login` or `tokens`. */
  get tokens(): Tokens | null {
    return this.#session?.tokens ?? null;
  }
}
