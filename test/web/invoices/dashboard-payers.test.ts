import { DAY_MS } from '../../../domain/durations.js';
import test from 'ava';
import { confirmedBooking, freeHour, hoursLater } from '../../support/bookings.js';
import { CARD_YEAR, formatDateAsPages, WINTER_WEDNESDAY } from '../../support/days.js';
import { pageText } from '../../support/dashboard.js';
import { simulator } from '../../support/simulators.js';
import { db } from '../../support/stack.js';
import { until } from '../../support/until.js';
import { newRoom, newWorkspace, findOwnerEmail } from '../../support/workspaces.js';
import { sweep } from '../../support/invariants.js';
import { readNotice, WebSession } from '../../support/web-session.js';
import { newMember } from '../../support/people.js';

test('an operator gives a company terms, gets a card link for it, and removes the card', async (t) => {
  const workspace = await newWorkspace();
  const { api } = workspace;
  const { body: company } = await api.post('/v1/companies', { name: 'Northwind' });
  const owner = await WebSession.start(await findOwnerEmail(workspace.id));
  await owner.enrol();
  const page = `/dashboard/${workspace.id}/companies/${company.id}`;
  const now = async () => (await api.get(`/v1/companies/${company.id}`)).body;

  const wrong = await owner.submit(page, `${page}/terms`, { payment_terms: 'soon', credit_limit_minor: '' });
  t.is(wrong.status, 422);
  t.regex(await wrong.text(), /The payment terms must be a number/);
  const terms = { payment_terms: '30', credit_limit_minor: '£1,000' };
  t.is(readNotice(await owner.submit(page, `${page}/terms`, terms)), 'Payment terms saved.');
  t.like(await now(), { payment_terms: 30, credit_limit_minor: 100_000 });
  t.regex(await owner.getText(page), /up to £1,000\.00, due within 30 days/);
  const statement = { ...terms, monthly_statement: 'on' };
  const without = await owner.submit(page, `${page}/terms`, { ...statement, payment_terms: '' });
  t.regex(await without.text(), /The monthly statement requires the payment terms/);
  await owner.submit(page, `${page}/terms`, statement);
  t.regex(await owner.getText(page), /Next on \w+ 1 \w+/);

  t.regex(readNotice(await owner.submit(page, `${page}/card-setup`))!, /^Card link created/);
  const link = /aria-label="Card link"[^>]*>|value="([^"]+)" aria-label="Card link"/.exec(
    await owner.getText(page),
  )![0];
  await simulator('POST', `/_sim/checkout/${/cs_[A-Za-z0-9_]+/.exec(link)![0]}/pay`, {});
  await until(async () => (await now()).card);
  const shown = await owner.getText(page);
  t.regex(shown, new RegExp(`Visa ending in 4242, until 12/${CARD_YEAR}`));
  t.false(shown.includes('Card link'), 'its link is used up');
  await owner.submit(page, `${page}/terms`, { ...terms, autopay: 'on' });
  t.true((await now()).autopay);

  t.regex(readNotice(await owner.submit(page, `${page}/card/remove`))!, /^Card removed/);
  t.like(await now(), { card: null, autopay: false, payment_terms: 30, monthly_statement: false });
  t.is((await api.delete(`/v1/companies/${company.id}/card`)).status, 204, 'also without a card');
  const { body: log } = await api.get('/v1/audit-log?action=card.removed');
  t.deepEqual(
    log.data.map(({ object, actor }) => [object, actor.member_id]),
    [[company.id, workspace.ownerId]],
  );
});

test('an operator books on a member’s company’s account, within what is left of its limit', async (t) => {
  const workspace = await newWorkspace();
  const { api } = workspace;
  const terms = { payment_terms: 14, credit_limit_minor: 5_000 };
  const { body: company } = await api.post('/v1/companies', { name: 'Acme', ...terms });
  const member = await newMember(workspace, { name: 'Carl', company_id: company.id });
  const room = await newRoom(api);
  const owner = await WebSession.start(await findOwnerEmail(workspace.id));
  await owner.enrol();
  const home = `/dashboard/${workspace.id}`;
  const words = (html: string): string => html.replaceAll(/<[^>]+>/g, ' ').replaceAll(/\s+/g, ' ');
  t.regex(
    words(await owner.getText(`${home}/members/${member.id}`)),
    /Terms When booking, or on account up to £50\.00, due within 14 days Paid by Acme/,
  );
  const book = (hours: number, fields: Record<string, string>) => {
    const { start_at, end_at } = freeHour(hours);
    const times = { start_at: start_at.slice(0, 16), end_at: end_at.slice(0, 16) };
    const form = { room_id: room.id, ...times, attendees: '1', ...fields };
    return owner.submit(`${home}/book`, `${home}/book`, form);
  };
  const { email } = member;
  t.regex(
    words(await (await book(30, { email })).text()),
    /Acme can also pay on account: £50\.00 of £50\.00/,
  );
  const guest = { email: 'g@example.com', name: 'G', on_account: 'on' };
  t.regex(await (await book(30, guest)).text(), /Guests pay on the payment page/);
  const asked = await book(30, { email, on_account: 'on' });
  t.regex(
    words(await asked.clone().text()),
    /for Carl, paid by Acme[^]*Acme gets an invoice, due within 14 days\. Credit limit: £50\.00 of £50\.00 is left/,
  );
  const made = await owner.confirmForm(asked);
  t.is(readNotice(made), 'Booking confirmed.');
  const id = made.headers.get('location')!.split('/').at(-1)!;
  t.like((await api.get(`/v1/bookings/${id}`)).body, { status: 'confirmed', company_id: company.id });
  const change = await owner.getText(`${home}/bookings/${id}/change`);
  t.false(change.includes('charging the card'), 'it was not paid with one');
  const over = await book(60, { email, on_account: 'on' });
  t.is(over.status, 409);
  t.regex(await over.text(), /the credit limit of its payer: £20\.00 of £50\.00 is available/);
  await api.patch(`/v1/companies/${company.id}`, { credit_limit_minor: null });
  t.regex(
    words(await (await book(60, { email, on_account: 'on' })).text()),
    /due within 14 days\. No credit limit: £30\.00 is outstanding before this booking\./,
  );
});

test('members save a card for themselves, and nobody else does it for them', async (t) => {
  const workspace = await newWorkspace();
  const [member, other] = [await newMember(workspace), await newMember(workspace)];
  const session = await WebSession.start(member.email);
  const page = `/dashboard/${workspace.id}/members/${member.id}`;
  t.regex(readNotice(await session.submit(page, `${page}/card-setup`))!, /^Card link created/);
  t.false((await session.getText(page)).includes('Payment terms'));
  t.is((await session.post(`/dashboard/${workspace.id}/members/${other.id}/card/remove`)).status, 403);
});

test('the invoice and the overview say how an unpaid invoice is collected', async (t) => {
  const workspace = await newWorkspace();
  const { api } = workspace;
  const { id: member_id } = await newMember(workspace, { name: 'Rosa Parks' });
  const { body: invoice } = await api.post(
    '/v1/invoices',
    {
      member_id,
      currency: 'GBP',
      due_at: new Date(Date.now() + 10 * DAY_MS).toISOString(),
      lines: [{ description: 'Desk', quantity: 1, unit_amount_minor: 2_500, tax_code: 'ZERO' }],
    },
    { 'idempotency-key': 'collected' },
  );
  const owner = await WebSession.start(await findOwnerEmail(workspace.id));
  await owner.enrol();
  const home = `/dashboard/${workspace.id}`;
  // The run has decided, and waits: it does not overwrite what this test stores.
  await until(async () => {
    const [collection] = await db.query(
      `SELECT notify_at > now() + interval '1 day' AS waits FROM collections WHERE invoice_id = $1`,
      [invoice.id],
    );
    return collection?.waits;
  });
  t.regex(await owner.getText(`${home}/invoices/${invoice.id}`), /Scheduled<\/span>[^]*Next step:/);
  t.false((await owner.getText(home)).includes('in collection'), 'an invoice that is not due is not listed');

  await db.query(
    `UPDATE collections SET status = 'retrying', attempts = 2, next_at = $2, notify_at = NULL
     WHERE invoice_id = $1`,
    [invoice.id, `${WINTER_WEDNESDAY}T10:00:00Z`],
  );
  const next = formatDateAsPages(WINTER_WEDNESDAY);
  for (const path of [home, `${home}/invoices/${invoice.id}`]) {
    const text = (await owner.getText(path)).replaceAll(/<[^>]+>/g, ' ');
    t.regex(text, /The card was declined\./, path);
    t.true(pageText(text).includes(`2 charge attempts. Next charge or reminder: ${next}, 10:00.`), path);
  }
  const waiting = await owner.getText(home);
  t.regex(waiting, /Rosa Parks[^]*£25\.00/);
  t.false(waiting.includes('Send reminder'), 'it goes on by itself');
  await db.query(`UPDATE collections SET status = 'overdue', next_at = NULL WHERE invoice_id = $1`, [
    invoice.id,
  ]);
  await db.query(`UPDATE invoices SET due_at = now() - interval '8 days' WHERE id = $1`, [invoice.id]);
  const sent = await owner.submit(home, `${home}/invoices/${invoice.id}/remind`);
  t.regex(readNotice(sent)!, /^A reminder is being emailed to/);
});

test('a member whose company has payment terms books on account; one without pays at the checkout', async (t) => {
  const workspace = await newWorkspace();
  const { api } = workspace;
  const room = await newRoom(api);
  const terms = { payment_terms: 14, credit_limit_minor: 5_000 };
  const { body: company } = await api.post('/v1/companies', { name: 'Acme', ...terms });
  const page = `/dashboard/${workspace.id}/book`;
  const member = await newMember(workspace, { company_id: company.id });
  const session = await WebSession.start(member.email);
  t.regex(await session.getText(page), /On account, on the payment terms of Acme/);
  const { start_at, end_at } = freeHour();
  const times = { start_at: start_at.slice(0, 16), end_at: end_at.slice(0, 16) };
  const form = { room_id: room.id, ...times, attendees: '1', on_account: 'on' };
  const asked = await session.submit(page, page, form);
  const text = await asked.clone().text();
  t.regex(text, /Acme gets an invoice, due within 14\s+days/);
  t.notRegex(text, /Credit limit/, 'members do not see what their company owes');
  const made = await session.confirmForm(asked);
  t.is(readNotice(made), 'Booking confirmed.');
  const id = made.headers.get('location')!.split('/').at(-1)!;
  t.like((await api.get(`/v1/bookings/${id}`)).body, { status: 'confirmed', settle: 'on_account' });
  const other = await WebSession.start((await newMember(workspace)).email);
  t.notRegex(await other.getText(page), /On account/);
  await sweep(t, workspace);
});

test('a member sees the free times of a room on a day, and choosing a time fills in the form', async (t) => {
  const workspace = await newWorkspace();
  const slot = freeHour();
  const { booking } = await confirmedBooking(workspace.api, { slot });
  const session = await WebSession.start((await newMember(workspace)).email);
  const page = `/dashboard/${workspace.id}/book`;
  const local = (at: string) => at.slice(0, 16);
  const linkTo = async (at: string): Promise<string | undefined> => {
    const fields = { room_id: booking.room_id, day: at.slice(0, 10), minutes: '60' };
    const html = await session.getText(`${page}?${new URLSearchParams(fields)}`);
    const links = [...html.matchAll(/href="([^"]+)#start_at"/g)].map(([, href]) =>
      href!.replaceAll('&amp;', '&'),
    );
    return links.find((href) => href.includes(`&start_at=${encodeURIComponent(local(at))}&`));
  };
  t.is(await linkTo(slot.start_at), undefined, 'a booked time is not offered');
  const filled = await session.getText((await linkTo(slot.end_at))!);
  t.true(filled.includes(`value="${local(slot.end_at)}"`));
  t.true(filled.includes(`value="${local(hoursLater(slot.end_at, 1))}"`));
  const form = {
    room_id: booking.room_id,
    start_at: local(slot.start_at),
    end_at: local(slot.end_at),
    attendees: '1',
  };
  const taken = await (await session.submit(page, page, form)).text();
  t.regex(taken, /already booked for part of this time/);
  const day = new RegExp(`name="day" required(?:="")? value="${slot.start_at.slice(0, 10)}"`);
  const next = { ...form, start_at: local(slot.end_at), end_at: local(hoursLater(slot.end_at, 1)) };
  const asked = await session.submit(page, page, next);
  t.regex(await asked.clone().text(), /The slot is held while you pay/);
  t.regex(
    readNotice(await session.confirmForm(asked))!,
    /^Slot held\. Open the payment page from the booking/,
  );
  t.regex(taken, day, 'the free times are those of the day that was asked for');
  const owner = await WebSession.start(await findOwnerEmail(workspace.id));
  await owner.enrol();
  t.true((await owner.getText(page)).includes('Free times'), 'staff look for a time by phone');
});
