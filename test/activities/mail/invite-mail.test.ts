import test from 'ava';
import { renderInviteMail } from '../../../activities/mail/templates/invite.js';
import { layOut } from '../../../activities/mail/templates/layout.js';
import { renderOwnerMail } from '../../../activities/mail/templates/owner.js';
import { DEFAULT_TAX_CODES } from '../../../domain/rates/price.js';
import type { OpenInvite } from '../../../db/queries/members/invite.js';

const invite: OpenInvite = {
  id: 'ivt_1',
  member_id: 'mem_1',
  workspace_id: 'ws_1',
  workspace_name: 'House',
  profile_id: 'prof_1',
  name: 'Ada',
  email: 'ada@example.com',
  role: 'member',
  expires_at: new Date(),
  completes_signup: true,
  tier: 'basic',
  billed: false,
  company_name: null,
  trial_ends_at: null,
  time_zone: 'UTC',
  currency: 'GBP',
  tax_codes: DEFAULT_TAX_CODES,
  tier_prices: { basic: 0, plus: 4_900, pro: 7_900, enterprise: 0 },
  plans: {},
};

const renderMailText = async (changes: Partial<OpenInvite>): Promise<string> =>
  (await layOut(renderInviteMail('mail_1', { ...invite, ...changes }, 'https://invite'), null)).text;

test('an invite names the role, and the plan only if there is one', async (t) => {
  const staff = await renderMailText({ role: 'front_desk' });
  t.regex(staff, /House has invited you to work at its front desk\.\s+You can see all bookings/);
  t.notRegex(staff, /plan|member|charged/);
  t.regex(
    await renderMailText({ role: 'billing_contact' }),
    /to become a billing contact\.\s+You can see all invoices/,
  );
  t.regex(
    await renderMailText({ role: 'admin' }),
    /to become an admin\.\s+You can change everything .* two-step verification/s,
  );
  t.notRegex(await renderMailText({}), /plan|charged/, 'a member without a plan');
  t.regex(
    await renderMailText({ tier: 'plus', billed: true, role: 'front_desk' }),
    /at its front desk.*Your plan: Plus/s,
  );
});

test('a person is greeted without a name if only their address is known', async (t) => {
  t.regex(await renderMailText({}), /^Hello Ada,/);
  t.regex(await renderMailText({ name: 'ada' }), /^Hello,/);
});

test('the mail about a new workspace comes from the service', async (t) => {
  const facts = { email: 'karla@example.com' };
  const to = facts.email;
  const who = { to, name: 'karla', workspace_id: 'ws_1', workspace_name: 'House', time_zone: 'UTC' };
  const content = renderOwnerMail({ id: 'mail_1', kind: 'workspace_created', ...who, facts }, 'https://d');
  const { text, subject } = await layOut(content, null);
  t.is(subject, 'Your workspace is ready (House)');
  t.regex(text, /^Hello,\n.*\nHoldfast\n?$/s);
});
