import test from 'ava';
import { openInvoice } from '../support/accounting.js';
import { openAs, wordsOf } from '../support/dashboard.js';
import { disputablePayment } from '../support/disputes.js';
import { newWorkspace } from '../support/workspaces.js';

test('a bookkeeper sees on the overview what needs a person about money, with a page that they may open', async (t) => {
  const workspace = await newWorkspace();
  const { id, dispute, untilPayment } = await disputablePayment(workspace);
  await dispute({ status: 'needs_response' });
  await untilPayment({ disputed_minor: 3_000 });
  const { session, home } = await openAs(workspace, { role: 'billing_contact' });
  const html = await session.textOf(home);
  const words = wordsOf(html);
  t.regex(words, /Needs attention .*A payment is disputed: £30\.00 .*View disputed payment/);
  t.regex(words, /£30\.00 received today £30\.00 withdrawn by banks/);
  t.regex(words, /You have no bookings or holds today\..*You have no upcoming bookings\./);
  t.true(html.includes(`${home}/payments/${id}`));
  const card = /<article class="card trouble">[^]*?<\/article>/.exec(html)![0];
  for (const [, link] of card.matchAll(/<a[^>]* href="(\/dashboard[^"]*)"/g))
    t.is((await session.get(link!)).status, 200, link);
  const { session: member } = await openAs(workspace, { role: 'member' });
  t.notRegex(wordsOf(await member.textOf(home)), /Needs attention|disputed/);
});

test('who may not change an invoice reads who may, and has a link to send in place of a button to pay', async (t) => {
  const workspace = await newWorkspace();
  const { body: company } = await workspace.api.post('/v1/companies', { name: 'Acme' });
  const invoice = await openInvoice(workspace, { company_id: company.id });
  const { session, home } = await openAs(workspace, { role: 'billing_contact' });
  const page = await session.textOf(`${home}/invoices/${invoice.id}`);
  t.notRegex(wordsOf(page), /Pay £/);
  t.regex(wordsOf(page), /Payment link .*Send it to the payer\./);
  t.true(page.includes(invoice.pay_url!));
  t.regex(
    wordsOf(page),
    /Owners and admins can record payments for and void this invoice\. Ask one of them\./,
  );
  t.regex(wordsOf(page), /Neither the invoice nor reminders are emailed: Acme has no billing email/);
  t.regex(wordsOf(await session.textOf(`${home}/invoices`)), /Acme not emailed: no billing email/);
  const payer = await openAs(workspace, { role: 'billing_contact', company_id: company.id });
  t.regex(wordsOf(await payer.session.textOf(`${home}/invoices/${invoice.id}`)), /Pay £120\.00/, 'their own');
});
