import test from 'ava';
import { newMember } from '../support/people.js';
import { today } from '../support/days.js';
import { WebSession } from '../support/web-session.js';
import { sweep } from '../support/invariants.js';
import { newInvoice, saveCard, SOFT_DECLINE } from '../support/payers.js';
import { freeHour, hoursLater } from '../support/bookings.js';
import { mailTo } from '../support/simulators.js';
import { until } from '../support/until.js';
import { findOwnerEmail } from '../support/workspaces.js';
import { book, newScene } from './on-account-calls.js';
import { message } from '../support/message.js';
import { page, post } from '../support/manage-link-calls.js';
import { openAs, pageText } from '../support/dashboard.js';

test('in the dashboard a booking on account shows who is invoiced, what is to pay, and what a cancellation leaves due', async (t) => {
  const refund_steps = [{ hours_before: 0, percent: 75 }];
  const { workspace, company, member, room } = await newScene(null, { refund_steps });
  const { api } = workspace;
  const owner = await WebSession.start(await findOwnerEmail(workspace.id));
  await owner.enrol();
  const home = `/dashboard/${workspace.id}`;
  const readText = async (response: Response) =>
    (await response.text()).replaceAll(/<[^>]+>/g, ' ').replaceAll(/\s+/g, ' ');
  const { start_at, end_at } = freeHour(30);
  const form = {
    room_id: room.id,
    start_at: start_at.slice(0, 16),
    end_at: end_at.slice(0, 16),
    email: member.email,
    attendees: '1',
    on_account: 'on',
  };
  const outsider = await newMember(workspace);
  const refused = await owner.submit(`${home}/book`, `${home}/book`, { ...form, email: outsider.email });
  t.regex(await readText(refused), /has no payment terms, so nothing can be booked on account/);
  const asked = await owner.submit(`${home}/book`, `${home}/book`, form);
  t.regex(await readText(asked), /Acme gets an invoice, due within 14 days.*Book for £30\.00 on account/);

  const { body: booking } = await book(member, room);
  const path = `${home}/bookings/${booking.id}`;
  const shown = (await owner.getText(path)).replaceAll(/<[^>]+>/g, ' ').replaceAll(/\s+/g, ' ');
  t.regex(shown, /To pay £30\.00, on account/);
  t.regex(shown, /Confirmed: on account/);
  t.regex(shown, /Room terms: £7\.50 remains due Nothing Everything: £30\.00 remains due/);
  const cancel = await owner.submit(path, `${path}/cancel`, { refund_policy: 'none' });
  t.regex(await readText(cancel), /Booked on account: £30\.00 remains due/);
  t.regex(
    await owner.getText(`${home}/members/${member.id}`),
    /or on account [^<]+<small>Paid by <a [^>]+>Acme</,
  );

  await api.post(`/v1/bookings/${booking.id}/cancel`, { refund_policy: 'none' });
  t.true((await owner.getText(path)).includes(message('terms.stays_due', { amount: '£30.00' })));
  const mail = await until(async () =>
    (await mailTo(member.email)).find(({ subject }) => /is cancelled/.test(subject)),
  );
  t.true(mail.text.includes(message('terms.stays_due', { amount: '£30.00' })));
  t.false(mail.text.includes('refunded in full'));

  const due_at = await today();
  const invoice = {
    payer: company.name,
    due_at,
    description: 'Desk',
    quantity: '1',
    unit_amount_minor: '10',
    tax_code: 'ZERO',
  };
  const plain = await owner.submit(`${home}/invoices/new`, `${home}/invoices/new`, invoice);
  t.false((await readText(plain)).includes('is charged to the card'));
  await saveCard(workspace, company.id, SOFT_DECLINE);
  await api.patch(`/v1/companies/${company.id}`, { autopay: true });
  const charged = await owner.submit(`${home}/invoices/new`, `${home}/invoices/new`, invoice);
  t.regex(await readText(charged), /£10\.00 is charged to the card ending in 0341 immediately/);
  await api.post(`/v1/invoices/${booking.invoice_id}/void`, {});
  const due = await newInvoice(workspace, company.id, 0);
  await until(async () => (await api.get(`/v1/invoices/${due.id}`)).body.collection!.status === 'retrying');
  const page = await owner.getText(`${home}/invoices/${due.id}`);
  t.regex(page, /One charge attempt/);
  t.true(page.includes('Void invoice'), 'a refused charge does not keep it');
  const declined = await until(async () =>
    (await mailTo(company.billing_email!)).find(
      ({ subject, text }) => /declined/.test(subject) && text.includes(due.pay_url!),
    ),
  );
  t.regex(declined.text, /We will try your card again on \w+ \d+ \w+ unless the invoice has been paid/);
  await api.post(`/v1/invoices/${due.id}/void`, {});
  await sweep(t, workspace);
});

test('no page offers to cancel a partly paid booking on account with a refund', async (t) => {
  const { workspace, member, room } = await newScene(null, { time_zone: 'UTC' });
  const { api } = workspace;
  const { body: booking } = await book(member, room);
  const { invoice_id, manage_url } = booking;
  await api.post(`/v1/invoices/${invoice_id}/mark-paid`, { amount_minor: 2_000, method: 'cash' });

  const guest = await page(`${manage_url}/cancel`);
  t.is(guest.status, 409);
  t.true(guest.text.includes(message('payer.error_partly_paid')));
  t.false(guest.text.includes(message('payer.cancel_booking')));

  const { session, home } = await openAs(workspace, { role: 'front_desk' });
  const at = `${home}/bookings/${booking.id}`;
  const only =
    /Amount still due Everything: £10\.00 remains due The invoice of this booking is partly paid\./;
  t.regex(pageText(await session.getText(at)), only);
  const refused = await session.submit(at, `${at}/cancel`, { refund_policy: 'standard' });
  t.regex(pageText(await refused.text()), /The invoice of this booking is partly paid\./);
  const kept = await session.submit(at, `${at}/cancel`, { refund_policy: 'none' });
  t.regex(pageText(await kept.text()), /Booked on account: £10\.00 remains due/);

  const closed = `${home}/rooms/${room.id}`;
  const inTheWay = await session.submit(closed, `${closed}/blackouts`, {
    start_at: booking.start_at.slice(0, 16),
    end_at: booking.end_at.slice(0, 16),
    reason: 'Painting',
  });
  const choices = pageText(await inTheWay.text());
  t.regex(choices, /on account, not paid yet/);
  t.regex(choices, /The invoice of this booking is partly paid\./);
  t.notRegex(choices, /Cancel, /);

  t.is((await api.post(`/v1/bookings/${booking.id}/cancel`, { refund_policy: 'none' })).status, 200);
  await sweep(t, workspace);
});

test('a move limits what a cancellation of an unpaid booking on account waives, and pages and mail say so', async (t) => {
  const refund_steps = [
    { hours_before: 24, percent: 100 },
    { hours_before: 0, percent: 25 },
  ];
  const { workspace, member, room } = await newScene(null, { time_zone: 'UTC', refund_steps });
  const { api } = workspace;
  const soon = freeHour(0).end_at;
  const slot = { start_at: hoursLater(soon, 1), end_at: hoursLater(soon, 2) };
  const { body: booking } = await book(member, room, slot);
  const start_at = hoursLater(booking.start_at, 240);
  const link = booking.manage_url!;
  const asked = await page(
    `${link}/move?${new URLSearchParams({ start: start_at, minutes: '60' }).toString()}`,
  );
  t.true(asked.text.includes(message('payer.due_after_move', { percent: 75 })), asked.text);
  const { session, home } = await openAs(workspace, { role: 'front_desk' });
  const at = `${home}/bookings/${booking.id}`;
  const review = await session.submit(`${at}/change`, `${at}/change`, {
    room_id: room.id,
    start_at: start_at.slice(0, 16),
    end_at: hoursLater(start_at, 1).slice(0, 16),
    attendees: '1',
  });
  const due = /If cancelled before the start, 75% of the price is due\./;
  t.regex(pageText(await review.text()), due);

  t.is((await api.patch(`/v1/bookings/${booking.id}`, { start_at })).status, 200);
  const shown = await page(link);
  t.regex(shown.text, due);
  t.false(shown.text.includes(message('terms.nothing_due')));
  const mail = await until(async () =>
    (await mailTo(member.email)).find(({ subject }) => /has changed/.test(subject)),
  );
  t.regex(mail.text, due);
  const cancel = await page(`${link}/cancel`);
  t.true(cancel.text.includes(message('payer.account_waived_kept', { waived: '£7.50', kept: '£22.50' })));
  t.is((await post(`${link}/cancel`, cancel.fields)).status, 303);
  await sweep(t, workspace);
});
