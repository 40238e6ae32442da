import test from 'ava';
import { openInvoice } from '../support/accounting.js';
import { openAs, pageText } from '../support/dashboard.js';
import { disputablePayment } from '../support/disputes.js';
import { newWorkspace } from '../support/workspaces.js';

test('on the overview a bookkeeper sees what needs a person about money, with a page that they may open', async (t) => {
  const workspace = await newWorkspace();
  const { id, dispute, untilPayment } = await disputablePayment(workspace);
  await dispute({ status: 'needs_response' });
  await untilPayment({ disputed_minor: 3_000 });
  const { session, home } = await openAs(workspace, { role: 'billing_contact' });
  const html = await session.getText(home);
  const words = pageText(html);
  t.regex(words, /Needs attention .*A payment is disputed: £30\.00 .*View disputed payment/);
  t.regex(words, /£30\.00 received today £30\.00 withdrawn by banks/);
  t.regex(words, /You have no bookings or holds today\..*You have no upcoming bookings\./);
  t.true(html.includes(`${home}/payments/${id}`));
  const card = /<article class="card trouble">[^]*?<\/article>/.exec(html)![0];
  for (const [, link] of card.matchAll(/<a[^>]* href="(\/dashboard[^"]*)"/g))
    t.is((await session.get(link!)).status, 200, link);
  const { session: member } = await openAs(workspace, { role: 'member' });
  t.notRegex(pageText(await member.getText(home)), /Needs attention|disputed/);
});

test('a reader who may not change an invoice sees who may, and has a link to send in place of a payment button', async (t) => {
  const workspace = await newWorkspace();
  const { body: company } = await workspace.api.post('/v1/companies', { name: 'Acme' });
  const invoice = await openInvoice(workspace, { company_id: company.id });
  const { session, home } = await openAs(workspace, { role: 'billing_contact' });
  const page = await session.getText(`${home}/invoices/${invoice.id}`);
  t.notRegex(pageText(page), /Pay £/);
  t.regex(pageText(page), /Payment link .*Anyone with the link can view and pay the invoice\./);
  t.true(page.includes(invoice.pay_url!));
  t.regex(
    pageText(page),
    /Owners and admins can record payments for and void this invoice\. Ask one of them\./,
  );
  t.regex(pageText(page), /Neither the invoice nor reminders are emailed: Acme has no billing email/);
  t.regex(pageText(await session.getText(`${home}/invoices`)), /Acme not emailed: no billing email/);
  const payer = await openAs(workspace, { role: 'billing_contact', company_id: company.id });
  t.regex(
    pageText(await payer.session.getText(`${home}/invoices/${invoice.id}`)),
    /Pay £120\.00/,
    'their own',
  );
});
