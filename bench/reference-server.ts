// Reference for the HTTP benchmarks: a bare Fastify route that returns a record of the same size from memory.
import fastify from 'fastify';

const app = fastify();
const text = { type: 'string' } as const;
const subscriber = {
  id: 'sub_01JNXQ4M5E8ZK3T7V9W2Y6A1BC',
  account_number: '1234567897',
  phone_number: '+23276123456',
  first_name: 'Fatmata',
  last_name: 'Sesay',
  email: 'fatmata.sesay@example.com',
  date_of_birth: '1990-01-31',
  address: '12 Siaka Stevens Street, Freetown',
  status: 'ACTIVE',
  balance: '0.00 SLE',
  created_at: '2026-03-01T12:00:00.000Z',
  updated_at: '2026-03-01T12:00:00.000Z',
};
const properties = Object.fromEntries(Object.keys(subscriber).map((name) => [name, text]));
const reply = { type: 'object', properties: { subscriber: { type: 'object', properties } } };

app.get('/subscribers/:id', { schema: { response: { 200: reply } } }, async () => ({ subscriber }));
process.stdout.write(`${await app.listen({ host: '127.0.0.1', port: 0 })}\n`);
