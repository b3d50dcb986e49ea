// IP allowlists: matching of IPv4, IPv6 and IPv4-mapped addresses, and malformed entries.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ipAllowed, isAllowlistEntry } from './allowlist.ts';

describe('ipAllowed', () => {
  const cases: [allowlist: string[], ip: string, allowed: boolean][] = [
    [[], '203.0.113.9', true],
    [['10.0.0.0/8'], '10.255.255.255', true],
    [['10.0.0.0/8'], '11.0.0.0', false],
    [['10.1.2.3/8'], '10.9.9.9', true],
    [['203.0.113.7'], '203.0.113.7', true],
    [['203.0.113.7'], '203.0.113.8', false],
    [['203.0.113.7/32', '198.51.100.0/25'], '198.51.100.127', true],
    [['203.0.113.7/32', '198.51.100.0/25'], '198.51.100.128', false],
    [['0.0.0.0/0'], '192.0.2.1', true],
    [['0.0.0.0/0'], '2001:db8::1', false],
    [['::/0'], '2001:db8::1', true],
    [['::/0'], '192.0.2.1', false],
    [['2001:db8::/36'], '2001:db8:fff::1', true],
    [['2001:db8::/36'], '2001:db8:1000::1', false],
    [['2001:DB8:0:0::1'], '2001:db8::1', true],
    [['10.0.0.0/8'], '::ffff:10.1.1.1', true],
    [['10.0.0.0/8'], '::FFFF:a01:101', true],
    [['10.0.0.0/8'], '::ffff:11.1.1.1', false],
    [['::ffff:10.0.0.0/104'], '10.1.1.1', true],
    [['::ffff:10.0.0.0/104'], '11.1.1.1', false],
    [['::ffff:10.0.0.1'], '::ffff:10.0.0.1', true],
    [['::ffff:0:0/90'], '10.0.0.1', false],
    [['fe80::/10'], 'fe80::1%eth0', true],
    [['10.0.0.0/8'], '', false],
    [['10.0.0.0/8'], 'unix:', false],
    [['10.0.0.0/8'], '10.0.0.1, 10.0.0.2', false],
  ];
  for (const [allowlist, ip, allowed] of cases) {
    it(`${allowed ? 'allows' : 'rejects'} ${ip || 'an empty address'} with [${allowlist}]`, () => {
      assert.equal(ipAllowed(allowlist, ip), allowed);
    });
  }

  it('ignores malformed entries and applies the valid ones', () => {
    const malformed = [
      '',
      '*',
      '10.0.0.0/33',
      '10.0.0.0/',
      '10.0.0.0/-1',
      '0.0.0.0/0/0',
      '010.0.0.0/8',
      'any',
      '::/129',
    ];
    assert.equal(ipAllowed(malformed, '10.0.0.1'), false);
    assert.equal(ipAllowed(malformed, '::1'), false);
    assert.equal(ipAllowed([...malformed, '10.0.0.1'], '10.0.0.1'), true);
  });

  it('keeps lists apart whose entries are equal when joined', () => {
    assert.equal(ipAllowed(['10.0.0.0/8', '192.0.2.1'], '192.0.2.1'), true);
    assert.equal(ipAllowed(['10.0.0.0/8,192.0.2.1'], '192.0.2.1'), false);
    assert.equal(ipAllowed(['10.0.0.0/8","192.0.2.1'], '192.0.2.1'), false);
  });

  it('is correct for more lists than the cache holds', () => {
    for (let n = 0; n < 3_000; n++) {
      const ip = `10.0.${n >> 8}.${n & 255}`;
      assert.equal(ipAllowed([ip], ip), true);
    }
    assert.equal(ipAllowed(['10.0.0.0'], '10.0.0.0'), true);
    assert.equal(ipAllowed(['10.0.0.0'], '10.0.0.1'), false);
  });
});

describe('isAllowlistEntry', () => {
  it('accepts CIDR blocks and single addresses of both families', () => {
    for (const text of ['10.0.0.0/8', '0.0.0.0/0', '192.0.2.1', '2001:db8::/32', '::1', '::ffff:10.0.0.0/104']) {
      assert.equal(isAllowlistEntry(text), true, text);
    }
  });

  it('rejects everything else', () => {
    const wrong = [
      '',
      '/',
      '10.0.0/8',
      '10.0.0.0/33',
      '10.0.0.0/08',
      '10.0.0.0/8 ',
      ' 10.0.0.0/8',
      '::/129',
      '1.2.3.4/a',
    ];
    for (const text of [...wrong, 'fe80::1%eth0', 'fe80::%1/10', 'localhost', '1.2.3.4/8/8', '1.2.3.4:80', '[::1]']) {
      assert.equal(isAllowlistEntry(text), false, text);
    }
  });
});
