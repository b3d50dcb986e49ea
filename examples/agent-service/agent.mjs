// An agent service for Kissi: is asked what people write, and answers; balances through the service-authenticated API.
// Needs Node 18 or newer and nothing else. See README.md beside this file.
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';

const port = Number(process.env.PORT ?? 9100);
const kissiUrl = process.env.KISSI_URL ?? 'http://127.0.0.1:8080';
// Who may ask us: the gateway, by the secret that its SERVICE_SECRETS has under AGENT_SERVICE_NAME.
const caller = { name: process.env.CALLER_NAME ?? 'kissi', secret: process.env.CALLER_SECRET ?? '' };
// Who we are when we ask it: another name and secret of its SERVICE_SECRETS.
const self = { name: process.env.SERVICE_NAME ?? 'agent-service', secret: process.env.SERVICE_SECRET ?? '' };

const MAX_BODY_BYTES = 256 * 1024;
const MAX_AGE_SECONDS = 5 * 60;
// Less than the ten seconds that we are waited for.
const TIMEOUT_MS = 5_000;

const HELP = 'Write "balance" to hear what is in your wallet. We will never ask for your PIN here.';
const NO_PINS =
  'Please never write your PIN or password here. If you have just done so, change it at once with an agent or in the app.';
const NOT_HERE =
  'For your safety we tell balances only to the registered phone itself, in a chat on the messaging platform.';
const NOT_TOLD = 'We do not tell the balance of this wallet in a chat. Please see one of our agents.';
const NOT_NOW = 'Your wallet is not open at the moment. Please see one of our agents.';

if (caller.secret === '' || self.secret === '') {
  process.stderr.write('Set CALLER_SECRET and SERVICE_SECRET to two secrets of SERVICE_SECRETS of the gateway.\n');
  process.exit(1);
}

const server = createServer(async (request, response) => {
  const reply = (status, body) =>
    response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
  try {
    if (request.method !== 'POST') return reply(405, { error: 'POST only' });
    const raw = await rawBody(request);
    if (raw === null) return reply(413, { error: 'too large' });
    if (!isFromKissi(request)) return reply(401, { error: 'the signature is wrong' });
    const question = JSON.parse(raw.toString('utf8'));
    const verified = request.headers['x-sender-verified'] === 'true';
    reply(200, { answer: await answerTo(question, verified) });
  } catch (error) {
    // Kissi answers politely in our place. Nothing of what people wrote goes into a log.
    process.stderr.write(`${error.name}: ${error.message}\n`);
    reply(500, { error: 'try again' });
  }
});
server.listen(port, '127.0.0.1', () => process.stdout.write(`listening on ${server.address().port}\n`));
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit());

async function answerTo({ message, phoneE164, subscriber_id: subscriberId }, verified) {
  if (/^\s*\d{4}\s*$|\b(pin|password)\b/i.test(message)) return NO_PINS;
  if (!/balance|how much/i.test(message)) return HELP;
  // Whose number it is has been claimed and not shown, or the answer goes to somebody else than its owner.
  if (!verified || !subscriberId) return NOT_HERE;
  const subscriber = await readSubscriber(subscriberId);
  if (subscriber === null) return NOT_TOLD;
  // The body is not signed: that the two belong together is asked, not believed.
  if (subscriber.phone_number !== phoneE164) return NOT_HERE;
  return subscriber.status === 'ACTIVE' ? `Your balance is ${subscriber.balance}.` : NOT_NOW;
}

/** GET /subscribers/{id}, signed as a service: METHOD|PATH|QUERY|TIMESTAMP. Null: it is withheld from services. */
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
  // Of some people it is: that is an answer, and not a failure by which the others would be left alone too.
  if (response.status === 403 && (await response.json()).code === 'PEP_ACCESS_REQUIRED') return null;
  if (response.status !== 200) throw new Error(`the gateway answered ${response.status}`);
  return (await response.json()).subscriber;
}

function isFromKissi({ method, url, headers }) {
  const [path, query = ''] = url.split(/\?(.*)/s);
  const timestamp = headers['x-service-timestamp'] ?? '';
  const given = headers['x-service-signature'] ?? '';
  const isRecent = /^\d+$/.test(timestamp) && Math.abs(Date.now() / 1000 - Number(timestamp)) <= MAX_AGE_SECONDS;
  const expected = sign(caller.secret, `${method}|${path}|${query}|${timestamp}`);
  const isRight = /^[0-9a-f]{64}$/i.test(given) && timingSafeEqual(expected, Buffer.from(given, 'hex'));
  return headers['x-service-name'] === caller.name && isRecent && isRight;
}

function sign(secret, text) {
  return createHmac('sha256', secret).update(text).digest();
}

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
