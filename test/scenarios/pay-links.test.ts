import test from 'ava';
import { newKey, newMember } from '../support/people.js';
import { openInvoice } from '../support/accounting.js';
import { IN_A_YEAR } from '../support/days.js';
import { sweep } from '../support/invariants.js';
import { anonymous } from '../support/api-client.js';
import { mailTo, processorLedger, simulator } from '../support/simulators.js';
import { db, dev } from '../support/stack.js';
import { until } from '../support/until.js';
import { newWorkspace, uniqueEmail } from '../support/workspaces.js';
import { newBillingWorkspace, runSubscriptionInvoices } from '../support/subscriptions.js';
import { WebSession } from '../support/web-session.js';
import { openLink } from '../support/links.js';
import { message } from '../support/message.js';

const urlPath = (url: string): string => url.slice(dev.baseUrl.length);
const readHeading = (html: string): string => /<h1>(.*?)<\/h1>/.exec(html)![1]!;
const open = async (url: string) => {
  const response = await openLink(url);
  const html = await response.text();
  return { status: response.status, title: readHeading(html), html };
};
const mailAbout = (email: string, subject: string) =>
  until(async () => (await mailTo(email)).find((found) => found.subject.startsWith(subject)));
const sessionIn = (html: string): string => /cs_[A-Za-z0-9_]+/.exec(html)![0];

test('an opened invoice is mailed with a permanent link, and only a click on pay opens a session', async (t) => {
  const workspace = await newWorkspace({ name: 'Harbour House' });
  const { api } = workspace;
  const billing_email = uniqueEmail();
  const { body: company } = await api.post('/v1/companies', { name: 'Acme & Co', billing_email });
  const created = await openInvoice(workspace, { company_id: company.id });
  t.is(created.sent_at, null);
  const invoice = await until(async () => {
    const { body } = await api.get(`/v1/invoices/${created.id}`);
    return body.sent_at && body;
  });
  t.is(invoice.pay_url, created.pay_url, 'the link stays the same');
  const [mail, ...others] = await mailTo(billing_email);
  t.deepEqual(others, []);
  t.true(mail!.subject.startsWith(message('mail.invoice_opened_subject', { reference: 'HH-1' })));
  t.true(mail!.text.includes(invoice.pay_url!));
  const { body: sent } = await api.get('/v1/events?type=invoice.sent');
  t.is(sent.data.length, 1);
  t.like(sent.data[0]!.data.object, { id: invoice.id, sent_at: invoice.sent_at });
  t.false(JSON.stringify(sent).includes('/pay/'), 'events do not carry the link');

  const page = await open(invoice.pay_url!);
  t.is(page.title, message('payer.invoice_from', { name: 'Harbour House' }));
  t.true(page.html.includes('Pay £120.00'));
  t.deepEqual((await processorLedger(workspace)).sessions, [], 'opening the link starts nothing');
  const pdf = await fetch(`${invoice.pay_url}/pdf`);
  t.is(pdf.headers.get('content-type'), 'application/pdf');

  const [first, second] = [
    await anonymous('POST', urlPath(invoice.pay_url!)),
    await anonymous('POST', urlPath(invoice.pay_url!)),
  ];
  const session = sessionIn(first.body);
  t.is(sessionIn(second.body), session, 'one open session per invoice');
  await simulator('POST', `/_sim/checkout/${session}/pay`, {});
  await until(async () => (await open(invoice.pay_url!)).title === message('payer.invoice_paid'));
  const again = await anonymous('POST', urlPath(invoice.pay_url!));
  t.is(again.status, 303);
  t.is(again.headers.get('location'), `/pay/${invoice.id}`);
  const credit = { description: 'Heating', quantity: 1, unit_amount_minor: -10_000, tax_code: 'STANDARD' };
  const adjusted = { lines: [credit], reason: 'The room was\n15 degrees' };
  t.is((await api.post(`/v1/invoices/${invoice.id}/adjustments`, adjusted)).status, 201);
  const { html: refunded } = await until(async () => {
    const page = await open(invoice.pay_url!);
    return page.html.includes(message('payer.document_credit_note', { number: 'HH-1-C1' })) && page;
  });
  t.is(readHeading(refunded), message('payer.invoice_refunded'));
  const paid = message('payer.paid_on', { day: '.*', means: 'card' });
  const back = message('payer.refunded_on', { day: '.*' });
  t.regex(refunded, new RegExp(`${paid}.*£120\\.00.*${back}.*£120\\.00`, 's'));
  const note = await fetch(invoice.pay_url + /href="[^"]+(\/documents\/HH-1-C1\.pdf)"/.exec(refunded)![1]!);
  t.is(note.headers.get('content-type'), 'application/pdf');
  t.is(note.headers.get('content-disposition'), 'inline; filename="HH-1-C1.pdf"');

  const subject = message('mail.invoice_refund_subject', { reference: 'HH-1' });
  const refund = await mailAbout(billing_email, subject);
  t.true(refund.text.includes(message('terms.part_refunded', { amount: '£120.00' })), refund.text);
  t.true(refund.text.includes(message('mail.credit_notes', { n: 1 })), refund.text);
  t.regex(refund.text, /wrote:\s+> The room was 15 deg/);
  await sweep(t, workspace);
});

test('the payer of a voided invoice is told why, and its link says so', async (t) => {
  const workspace = await newWorkspace();
  const { api } = workspace;
  const billing_email = uniqueEmail();
  const { body: company } = await api.post('/v1/companies', { name: 'Acme & Co', billing_email });
  const other = await openInvoice(workspace, { company_id: company.id });
  await until(async () => (await api.get(`/v1/invoices/${other.id}`)).body.sent_at);
  await api.post(`/v1/invoices/${other.id}/void`, { reason: 'Sent twice', audit_note: 'by Joe' });
  const reference = other.document_number!;
  const voided = await mailAbout(billing_email, message('mail.voided_subject', { reference }));
  t.true(voided.text.includes(message('mail.voided', { reference, amount: '£120.00' })), voided.text);
  t.regex(voided.text, /wrote:\s+> Sent twice/);
  t.false(voided.text.includes('Joe'));
  t.is((await open(other.pay_url!)).title, message('payer.invoice_not_due'));
  await sweep(t, workspace);
});

test('a forged link leads to no invoice', async (t) => {
  const workspace = await newWorkspace();
  const { body: company } = await workspace.api.post('/v1/companies', { name: 'Acme & Co' });
  const [invoice, other] = [
    await openInvoice(workspace, { company_id: company.id }),
    await openInvoice(workspace, { company_id: company.id }),
  ];
  const signature = invoice.pay_url!.split('.').at(-1);
  for (const forged of [`${other.id}.${signature}`, `${other.id}.`, 'x.', `${invoice.id}.${signature}.x`]) {
    t.like(await open(`${dev.baseUrl}/pay/${forged}`), {
      status: 404,
      title: message('payer.invoice_unknown'),
    });
    t.is((await anonymous('POST', `/pay/${forged}`)).status, 404);
    t.is((await anonymous('GET', `/pay/${forged}/pdf`)).status, 404);
  }
});

test('staff replace a payment link: the earlier one ends, also where it is open, and the next mail has the new one', async (t) => {
  const workspace = await newWorkspace();
  const { api } = workspace;
  const { body: company } = await api.post('/v1/companies', { name: 'Acme' });
  const invoice = await openInvoice(workspace, { company_id: company.id });
  const cookie = `holdfast_link=${invoice.pay_url!.split('/').at(-1)}`;
  const opened = () => fetch(`${dev.baseUrl}/pay/${invoice.id}`, { headers: { cookie } });
  t.is((await opened()).status, 200);
  const rotated = await api.post(`/v1/invoices/${invoice.id}/rotate-pay-link`, {});
  t.is(rotated.status, 200);
  t.not(rotated.body.pay_url, invoice.pay_url);
  t.is((await opened()).status, 404);
  t.is((await open(invoice.pay_url!)).status, 404);
  t.is((await anonymous('POST', urlPath(invoice.pay_url!))).status, 404);
  t.is((await fetch(`${invoice.pay_url}/pdf`)).status, 404);
  t.is((await open(rotated.body.pay_url!)).status, 200);
  t.is((await api.get(`/v1/invoices/${invoice.id}`)).body.pay_url, rotated.body.pay_url);
  const { body: log } = await api.get('/v1/audit-log?action=invoice.pay_link_rotated');
  t.deepEqual(
    log.data.map(({ object }) => object),
    [invoice.id],
  );
});

test('members can read and pay the invoices that they pay themselves, and no others', async (t) => {
  const workspace = await newWorkspace();
  const { body: company } = await workspace.api.post('/v1/companies', { name: 'Acme' });
  const [member, colleague] = [
    await newMember(workspace),
    await newMember(workspace, { company_id: company.id }),
  ];
  const own = await openInvoice(workspace, { company_id: undefined, member_id: member.id });
  const companys = await openInvoice(workspace, { company_id: company.id });
  const listed = async (person: typeof member): Promise<string[]> =>
    (await person.api.get('/v1/invoices')).body.data.map(({ id }) => id);
  t.deepEqual(await listed(member), [own.id]);
  t.deepEqual(await listed(colleague), []);
  t.is((await member.api.get(`/v1/invoices/${own.id}`)).body.pay_url, own.pay_url);
  for (const [person, invoice] of [
    [member, companys],
    [colleague, companys],
    [colleague, own],
  ] as const) {
    t.is((await person.api.get(`/v1/invoices/${invoice.id}`)).status, 404);
    t.is((await person.api.post(`/v1/invoices/${invoice.id}/checkout`)).status, 404);
  }
  const reader = await newKey(workspace, member.id, { resources: ['billing'], actions: ['read'] });
  t.is((await reader.post(`/v1/invoices/${own.id}/checkout`)).status, 403);
  t.is((await member.api.post(`/v1/invoices/${own.id}/mark-paid`, {})).status, 403);
  t.is((await member.api.get('/v1/payments')).status, 403);
  const { status, body } = await member.api.post(`/v1/invoices/${own.id}/checkout`);
  t.is(status, 200);
  await simulator('POST', `/_sim/checkout/${sessionIn(body.checkout_url)}/pay`, {});
  await until(async () => (await member.api.get(`/v1/invoices/${own.id}`)).body.status === 'paid');
  await sweep(t, workspace);
});

test('a subscription invoice is mailed when it is opened', async (t) => {
  const workspace = await newBillingWorkspace();
  const member = await newMember(workspace, { tier: 'pro' });
  await db.query(
    `UPDATE members SET joined_at = '2026-10-05T12:00Z', billing_anchor = '2026-10-05' WHERE id = $1`,
    [member.id],
  );
  const { created } = await runSubscriptionInvoices(workspace, '2026-10-05');
  t.is(created.length, 1);
  const [mail] = await until(async () => {
    const mails = await mailTo(member.email);
    return mails.length > 0 && mails;
  });
  const { body: invoice } = await member.api.get(`/v1/invoices/${created[0]}`);
  t.true(mail!.text.includes(invoice.pay_url!));
  t.like(invoice, { kind: 'subscription', status: 'open' });
});

test('an amount that cannot be charged has instructions in place of a button to pay', async (t) => {
  const workspace = await newWorkspace({ name: 'Harbour House' });
  const { api } = workspace;
  const member = await newMember(workspace);
  const { body: invoice } = await api.post('/v1/invoices', {
    member_id: member.id,
    currency: 'GBP',
    due_at: IN_A_YEAR,
    lines: [{ description: 'Copies', quantity: 1, unit_amount_minor: 20, tax_code: 'ZERO' }],
  });
  const page = await open(invoice.pay_url!);
  t.notRegex(page.html, /<button/);
  t.true(page.html.includes(message('payer.below_minimum', { amount: '£0.20', bound: '£0.30' })));
  t.true(page.html.includes(message('payer.contact_to_pay', { name: 'Harbour House' })));
  await api.patch('/v1/workspace', { payment_instructions: 'Bank of Harbour, 12-34-56 1234' });
  t.regex((await open(invoice.pay_url!)).html, /Bank of Harbour, 12-34-56 1234/);
  const session = await WebSession.start(member.email);
  const own = await session.getText(`/dashboard/${workspace.id}`);
  t.true(own.includes(invoice.id));
  t.false(own.includes(invoice.pay_url!), 'nor has the member’s own page');
});
