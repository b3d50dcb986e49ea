// Example agent service for Kissi: answers chat messages, and reads balances through the service-authenticated API.
// Requires Node 18 or newer, no dependencies. See README.md.
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';

const port = Number(process.env.PORT ?? 9100);
const kissiUrl = process.env.KISSI_URL ?? 'http://127.0.0.1:8080';
// The gateway's identity when it calls this service: its AGENT_SERVICE_NAME and the matching entry of its SERVICE_SECRETS.
const caller = { name: process.env.CALLER_NAME ?? 'kissi', secret: process.env.CALLER_SECRET ?? '' };
// This service's identity when it calls the gateway: another entry of the gateway's SERVICE_SECRETS.
const self = { name: process.env.SERVICE_NAME ?? 'agent-service', secret: process.env.SERVICE_SECRET ?? '' };

const MAX_BODY_BYTES = 256 * 1024;
const MAX_AGE_SECONDS = 5 * 60;
// Must be shorter than the ten seconds that the gateway waits for an answer.
const TIMEOUT_MS = 5_000;

const HELP = 'Send "balance" to get your wallet balance. We will never ask for your PIN here.';
const NO_PINS =
  'Please never send your PIN or password here. If you just did, change it immediately in the app or with an agent.';
const UNVERIFIED =
  'For your security, we only send balances to the registered phone number, in a chat on the messaging platform.';
const WITHHELD = 'The balance of this wallet is not available in a chat. Please visit one of our agents.';
const INACTIVE = 'Your wallet is not active at the moment. Please visit one of our agents.';

if (caller.secret === '' || self.secret === '') {
  process.stderr.write("Set CALLER_SECRET and SERVICE_SECRET to two secrets from the gateway's SERVICE_SECRETS.\n");
  process.exit(1);
}

const server = createServer(async (request, response) => {
  const reply = (status, body) =>
    response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
  try {
    if (request.method !== 'POST') return reply(405, { error: 'POST only' });
    const raw = await rawBody(request);
    if (raw === null) return reply(413, { error: 'too large' });
    if (!isFromKissi(request)) return reply(401, { error: 'invalid signature' });
    const question = JSON.parse(raw.toString('utf8'));
    const verified = request.headers['x-sender-verified'] === 'true';
    reply(200, { answer: await answerTo(question, verified) });
  } catch (error) {
    // The gateway sends a fixed answer instead. Never log the message text.
    process.stderr.write(`${error.name}: ${error.message}\n`);
    reply(500, { error: 'try again' });
  }
});
server.listen(port, '127.0.0.1', () => process.stdout.write(`listening on ${server.address().port}\n`));
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit());

async function answerTo({ message, phoneE164, subscriber_id: subscriberId }, verified) {
  if (/^\s*\d{4}\s*$|\b(pin|password)\b/i.test(message)) return NO_PINS;
  if (!/balance|how much/i.test(message)) return HELP;
  // The sender's number is not proven, and the answer may go to someone else than its owner.
  if (!verified || !subscriberId) return UNVERIFIED;
  const subscriber = await readSubscriber(subscriberId);
  if (subscriber === null) return WITHHELD;
  // The signature does not cover the body, so verify that the subscriber has this number.
  if (subscriber.phone_number !== phoneE164) return UNVERIFIED;
  return subscriber.status === 'ACTIVE' ? `Your balance is ${subscriber.balance}.` : INACTIVE;
}

/** Calls GET /subscribers/{id}, signed as METHOD|PATH|QUERY|TIMESTAMP. Returns null if the data is withheld from services. */
async function readSubscriber(id) {
  const path = `/api/v1/subscribers/${encodeURIComponent(id)}`;
  const timestamp = String(Math.floor(Date.now() / 1000));
  const response = await fetch(kissiUrl + path, {
    signal: AbortSignal.timeout(TIMEOUT_MS),
    headers: {
      'X-Service-Name': self.name,
      'X-Service-Timestamp': timestamp,
      'X-Service-Signature': sign(self.secret, `GET|${path}||${timestamp}`).toString('hex'),
    },
  });
  // Not an error: after five consecutive errors the gateway would stop calling this service for everyone.
  if (response.status === 403 && (await response.json()).code === 'PEP_ACCESS_REQUIRED') return null;
  if (response.status !== 200) throw new Error(`the gateway returned ${response.status}`);
  return (await response.json()).subscriber;
}

function isFromKissi({ method, url, headers }) {
  const [path, query = ''] = url.split(/\?(.*)/s);
  const timestamp = headers['x-service-timestamp'] ?? '';
  const given = headers['x-service-signature'] ?? '';
  const isRecent = /^\d+$/.test(timestamp) && Math.abs(Date.now() / 1000 - Number(timestamp)) <= MAX_AGE_SECONDS;
  const expected = sign(caller.secret, `${method}|${path}|${query}|${timestamp}`);
  const isValid = /^[0-9a-f]{64}$/i.test(given) && timingSafeEqual(expected, Buffer.from(given, 'hex'));
  return headers['x-service-name'] === caller.name && isRecent && isValid;
}

function sign(secret, text) {
  return createHmac('sha256', secret).update(text).digest();
}

/** Returns null if the body is too large. */
async function rawBody(request) {
  const chunks = [];
  let bytes = 0;
  for await (const chunk of request) {
    bytes += chunk.length;
    if (bytes > MAX_BODY_BYTES) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
