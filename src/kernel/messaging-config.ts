// The part of the configuration that is about messages: the platform they travel by, and the service that answers them.
export interface MessagingConfig {
  /** What the platform says when it asks whether the webhook is ours. */
  verifyToken: string | undefined;
  /** What the platform signs messages with; unset: they come unsigned, which production does not take. */
  appSecret: string | undefined;
  /** Where outgoing messages go; unset: into the local outbox. */
  platform: { url: string; token: string } | undefined;
  /** Who answers; unset: nobody, and a fixed answer says so. */
  agentService: AgentServiceConfig | undefined;
  /** Requests on the bridge, per address. */
  bridgePerMinute: number;
  /** Verifications of the webhook, and messages without a signature, per address. */
  unsignedPerMinute: number;
}

export interface AgentServiceConfig {
  url: string;
  /** As whom we call it; undefined only in development, where requests may go unsigned. */
  identity: { name: string; secret: string } | undefined;
  timeoutMs: number;
}

/** What reads the environment and gathers the faults. */
interface Reader {
  faults: string[];
  text(name: string): string | undefined;
  integer(name: string, fallback: number, range: { min: number; max: number }): number;
}

interface Surroundings {
  appEnv: string;
  serviceSecrets: ReadonlyMap<string, string>;
  /** What is wrong with the secret, to follow its name. */
  secretFault(value: string | undefined): string | null;
}

const PER_MINUTE = { min: 1, max: 1_000_000 };

export function messagingConfig(reader: Reader, surroundings: Surroundings): MessagingConfig {
  const verifyToken = reader.text('MESSAGING_VERIFY_TOKEN');
  const appSecret = reader.text('MESSAGING_APP_SECRET');
  // Whoever is going to be sent messages in production must be able to tell who sends them.
  const needed = surroundings.appEnv === 'production' && (appSecret ?? verifyToken) !== undefined;
  const fault = needed ? surroundings.secretFault(appSecret) : null;
  if (fault) reader.faults.push(`MESSAGING_APP_SECRET ${fault}`);
  return {
    verifyToken,
    appSecret,
    platform: platform(reader, surroundings),
    agentService: agentService(reader, surroundings),
    bridgePerMinute: reader.integer('MESSAGING_BRIDGE_PER_MINUTE', 30, PER_MINUTE),
    unsignedPerMinute: reader.integer('MESSAGING_UNSIGNED_PER_MINUTE', 600, PER_MINUTE),
  };
}

function platform(reader: Reader, { appEnv }: Surroundings): MessagingConfig['platform'] {
  const token = reader.text('MESSAGING_API_TOKEN');
  if ((reader.text('MESSAGING_API_URL') === undefined) !== (token === undefined)) {
    reader.faults.push('MESSAGING_API_URL and MESSAGING_API_TOKEN must be set together.');
  }
  // The token travels there, and texts with passwords and PINs.
  const url = webUrl(reader, 'MESSAGING_API_URL', appEnv === 'production' ? ['https:'] : ['https:', 'http:']);
  return url !== undefined && token !== undefined ? { url, token } : undefined;
}

function agentService(reader: Reader, { appEnv, serviceSecrets }: Surroundings): AgentServiceConfig | undefined {
  const url = webUrl(reader, 'AGENT_SERVICE_URL', ['https:', 'http:']);
  const timeoutMs = reader.integer('AGENT_SERVICE_TIMEOUT_MS', 10_000, { min: 100, max: 25_000 });
  if (url === undefined) return undefined;
  const [only, ...others] = serviceSecrets.keys();
  const name = reader.text('AGENT_SERVICE_NAME') ?? (others.length === 0 ? only : undefined);
  const secret = name === undefined ? undefined : serviceSecrets.get(name);
  if (secret === undefined && (appEnv !== 'development' || name !== undefined)) {
    reader.faults.push('AGENT_SERVICE_NAME must be one of the names in SERVICE_SECRETS.');
  }
  return { url, timeoutMs, identity: name !== undefined && secret !== undefined ? { name, secret } : undefined };
}

/** As it is called: nothing in it that a request would not carry, and no separator of what services sign. */
function webUrl(reader: Reader, name: string, protocols: string[]): string | undefined {
  const text = reader.text(name);
  if (text === undefined) return undefined;
  const url = URL.parse(text);
  const plain = url !== null && url.username + url.password + url.hash === '' && !url.href.includes('|');
  if (plain && protocols.includes(url.protocol)) return url.href;
  const schemes = protocols.map((protocol) => `${protocol}//`).join(' or ');
  reader.faults.push(`${name} must be a URL that begins with ${schemes}, without a user, a fragment or |.`);
  return undefined;
}
