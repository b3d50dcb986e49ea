// Database URLs with several hosts are parsed as libpq does; URLs with one host are returned unchanged.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseAddress } from './address.ts';

test('a URL with one host is returned unchanged', () => {
  for (const url of [
    'postgresql://u:p@db:5432/kissi',
    'postgres:///kissi',
    'postgresql://u:p@localhost:5432/kissi?host=%2Frun%2Fa%2Cb&sslmode=disable',
  ]) {
    assert.deepEqual(parseAddress(url), { url, hosts: [] });
  }
});

test('several hosts are separated, and the rest of the URL is kept', () => {
  const url =
    'postgresql://u:p%40ss,word@a:5433,b,[fd00::1]:5434,%2Frun%2Fpg/kissi?sslmode=require&target_session_attrs=read-write';
  assert.deepEqual(parseAddress(url), {
    url: 'postgresql://u:p%40ss,word@a:5433/kissi?sslmode=require',
    hosts: [
      { host: 'a', port: 5433 },
      { host: 'b', port: 5432 },
      { host: 'fd00::1', port: 5434 },
      { host: '/run/pg', port: 5432 },
    ],
  });
});

test('one host with target_session_attrs is probed before it is used', () => {
  assert.deepEqual(parseAddress('postgresql://u@db/kissi?target_session_attrs=primary'), {
    url: 'postgresql://u@db/kissi',
    hosts: [{ host: 'db', port: 5432 }],
  });
});
