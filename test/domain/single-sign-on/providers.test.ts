import test from 'ava';
import {
  certificateNotice,
  isMultiTenant,
  isPublicMailDomain,
  mustUseProvider,
  providerIdentity,
  provisions,
  RESERVED_SIGN_IN_NAMES,
  whyNotSignInName,
} from '../../../domain/single-sign-on/providers.js';
import { DAY_MS } from '../../../domain/durations.js';
import { WITHOUT_KEY } from '../../support/rights-table.js';

test('no sign-in name equals the path of a page of the service', (t) => {
  const pages = WITHOUT_KEY.flatMap((route) => /^(?:GET|POST) \/sign-in\/([^/:]+)/.exec(route)?.[1] ?? []);
  t.true(pages.length > 4);
  t.deepEqual(
    [...new Set(pages)].filter((page) => !RESERVED_SIGN_IN_NAMES.includes(page)),
    [],
  );
  for (const name of RESERVED_SIGN_IN_NAMES) t.regex(whyNotSignInName(name) ?? '', /page of this service/);
});

test('a sign-in name has 3 to 40 letters, digits and hyphens, and a refusal says why', (t) => {
  for (const name of ['abc', 'a-b', 'x'.repeat(40), '123', 'house--2'])
    t.is(whyNotSignInName(name), null, name);
  for (const name of [
    '',
    'ab',
    '-abc',
    'abc-',
    'x'.repeat(41),
    'Abc',
    'münchen',
    'a_b',
    'a b',
    'a/b',
    'a\0b',
  ])
    t.regex(whyNotSignInName(name) ?? '', /3 to 40/, JSON.stringify(name));
});

test('an issuer for all tenants, or for private accounts, is distinguished from that of one tenant', (t) => {
  for (const tenant of [
    'common',
    'COMMON',
    'organizations',
    'consumers',
    '9188040d-6c67-4c5b-b112-36a304b66dad',
    '',
  ])
    for (const host of ['login.microsoftonline.com', 'login.microsoftonline.us', 'sts.windows.net'])
      t.true(
        isMultiTenant(new URL(`https://${host}/${tenant}/v2.0`.replace('//v2.0', '/'))),
        `${host} ${tenant}`,
      );
  t.false(
    isMultiTenant(new URL('https://login.microsoftonline.com/8d3e5f7a-0b1c-4d2e-9f3a-4b5c6d7e8f90/v2.0')),
  );
  t.false(isMultiTenant(new URL('https://id.example.com/common')));
});

test('an expiring certificate is announced 30 days and 7 days ahead, and once it has expired', (t) => {
  const now = new Date('2027-03-01T00:00:00Z');
  const noticeIn = (days: number) => certificateNotice(new Date(now.getTime() + days * DAY_MS), now);
  t.deepEqual([31, 30.01, 30, 8, 7.01, 7, 1, 0, -3].map(noticeIn), [null, null, 30, 30, 30, 7, 7, 7, 7]);
});

test('only the exact domain after the last @ is provisioned, and no domain at which anybody can get an address', (t) => {
  const provision = { tier: 'basic' as const, domains: ['example.com'] };
  t.true(provisions(provision, 'ada@example.com'));
  for (const address of [
    'ada@mail.example.com',
    'ada@badexample.com',
    '"a@example.com"@evil.test',
    'example.com',
    '',
  ])
    t.is(provisions(provision, address), address === 'example.com', address);
  t.false(provisions(null, 'ada@example.com'));
  t.true(isPublicMailDomain('gmail.com'));
  t.false(isPublicMailDomain('example.com'));
});

test('the provider is required of the team or of everybody, and never of the owner', (t) => {
  t.false(mustUseProvider('everyone', 'owner'));
  t.true(mustUseProvider('everyone', 'member'));
  t.false(mustUseProvider('staff', 'member'));
  t.true(mustUseProvider('staff', 'front_desk'));
  t.false(mustUseProvider('none', 'admin'));
});

test('another client or issuer is another provider, but other certificates and addresses are not', (t) => {
  const oidc = { protocol: 'oidc', issuer: 'https://id.example', client_id: 'a' } as const;
  t.not(providerIdentity(oidc), providerIdentity({ ...oidc, client_id: 'b' }));
  t.not(providerIdentity(oidc), providerIdentity({ ...oidc, issuer: 'https://id.example/' }));
  const saml = {
    protocol: 'saml',
    entity_id: 'https://id.example',
    sso_url: 'https://id.example/sso',
    binding: 'redirect',
    certificates: ['old'],
    sign_requests: false,
  } as const;
  t.is(
    providerIdentity({ ...saml, certificates: ['old'] }),
    providerIdentity({ ...saml, certificates: ['new'], sso_url: 'https://id.example/other' }),
  );
});
