import test from 'ava';
import { bookingBody, pay, untilStatus } from '../../support/bookings.js';
import { formatDateAsPages, IN_A_YEAR, today, WINTER_WEDNESDAY } from '../../support/days.js';
import { db } from '../../support/stack.js';
import { until } from '../../support/until.js';
import { newRoom } from '../../support/workspaces.js';
import { readNotice, type WebSession } from '../../support/web-session.js';
import { createMember } from '../../support/member-calls.js';
import { alertText, openOffice, pageText } from '../../support/dashboard.js';

/** The subscriptions page's text about its run once that has ended. */
const untilRun = (session: WebSession, page: string): Promise<string> =>
  until(async () => {
    const shown = pageText(await session.getText(`${page}?run=yes`));
    return shown.includes('being created') ? null : shown;
  });

/**
 * Starts the run of a subscriptions page. Returns what staff are told at its end, for which the form itself
 * waits only a moment.
 */
async function runSubscriptions(session: WebSession, page: string): Promise<string> {
  const notice = readNotice(await session.submit(page, `${page}/run`))!;
  return notice.startsWith('Invoices are being created') ? untilRun(session, page) : notice;
}

test('an invoice is created, recorded as partly paid, and adjusted, each after its amounts are shown', async (t) => {
  const { workspace, session, home } = await openOffice();
  const { api } = workspace;
  await createMember(api, { email: 'ada@example.com', name: 'Ada Lovelace', send_invite: false });
  const line = {
    description: ['Desk', '', ''],
    quantity: ['3', '1', '1'],
    unit_amount_minor: ['25.00', '', ''],
    tax_code: ['STANDARD', 'STANDARD', 'STANDARD'],
  };
  const fields = { payer: 'ADA@example.com', due_at: WINTER_WEDNESDAY, reference: '', ...line };
  const page = `${home}/invoices/new`;
  const refused = await session.submit(page, page, { ...fields, unit_amount_minor: ['2.505', '', ''] });
  t.is(refused.status, 422);
  const shown = await refused.text();
  t.is(alertText(shown), 'Enter an amount in GBP, such as 30.00.');
  t.true(shown.includes('value="2.505"'), 'the input is shown again');

  const asked = await session.submit(page, page, fields);
  t.is(asked.status, 200);
  t.is((await api.get('/v1/invoices')).body.data.length, 0, 'nothing is created before the confirmation');
  const question = await asked.clone().text();
  t.regex(pageText(question), /do not show your legal name, address or tax number yet/);
  t.true(
    pageText(question).includes(
      `Ada Lovelace owes £90.00: £75.00 plus £15.00 tax, due ${formatDateAsPages(WINTER_WEDNESDAY)}. ` +
        'It is emailed to ada@example.com immediately',
    ),
  );
  const [first, again] = [await session.confirmForm(asked.clone()), await session.confirmForm(asked)];
  t.is(readNotice(first), 'Invoice TH-1 has been created.');
  t.is(
    again.headers.get('location'),
    first.headers.get('location'),
    'a second click creates no second invoice',
  );
  const { data } = (await api.get('/v1/invoices')).body;
  t.is(data.length, 1);
  t.like(data[0], { total_minor: 9_000, due_at: `${WINTER_WEDNESDAY}T00:00:00.000Z` });
  t.regex(pageText(await session.getText(`${home}/audit-log?action=invoice.created`)), /total: £90\.00/);

  const invoice = `${home}/invoices/${data[0]!.id}`;
  const paid = { method: 'cash', paid_at: '', reference: 'Till 2' };
  const tooMuch = await session.submit(invoice, `${invoice}/mark-paid`, { ...paid, amount_minor: '90.01' });
  t.is(alertText(await tooMuch.text()), 'At most £90.00 is outstanding.');
  const part = await session.submit(invoice, `${invoice}/mark-paid`, { ...paid, amount_minor: '£40' });
  t.regex(
    pageText(await part.clone().text()),
    /£40\.00 from Ada Lovelace by cash is recorded as received\. £50\.00 remains outstanding/,
  );
  t.is(readNotice(await session.confirmForm(part)), '£40.00 recorded as received. £50.00 is outstanding.');
  const rest = await session.submit(invoice, `${invoice}/mark-paid`, { ...paid, amount_minor: '50' });
  t.is(readNotice(await session.confirmForm(rest)), '£50.00 recorded as received. The invoice is paid.');

  const credit = {
    direction: 'credit',
    description: 'A day less',
    unit_amount_minor: '25',
    tax_code: 'STANDARD',
    adjust_reason: 'Ill',
  };
  const adjust = await session.submit(invoice, `${invoice}/adjust`, credit);
  t.regex(
    pageText(await adjust.clone().text()),
    /A day less: £25\.00 plus £5\.00 tax, £30\.00 in total\. It is refunded to Ada Lovelace/,
  );
  await session.confirmForm(adjust);
  const refunds = (await api.get('/v1/payments?kind=refund')).body.data;
  t.deepEqual(
    refunds.map(({ amount_minor }) => amount_minor),
    [3_000],
  );
  const { actor } = (await api.get('/v1/audit-log?action=invoice.adjusted')).body.data[0]!;
  t.deepEqual(actor, { member_id: workspace.ownerId, key_id: null });

  for (const q of ['1', '#1', 'th-1', 'TH-1-C1', 'lovelace', data[0]!.id, refunds[0]!.id])
    t.true((await session.follow(`${home}/invoices?q=${encodeURIComponent(q)}`)).path.length > 0, q);
  t.true((await session.getText(`${home}/invoices?q=lovelace`)).includes('TH-1</a>'));
  t.false((await session.getText(`${home}/invoices?q=hopper`)).includes('TH-1</a>'));
  t.is((await session.follow(`${home}/invoices?q=${data[0]!.id}`)).path, invoice);

  const other = await api.post('/v1/invoices', {
    member_id: data[0]!.member_id,
    currency: 'GBP',
    due_at: IN_A_YEAR,
    lines: [{ description: 'Desk', quantity: 1, unit_amount_minor: 1_000, tax_code: 'ZERO' }],
  });
  const open = `${home}/invoices/${other.body.id}`;
  t.is(
    readNotice(await session.submit(open, `${open}/send`)),
    'The invoice is being emailed to ada@example.com.',
  );
  await session.submit(open, `${open}/checkout`);
  t.true((await session.getText(open)).includes(other.body.pay_url!));
  t.regex(await session.getText(open), /Card payment page<\/h2>[^]*?<a href="http[^"]+">Open page/);
  const voided = await session.submit(open, `${open}/void`, { reason: 'Typo' });
  t.is(readNotice(voided), 'Invoice voided. £10.00 is no longer due.');
  t.regex(pageText(await session.getText(open)), /Voided [^“]*“Typo”/, 'the reason is shown afterwards');
});

test('a payment is refunded after a confirmation, and never more than was paid', async (t) => {
  const { workspace, session, home } = await openOffice();
  const { api } = workspace;
  const room = await newRoom(api);
  const guest = { booked_by: { guest: { email: 'marie@example.com', name: 'Marie Curie' } } };
  const { body: booking } = await api.post('/v1/bookings', bookingBody(room.id, guest));
  const invoice = `${home}/invoices/${booking.invoice_id}`;
  const offers = (html: string) =>
    ['send', 'checkout', 'mark-paid', 'void'].filter((action) => html.includes(`"${invoice}/${action}"`));
  t.deepEqual(
    offers(await session.getText(invoice)),
    [],
    'the booking manages its invoice, which is not issued yet',
  );
  await pay(booking);
  await untilStatus(api, booking.id, 'confirmed');
  const [payment] = (await api.get(`/v1/payments?booking_id=${booking.id}`)).body.data;
  const page = `${home}/payments/${payment!.id}`;
  const refund = (amount_minor: string) =>
    session.submit(page, `${page}/refund`, { amount_minor, reason: 'duplicate', notify_payer: 'on' });
  t.is(alertText(await (await refund('30.01')).text()), 'At most £30.00 can be refunded.');
  const asked = await refund('10');
  t.regex(
    pageText(await asked.clone().text()),
    /£10\.00 of £30\.00 is refunded to Marie Curie, to the card they paid with\. £20\.00 remains refundable/,
  );
  t.is((await api.get(`/v1/payments/${payment!.id}`)).body.refunded_minor, 0);
  const [done, again] = [await session.confirmForm(asked.clone()), await session.confirmForm(asked)];
  t.regex(readNotice(done)!, /^£10\.00 (has been|is being) refunded/);
  t.is(again.status, 302);
  t.is(
    (await api.get(`/v1/payments/${payment!.id}`)).body.refunded_minor,
    1_000,
    'a second click refunds nothing',
  );
  t.regex(pageText(await session.getText(`${home}/payments`)), /Refund paid twice TH-\d+ Marie Curie/);
  const [made] = (await api.get(`/v1/payments?booking_id=${booking.id}&kind=refund`)).body.data;
  await until(async () =>
    /Refund in Stripe[^]*>re_\w+</.test(await session.getText(`${home}/payments/${made!.id}`)),
  );

  const { body: atDesk } = await api.post('/v1/bookings', bookingBody(room.id));
  const cash = { method: 'cash', amount_minor: 3_000 };
  const { id } = (await api.post(`/v1/bookings/${atDesk.id}/payments`, cash)).body.payment;
  const money = `${home}/payments/${id}`;
  const back = await session.confirmForm(
    await session.submit(money, `${money}/refund`, { amount_minor: '10', reason: 'duplicate' }),
  );
  t.is(
    readNotice(back),
    'The refund of £10.00 is recorded. The payment was not made online, so return the money yourself.',
  );
  t.regex(
    pageText(await session.getText(`${home}/bookings/${atDesk.id}`)),
    /Refund · cash Recorded −£10\.00.*Payment page opened.*paid by cash.*A refund of £10\.00 is recorded Refunded by [^.]+\. Reason: paid twice\. The payment was not made online, so return the money yourself\./,
  );

  const guests = await session.getText(`${home}/guests?email=MARIE@example.com`);
  t.regex(pageText(guests), /Guest Email marie@example\.com Bookings 1 /);
  const erased = await session.submit(`${home}/guests?email=marie@example.com`, `${home}/guests/erase`);
  t.is(readNotice(erased), 'Guest erased from one booking.');
  t.regex(
    await session.getText(`${home}/guests?email=marie@example.com`),
    /No bookings with this email address/,
  );
});

test('the subscriptions page shows what the run invoices, and an admin voids it permanently', async (t) => {
  const { workspace, session, home } = await openOffice();
  const { api } = workspace;
  const time_zone = new Date().getUTCHours() < 12 ? 'Asia/Tokyo' : 'Atlantic/Azores';
  await api.patch('/v1/workspace', { time_zone, tier_prices: { basic: 2_000, plus: 0 } });
  await createMember(api, { name: 'Ada Lovelace', send_invite: false });
  await createMember(api, { name: 'Alan Turing', send_invite: false, tier: 'plus' });
  await createMember(api, { name: 'Grace Hopper', send_invite: false, billed: false });
  const page = `${home}/subscriptions`;
  const before = pageText(await session.getText(page));
  t.regex(before, /With the next run, within 15 minutes, 1 payer is invoiced £24\.00, tax included\./);
  t.regex(before, /1 member is not invoiced, because Plus costs nothing/);
  t.regex(before, /Alan Turing .* no invoice/);
  t.regex(
    before,
    /not invoiced Member Why .*Alan Turing Plus costs nothing Grace Hopper does not pay for their plan/,
  );
  t.regex(await runSubscriptions(session, page), /One plan invoice has been created\./);
  const [invoice, ...others] = (await api.get('/v1/invoices')).body.data;
  t.deepEqual(others, []);
  t.like(invoice, { kind: 'subscription', status: 'open', total_minor: 2_400 });
  t.like(await api.post(`/v1/invoices/${invoice!.id}/void`, {}), { status: 409 });
  const at = `${home}/invoices/${invoice!.id}`;
  const open = pageText(await session.getText(at));
  t.regex(open, /Replace payment link/);
  t.regex(open, /£24\.00 will no longer be due ?\. This cannot be undone\./, 'the books do not have it');
  t.regex(open, /To bill a different amount, create a new invoice/);
  const voided = await session.submit(at, `${at}/void`, { reason: 'staff' });
  t.is(voided.status, 302);
  t.is((await api.get(`/v1/invoices/${invoice!.id}`)).body.status, 'void');
  const after = pageText(await session.getText(at));
  t.regex(after, /Replace invoice link/);
  t.notRegex(after, /payment link/, 'nothing is to be paid');
  t.regex(await runSubscriptions(session, page), /No plan invoice was due\./);
});

test('reconciliation and the subscription run show their results', async (t) => {
  const { workspace, session, home } = await openOffice();
  const { api } = workspace;
  // Memberships are invoiced from 06:00.
  const time_zone = new Date().getUTCHours() < 12 ? 'Asia/Tokyo' : 'Atlantic/Azores';
  const patched = await api.patch('/v1/workspace', { time_zone, tier_prices: { basic: 2_000 } });
  t.is(patched.status, 200);
  await createMember(api, { name: 'Ada Lovelace', send_invite: false });
  const page = `${home}/subscriptions`;
  t.regex(pageText(await session.getText(page)), /Ada Lovelace .* £20\.00/);
  t.regex(await runSubscriptions(session, page), /One plan invoice has been created\./);
  t.regex(pageText(await session.getText(page)), /Plan \w+ \d+ \w+ .* £24\.00/);
  t.regex(await runSubscriptions(session, page), /No plan invoice was due\./);

  const day = await today();
  const report = pageText(await session.getText(`${home}/reconciliation?from=${day}&to=${day}`));
  t.regex(report, /invoices? compared, nothing to correct/);
  t.regex(pageText(await session.getText(`${home}/reconciliation`)), /Last comparison .* compared/);
  const long = await session.getText(`${home}/reconciliation?from=2020-01-01&to=${day}`);
  t.regex(long, /range of at most 92 days/);
});

test('the list of invoices leaves out what nobody owes, sums up overdue amounts, and is exported for a bookkeeper', async (t) => {
  const { workspace, session, home } = await openOffice();
  const { api } = workspace;
  const { id: member_id, email } = await createMember(api, { name: 'Ada Lovelace', send_invite: false });
  const line = { description: 'Desk', quantity: 1, unit_amount_minor: 1_250, tax_code: 'STANDARD' };
  const lines = [line, { ...line, unit_amount_minor: 500, tax_code: 'ZERO' }];
  const due = new Date(Date.now() + 30 * 86_400_000).toISOString();
  const made = await api.post('/v1/invoices', { member_id, currency: 'GBP', due_at: due, lines });
  t.is(made.status, 201);
  const room = await newRoom(api);
  t.is((await api.post('/v1/bookings', bookingBody(room.id))).status, 201);
  const page = `${home}/invoices`;
  const plain = pageText(await session.getText(page));
  t.regex(plain, /Ada Lovelace/);
  t.notRegex(plain, /overdue:|Marie Curie/, 'an unpaid hold is not in the list');
  t.regex(pageText(await session.getText(`${page}?all=yes`)), /Booking \w+ \d+ \w+ .*Ada Lovelace/s);
  await db.query(`UPDATE invoices SET due_at = now() - interval '21 days' WHERE workspace_id = $1`, [
    workspace.id,
  ]);
  const overdue = pageText(await session.getText(`${page}?status=overdue`));
  t.regex(overdue, /One invoice is overdue : £20\.00\. The oldest was due on .*, 21 days ago\./);
  t.regex(overdue, /overdue since [^,]+, 21 days £20\.00/, 'the age and what is left, in each row');
  t.notRegex(overdue, /Booking \w+ \d+ \w+ /);
  const csv = (await session.getText(`${home}/invoices.csv`)).split('\r\n');
  t.regex(csv[0]!, /Net at 20%,Tax at 20%,Net at 0%,Tax at 0%/);
  t.regex(csv[1]!, /,GBP,17\.50,2\.50,20\.00,0\.00,20\.00,12\.50,2\.50,5\.00,0\.00,/);
  t.regex(csv[1]!, /,\d{4}-\d\d-\d\d,\d{4}-\d\d-\d\d,,GBP/);
  const one = `${home}/invoices/${made.body.id}`;
  await until(async () => (await api.get(`/v1/invoices/${made.body.id}`)).body.sent_at);
  const sent = pageText(await session.getText(one));
  t.regex(sent, /Invoice \S+ £20\.00 due 21 days overdue Record payment/);
  t.is(sent.match(/overdue/g)!.length, 1, 'once on the page');
  t.regex(sent, /Email invoice/);
  t.is(readNotice(await session.submit(one, `${one}/remind`)), `A reminder is being emailed to ${email}.`);
  t.regex(pageText(await session.getText(one)), /Emailed .* Latest reminder/);
  await session.confirmForm(
    await session.submit(one, `${one}/mark-paid`, {
      amount_minor: '20',
      method: 'cash',
      paid_at: await today(),
    }),
  );
  const paid = pageText(await session.getText(one));
  t.regex(paid, /Invoice \S+ Paid View PDF/);
  t.regex(paid, /Email invoice/);
  t.notRegex(paid, /Send reminder/, 'a payer who has paid is not reminded');
});

test('staff see the progress of a run of subscription invoices, and a second start joins it', async (t) => {
  const { workspace, session, home } = await openOffice();
  const { api } = workspace;
  const time_zone = new Date().getUTCHours() < 12 ? 'Asia/Tokyo' : 'Atlantic/Azores';
  await api.patch('/v1/workspace', { time_zone, tier_prices: { basic: 2_000 } });
  const { id } = await createMember(api, { name: 'Ada Lovelace', send_invite: false });
  const page = `${home}/subscriptions`;
  t.regex(pageText(await session.getText(`${page}?run=yes`)), /No run was started\./);
  await db.transaction(async (tx) => {
    // The run waits for the row of its payer.
    await tx.query(`SELECT FROM members WHERE id = $1 FOR UPDATE`, [id]);
    for (const submitted of await Promise.all([1, 2].map(() => session.submit(page, `${page}/run`)))) {
      t.is(submitted.status, 302);
      t.is(submitted.headers.get('location'), `${page}?run=yes`);
      t.regex(readNotice(submitted)!, /^Invoices are being created\./);
    }
    const shown = pageText(await session.getText(`${page}?run=yes`));
    t.regex(shown, /Invoices are being created\. No plan invoices have been created so far\. Refresh/);
  });
  t.regex(await untilRun(session, page), /One plan invoice has been created\./);
  t.is((await api.get('/v1/invoices')).body.data.length, 1);
});
