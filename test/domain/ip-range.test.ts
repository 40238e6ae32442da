import test from 'ava';
import { formatRange, isWithin, parseRange } from '../../domain/ip-range.js';

test('a range is parsed in any notation and formatted in one', (t) => {
  const spellings: Record<string, string | null> = {
    '192.0.2.0/24': '192.0.2.0/24',
    '192.0.2.7/24': '192.0.2.0/24',
    '192.0.2.7': '192.0.2.7/32',
    '0.0.0.0/0': '0.0.0.0/0',
    '2001:DB8:0:0::1/32': '2001:db8::/32',
    '::1': '::1/128',
    '::/0': '::/0',
    '::ffff:192.0.2.7': '192.0.2.7/32',
    '::ffff:c000:200/120': '192.0.2.0/24',
    '::ffff:0:0/96': '0.0.0.0/0',
    '192.0.2.0/33': null,
    '192.0.2.256': null,
    '192.0.2': null,
    '192.0.2.0/': null,
    '192.0.2.0/-1': null,
    '192.0.2.0/24/24': null,
    '::/129': null,
    '2001:db8::1%eth0': null,
    '::1 ': null,
    ':\t:1': null,
    '010.0.0.1': null,
    '1:2@db8::1': null,
    '@192.0.2.1/1:#': null,
    localhost: null,
    '': null,
  };
  for (const [text, written] of Object.entries(spellings)) {
    const range = parseRange(text);
    t.is(range && formatRange(range), written, text);
  }
});

test('a range is within another of its family that is as wide or wider', (t) => {
  const pairs: [string, string, boolean][] = [
    ['192.0.2.0/24', '192.0.2.0/24', true],
    ['192.0.2.128/25', '192.0.2.0/24', true],
    ['192.0.2.0/23', '192.0.2.0/24', false],
    ['192.0.3.0/24', '192.0.2.0/24', false],
    ['192.0.2.0/24', '0.0.0.0/0', true],
    ['192.0.2.0/24', '::/0', false],
    ['2001:db8:1::/48', '2001:db8::/32', true],
    ['2001:db9::/48', '2001:db8::/32', false],
  ];
  for (const [inner, outer, within] of pairs)
    t.is(isWithin(parseRange(inner)!, parseRange(outer)!), within, `${inner} in ${outer}`);
});
