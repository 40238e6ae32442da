import test from 'ava';
import { SSO_REFUSAL_REASONS } from '../../../web/sign-in/single-sign-on/identity.js';
import { ADVICE, warningsAbout } from '../../../web/sign-in/single-sign-on/test-advice.js';

const OIDC = { protocol: 'oidc', issuer: 'https://id.example', client_id: 'a' } as const;
const fine = { email: 'ada@example.com', authenticated_at: new Date() };
const ADA = { name: 'Ada', status: 'active' };

test('every reason for refusing an answer has a sentence and what to do about it', (t) => {
  for (const reason of SSO_REFUSAL_REASONS) {
    const { problem, fix } = ADVICE[reason];
    t.regex(problem, /^[A-Z].*\.$/, reason);
    t.regex(fix, /^[A-Z].*\.$/, reason);
  }
});

test('a passed test warns about what will surprise, and about nothing else', (t) => {
  const warned = (of: Partial<typeof fine> | object, member: typeof ADA | null = ADA, provisioned = false) =>
    warningsAbout({ ...fine, ...of }, { member, provisioned }, OIDC);
  t.deepEqual(warned({}), []);
  t.deepEqual(warned({}, null, true), [], 'they would become a member');
  t.regex(warned({ email: null })[0]!, /no email address/);
  t.regex(warned({ email: 'ada' })[0]!, /not an email address/);
  t.regex(warned({}, null)[0]!, /No member of this workspace has ada@example\.com/);
  t.regex(warned({}, { ...ADA, status: 'archived' })[0]!, /archived/);
  t.regex(warned({ authenticated_at: null })[0]!, /auth_time.*fresh confirmation/);
});
