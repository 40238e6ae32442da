import test from 'ava';
import { layOut } from '../../../activities/mail/templates/layout.js';
import { renderOwnerMail } from '../../../activities/mail/templates/owner.js';
import { LONG_MAILS, TEXTS } from './long-mails.js';

test('the mail about a new admin opens the audit log at what made them one', async (t) => {
  const facts = { name: 'Mallory', email: 'mallory@example.com', action: 'member.invited' };
  const who = { to: 'ada@example.com', name: 'Ada', workspace_id: 'ws_1', workspace_name: 'House' };
  const mail = { id: 'mail_1', kind: 'admin_added', ...who, time_zone: 'UTC', facts } as const;
  const { html } = await layOut(renderOwnerMail(mail, 'https://d'), null);
  t.true(html.includes('https://d/ws_1/audit-log?action=member.invited'));
});

test('the mail about a code that makes bookings free gives every reason for which it is sent', async (t) => {
  const [content] = LONG_MAILS.full_discount_saved(TEXTS.long);
  const { text } = await layOut(content!, null);
  t.regex(text, /takes 100% off\. It was added, changed or restored\./);
});
