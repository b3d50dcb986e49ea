// Networks of addresses: one text for all spellings of an address, another for the neighbouring network.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { networkOf } from './guesser.ts';

const NETWORKS: Record<string, string[]> = {
  '192.0.2.0/24': ['192.0.2.1', '192.0.2.255', '::ffff:192.0.2.7', '::FFFF:192.0.2.7'],
  '192.0.3.0/24': ['192.0.3.1'],
  '2001:db8:1::/48': ['2001:db8:1::1', '2001:0DB8:0001:ffff::', '2001:db8:1:0:0:0:0:1', '2001:db8:1::192.0.2.1'],
  '2001:db8:2::/48': ['2001:db8:2::1'],
  '2001:0:0::/48': ['2001::1'],
  '0:0:0::/48': ['::1', '::'],
  'fe80:0:0::/48': ['fe80::1%eth0'],
};

for (const [network, addresses] of Object.entries(NETWORKS)) {
  test(`${addresses.join(', ')} belong to ${network}`, () => {
    assert.deepEqual(new Set(addresses.map(networkOf)), new Set([network]));
  });
}
