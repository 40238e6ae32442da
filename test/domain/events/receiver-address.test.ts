import { BlockList } from 'node:net';
import test from 'ava';
import fc from 'fast-check';
import { isPublicAddress, readReceiverUrl } from '../../../domain/events/receiver-address.js';

/** The same registries in Node's `BlockList`, as the oracle. */
const special = new BlockList();
for (const range of [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.31.196.0/24',
  '192.52.193.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '192.175.48.0/24',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
  '168.63.129.16/32',
]) {
  const [network, prefix] = range.split('/') as [string, string];
  special.addSubnet(network, Number(prefix), 'ipv4');
}

const ipv4 = fc.tuple(...Array.from({ length: 4 }, () => fc.nat(255))).map((parts) => parts.join('.'));
/** Addresses within and next to the special ranges. */
const nearSpecial = fc
  .tuple(
    fc.constantFrom(10, 100, 127, 168, 169, 172, 192, 198, 203, 224, 240),
    fc.nat(255),
    fc.nat(255),
    fc.nat(255),
  )
  .map((parts) => parts.join('.'));

test('an IPv4 address is public unless it is in a special range', (t) => {
  const agrees = (address: string): boolean => isPublicAddress(address) === !special.check(address);
  t.notThrows(() => fc.assert(fc.property(fc.oneof(ipv4, nearSpecial), agrees), { numRuns: 5_000 }));
});

test('IPv4 embedded in IPv6 is never public, in any form', (t) => {
  const wrappings = ['::', '::ffff:', '::ffff:0:', '64:ff9b::', '64:ff9b:1::', '2002:', '2001:0:'];
  const hidden = (address: string, wrapping: string): boolean => {
    const [a, b, c, d] = address.split('.').map(Number) as [number, number, number, number];
    const hex = `${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`;
    const spellings = wrapping.startsWith('200')
      ? [`${wrapping}${hex}::`]
      : [`${wrapping}${address}`, `${wrapping}${hex}`];
    return spellings.every((spelling) => !isPublicAddress(spelling));
  };
  t.notThrows(() => fc.assert(fc.property(ipv4, fc.constantFrom(...wrappings), hidden)));
});

test('public addresses are recognised, and other addresses and text are not', (t) => {
  for (const address of [
    '8.8.8.8',
    '1.1.1.1',
    '100.128.0.1',
    '172.32.0.1',
    '2606:4700::1111',
    '2a00:1450:4001:81b::200e',
  ])
    t.true(isPublicAddress(address), address);
  for (const address of [
    '::',
    '::1',
    '::127.0.0.1',
    '::7f00:1',
    '::ffff:7f00:1',
    '::FFFF:127.0.0.1',
    '0:0:0:0:0:0:0:1',
    '64:ff9b::7f00:1',
    '2002:7f00:1::',
    '2001::1',
    '2001:db8::1',
    '3fff::1',
    '100::1',
    '5f00::1',
    'fc00::1',
    'fd00:ec2::254',
    'fe80::1',
    'fe80::1%eth0',
    'fec0::1',
    'ff02::1',
    '4000::1',
    '169.254.169.254',
    '100.100.100.200',
    '168.63.129.16',
    '255.255.255.255',
    '',
    '1.2.3',
    '1.2.3.4.5',
    '256.1.1.1',
    'example.com',
    '0x7f.1',
    ':',
    ':::',
    '12345::',
  ])
    t.false(isPublicAddress(address), address);
});

test("a receiver's URL must be https, without credentials, and not private in any notation", (t) => {
  const refused = [
    'http://hooks.example.com/',
    'ftp://hooks.example.com/',
    'hooks.example.com',
    'javascript:alert(1)',
    '',
    'https://user@hooks.example.com/',
    'https://u:p@hooks.example.com/',
    'https://',
    'https://exa mple.com/',
    'https://127.0.0.1/',
    'https://0x7f.1/',
    'https://0177.0.0.1/',
    'https://2130706433/',
    'https://127.1/',
    'https://[::ffff:7f00:1]/',
    'https://[::127.0.0.1]/',
    'https://[::1]/',
    'https://[64:ff9b::7f00:1]/',
    'https://１２７.０.０.１/',
    'https://127.0.0.1./',
    'https://①②⑦.0.0.1/',
    'https://[::FFFF:10.0.0.1]:8443/',
    'https://localhost/',
    'https://LOCALHOST./',
    'https://api.localhost/',
    'https://intranet/',
    'https://metadata.google.internal/',
    'https://169.254.169.254/latest/meta-data',
    'https://0/',
  ];
  for (const url of refused) {
    const error = t.throws(() => readReceiverUrl(url, false), undefined, url);
    t.like(error, { code: 'validation_failed', context: { param: 'url' } });
  }
  for (const url of ['https://hooks.example.com/in', 'https://8.8.8.8:8443/', 'https://[2606:4700::1]/x?y=1'])
    t.is(readReceiverUrl(url, false).href, url);
});

test('in development any address and plain HTTP are allowed, and nothing else', (t) => {
  for (const url of ['http://127.0.0.1:9000/in', 'https://localhost/', 'http://[::1]/'])
    t.is(readReceiverUrl(url, true).href, url);
  for (const url of ['ftp://127.0.0.1/', 'http://user@127.0.0.1/', 'nonsense'])
    t.throws(() => readReceiverUrl(url, true), undefined, url);
});
