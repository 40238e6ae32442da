import { DAY_MS } from '../../domain/durations.js';
import test from 'ava';
import {
  db,
  bookingBody,
  newRoom,
  newWorkspace,
  ownerOf,
  pay,
  until,
  untilStatus,
  type TestWorkspace,
} from '../support/stack.js';
import { confirmedBooking, hoursLater } from '../support/bookings.js';
import { openReceiver } from '../support/receiver.js';
import { noticeOf, WebSession } from '../support/web-session.js';
import { createMember } from '../api/member-calls.js';

/** A workspace and the session of its owner. */
async function openOffice(): Promise<{ workspace: TestWorkspace; session: WebSession; home: string }> {
  const workspace = await newWorkspace();
  const session = await WebSession.start(await ownerOf(workspace.id));
  await session.enrol();
  return { workspace, session, home: `/dashboard/${workspace.id}` };
}

/** The text of a page, without markup. */
const wordsOf = (html: string): string =>
  html
    .replace(/<style>[^]*?<\/style>/, '')
    .replace(/<[^>]+>/g, ' ')
    .replaceAll('&#39;', "'")
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&')
    .replace(/\s+/g, ' ');

const alertOf = (html: string): string => wordsOf(/role="alert">([^]*?)<\/div>/.exec(html)?.[1] ?? '').trim();

test('a change that the bank wants to authenticate shows its link, amount and time, and is withdrawn', async (t) => {
  const { workspace, session, home } = await openOffice();
  const { booking } = await confirmedBooking(workspace.api, { card: '4000002760003184' });
  const path = `${home}/bookings/${booking.id}`;
  const local = (time: string): string => time.slice(0, 16);
  const fields = {
    room_id: booking.room_id,
    start_at: local(booking.start_at),
    end_at: local(hoursLater(booking.end_at, 1)),
    attendees: '1',
    notes: '',
  };
  const asked = await session.submit(`${path}/change`, `${path}/change`, fields);
  t.regex(wordsOf(await asked.clone().text()), /£30\.00 is charged to the card.*you get a link/);
  t.regex(noticeOf(await session.confirmForm(asked))!, /takes effect once the payer has paid/);
  const { body: pending } = await workspace.api.get(`/v1/bookings/${booking.id}/pending-change`);
  const shown = await session.textOf(path);
  t.true(shown.includes(pending.checkout_url));
  const words = wordsOf(shown);
  t.regex(words, /Amount due £30\.00 Lapses at .* left Payment page/);
  t.regex(words, /Waiting for the payment of a change, which lapses at/);
  t.regex(words, /A change is awaiting payment of £30\.00 until/);
  t.false(words.includes('Change booking'));
  const withdrawn = await session.submit(path, `${path}/withdraw-change`);
  t.regex(noticeOf(withdrawn)!, /Change withdrawn/);
  const after = wordsOf(await session.textOf(path));
  t.regex(
    after,
    /was not applied The change was withdrawn before it was paid.*A change was not paid in time; the booking stays/,
  );
  t.false(after.includes('Amount due'), 'the link is gone');
});

test('an invoice is created, part of it is recorded as paid, and it is adjusted, each after its amounts are shown', async (t) => {
  const { workspace, session, home } = await openOffice();
  const { api } = workspace;
  await createMember(api, { email: 'ada@example.com', name: 'Ada Lovelace', send_invite: false });
  const line = {
    description: ['Desk', '', ''],
    quantity: ['3', '1', '1'],
    unit_amount_minor: ['25.00', '', ''],
    tax_code: ['STANDARD', 'STANDARD', 'STANDARD'],
  };
  const fields = { payer: 'ADA@example.com', due_at: '2030-01-31', reference: '', ...line };
  const page = `${home}/invoices/new`;
  const refused = await session.submit(page, page, { ...fields, unit_amount_minor: ['2.505', '', ''] });
  t.is(refused.status, 422);
  const shown = await refused.text();
  t.is(alertOf(shown), 'Enter an amount in GBP, such as 30.00.');
  t.true(shown.includes('value="2.505"'), 'the input is shown again');

  const asked = await session.submit(page, page, fields);
  t.is(asked.status, 200);
  t.is((await api.get('/v1/invoices')).body.data.length, 0, 'nothing is created before the confirmation');
  const question = await asked.clone().text();
  t.regex(wordsOf(question), /do not show your legal name, address or tax number yet/);
  t.regex(
    wordsOf(question),
    /Ada Lovelace owes £90\.00: £75\.00 and £15\.00 of tax, due Thu 31 Jan 2030\. It is emailed to ada@example\.com immediately/,
  );
  const [first, again] = [await session.confirmForm(asked.clone()), await session.confirmForm(asked)];
  t.is(noticeOf(first), 'Invoice #1 has been created.');
  t.is(
    again.headers.get('location'),
    first.headers.get('location'),
    'a second click creates no second invoice',
  );
  const { data } = (await api.get('/v1/invoices')).body;
  t.is(data.length, 1);
  t.like(data[0], { total_minor: 9_000, due_at: '2030-01-31T00:00:00.000Z' });
  t.regex(wordsOf(await session.textOf(`${home}/audit-log?action=invoice.created`)), /total: £90\.00/);

  const invoice = `${home}/invoices/${data[0]!.id}`;
  const paid = { method: 'cash', paid_at: '', reference: 'Till 2' };
  const tooMuch = await session.submit(invoice, `${invoice}/mark-paid`, { ...paid, amount_minor: '90.01' });
  t.is(alertOf(await tooMuch.text()), 'At most £90.00 is outstanding.');
  const part = await session.submit(invoice, `${invoice}/mark-paid`, { ...paid, amount_minor: '£40' });
  t.regex(
    wordsOf(await part.clone().text()),
    /£40\.00 from Ada Lovelace by cash is recorded as received\. £50\.00 remains outstanding/,
  );
  t.is(noticeOf(await session.confirmForm(part)), '£40.00 recorded as received. £50.00 is outstanding.');
  const rest = await session.submit(invoice, `${invoice}/mark-paid`, { ...paid, amount_minor: '50' });
  t.is(noticeOf(await session.confirmForm(rest)), '£50.00 recorded as received. The invoice is paid.');

  const credit = {
    direction: 'credit',
    description: 'A day less',
    unit_amount_minor: '25',
    tax_code: 'STANDARD',
    adjust_reason: 'Ill',
  };
  const adjust = await session.submit(invoice, `${invoice}/adjust`, credit);
  t.regex(
    wordsOf(await adjust.clone().text()),
    /A day less: £25\.00 and £5\.00 of tax, £30\.00 in total\. It is refunded to Ada Lovelace/,
  );
  await session.confirmForm(adjust);
  const refunds = (await api.get('/v1/payments?kind=refund')).body.data;
  t.deepEqual(
    refunds.map(({ amount_minor }) => amount_minor),
    [3_000],
  );
  const { actor } = (await api.get('/v1/audit-log?action=invoice.adjusted')).body.data[0]!;
  t.deepEqual(actor, { member_id: workspace.ownerId, key_id: null });

  for (const q of ['1', '#1', 'lovelace', data[0]!.id, refunds[0]!.id])
    t.true((await session.follow(`${home}/invoices?q=${encodeURIComponent(q)}`)).path.length > 0, q);
  t.true((await session.textOf(`${home}/invoices?q=lovelace`)).includes('#1</a>'));
  t.false((await session.textOf(`${home}/invoices?q=hopper`)).includes('#1</a>'));
  t.is((await session.follow(`${home}/invoices?q=${data[0]!.id}`)).path, invoice);

  const other = await api.post('/v1/invoices', {
    member_id: data[0]!.member_id,
    currency: 'GBP',
    due_at: '2030-01-01T00:00:00Z',
    lines: [{ description: 'Desk', quantity: 1, unit_amount_minor: 1_000, tax_code: 'ZERO' }],
  });
  const open = `${home}/invoices/${other.body.id}`;
  t.is(
    noticeOf(await session.submit(open, `${open}/send`)),
    'The invoice is being emailed to ada@example.com.',
  );
  await session.submit(open, `${open}/checkout`);
  t.true((await session.textOf(open)).includes(other.body.pay_url!));
  t.regex(await session.textOf(open), /Payment link<\/dt><dd><a href="http/);
  const voided = await session.submit(open, `${open}/void`, { reason: 'Typo' });
  t.is(noticeOf(voided), 'Invoice voided. £10.00 is no longer due.');
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
  t.deepEqual(offers(await session.textOf(invoice)), ['send'], 'the booking manages its invoice');
  await pay(booking);
  await untilStatus(api, booking.id, 'confirmed');
  const [payment] = (await api.get(`/v1/payments?booking_id=${booking.id}`)).body.data;
  const page = `${home}/payments/${payment!.id}`;
  const refund = (amount_minor: string) =>
    session.submit(page, `${page}/refund`, { amount_minor, reason: 'duplicate', notify_payer: 'on' });
  t.is(alertOf(await (await refund('30.01')).text()), 'At most £30.00 can be refunded.');
  const asked = await refund('10');
  t.regex(
    wordsOf(await asked.clone().text()),
    /£10\.00 of £30\.00 is refunded to Marie Curie, to the card they paid with\. £20\.00 remains refundable/,
  );
  t.is((await api.get(`/v1/payments/${payment!.id}`)).body.refunded_minor, 0);
  const [done, again] = [await session.confirmForm(asked.clone()), await session.confirmForm(asked)];
  t.regex(noticeOf(done)!, /^£10\.00 (has been|is being) refunded/);
  t.is(again.status, 302);
  t.is(
    (await api.get(`/v1/payments/${payment!.id}`)).body.refunded_minor,
    1_000,
    'a second click refunds nothing',
  );
  t.regex(wordsOf(await session.textOf(`${home}/payments`)), /Refund · paid twice pay_\w+ Marie Curie/);
  const [made] = (await api.get(`/v1/payments?booking_id=${booking.id}&kind=refund`)).body.data;
  await until(async () =>
    /Refund at Stripe[^]*>re_\w+</.test(await session.textOf(`${home}/payments/${made!.id}`)),
  );

  const guests = await session.textOf(`${home}/guests?email=MARIE@example.com`);
  t.regex(wordsOf(guests), /Name Marie Curie Email marie@example\.com Bookings 1/);
  const erased = await session.submit(`${home}/guests?email=marie@example.com`, `${home}/guests/erase`);
  t.is(noticeOf(erased), 'Guest erased from one booking.');
  t.regex(
    await session.textOf(`${home}/guests?email=marie@example.com`),
    /No bookings with this email address/,
  );
});

test('members are invited one by one and in bulk, and change tier with the price shown', async (t) => {
  const { workspace, session, home } = await openOffice();
  const { api } = workspace;
  await api.patch('/v1/workspace', { tier_prices: { basic: 2_000, plus: 5_000 } });
  const company = await session.submit(`${home}/companies`, `${home}/companies`, {
    name: 'Northwind',
    billing_email: 'bills@northwind.example',
  });
  t.is(noticeOf(company), 'Northwind has been added.');
  const page = `${home}/members/new`;
  const one = {
    email: 'grace@example.com',
    name: 'Grace Hopper',
    tier: 'basic',
    company_id: '',
    trial_ends_at: '',
  };
  const made = await session.submit(page, page, one);
  t.is(noticeOf(made), 'Grace Hopper is now a member.');
  const member = made.headers.get('location')!;

  const tier = await session.submit(member, `${member}/tier`, { tier: 'plus', tier_change_reason: '' });
  t.regex(
    wordsOf(await tier.clone().text()),
    /From Basic, £20\.00 a month, to Plus, £50\.00 a month, excluding tax\. Takes effect immediately\. The difference for the rest of the month is invoiced to Grace Hopper/,
  );
  t.is(noticeOf(await session.confirmForm(tier)), 'The tier is now Plus.');
  t.is(noticeOf(await session.submit(member, `${member}/pause`)), 'Grace Hopper is now paused.');
  const details = { name: 'Grace Hopper', email: 'grace@example.com', company_id: '' };
  const same = await session.submit(member, `${member}/details`, details);
  t.is(alertOf(await same.text()), 'No changes.');

  const csv = [
    'Email;Name;Tier;Company',
    'one@example.com;"One, the first";plus;northwind',
    'GRACE@example.com;Grace;basic;',
    'broken;X;basic;',
    'one@example.com;Again;basic;',
    'two@example.com;Two;gold;',
    'three@example.com;Three;;Unknown',
  ].join('\r\n');
  const bulk = `${home}/members/import`;
  const preview = await session.submit(bulk, bulk, { csv });
  const words = wordsOf(await preview.clone().text());
  for (const problem of [
    'Invite 1 of 6',
    '1 × Plus, £50.00 a month each',
    '3 GRACE@example.com Basic This workspace already has a member',
    '4 broken Basic The email must be an email address',
    '5 one@example.com Basic Duplicate of line 2',
    '6 two@example.com Gold The tier must be one of',
    '7 three@example.com Basic There is no company “Unknown”',
  ])
    t.true(words.includes(problem), `${problem} in ${words}`);
  t.is((await api.get('/v1/members?q=one')).body.data.length, 0, 'a preview changes nothing');
  const back = await session.submit(bulk, bulk, { csv, confirmed: 'no' });
  t.true(wordsOf(await back.text()).includes('GRACE@example.com'), 'going back keeps the rows');
  t.regex(await (await session.confirmForm(preview)).text(), /One person has been invited/);
  const [invited] = (await api.get('/v1/members?q=one')).body.data;
  t.like(invited, { name: 'One, the first', tier: 'plus', status: 'invited' });
  t.is(invited!.company!.name, 'Northwind');

  const erased = await session.submit(member, `${member}/erase`);
  t.is(noticeOf(erased), 'Member erased.');
  t.is((await session.get(member)).status, 404);
});

test('a room shows its next week with new hours before they are saved, and its refunds in words', async (t) => {
  const { workspace, session, home } = await openOffice();
  const { api } = workspace;
  const garden = { name: 'Garden', amount_minor: '0' };
  const closing = await session.submit(`${home}/rooms`, `${home}/rooms`, { ...garden, opens: '09:00' });
  t.is(alertOf(await closing.text()), 'Enter both times, or none for a room that is always open.');
  const weekend = { opens: '10:00', closes: '16:00', days: ['sat', 'sun'] };
  await session.submit(`${home}/rooms`, `${home}/rooms`, { name: 'Attic', amount_minor: '10', ...weekend });
  const [attic] = (await api.get('/v1/rooms')).body.data;
  t.deepEqual(attic!.opening_hours, { sat: [['10:00', '16:00']], sun: [['10:00', '16:00']] });
  const made = await session.submit(`${home}/rooms`, `${home}/rooms`, garden);
  const page = made.headers.get('location')!;
  const id = page.split('/').at(-1)!;
  // Free, so confirmed immediately.
  const sunday = new Date(Date.now() + 2 * DAY_MS);
  sunday.setUTCDate(sunday.getUTCDate() + ((7 - sunday.getUTCDay()) % 7));
  const date = sunday.toISOString().slice(0, 10);
  const hour = { start_at: `${date}T10:00:00Z`, end_at: `${date}T11:00:00Z` };
  t.is((await api.post('/v1/bookings', bookingBody(id, hour))).body.status, 'confirmed');
  const day = ['08:00', '12:00', '13:00', '20:00'];
  const none = ['', '', '', ''];
  const hours = { mode: 'weekly', mon: day, tue: day, wed: day, thu: day, fri: day, sat: none, sun: none };
  const half = await session.submit(page, `${page}/hours`, { ...hours, sat: ['08:00', '', '', ''] });
  t.is(half.status, 422, 'a day with half a span is refused');
  const lost = await session.submit(page, `${page}/hours`, { ...hours, mode: 'always' });
  t.is(lost.status, 422, 'times are not ignored');
  t.regex(alertOf(await lost.text())!, /You entered times, but “always” is chosen/);
  const back = await (await session.submit(page, `${page}/hours`, { ...hours, confirmed: 'no' })).text();
  t.regex(back, /name="mon"[^>]*value="13:00"/, 'going back keeps what was entered');
  const asked = await session.submit(page, `${page}/hours`, hours);
  const words = wordsOf(await asked.clone().text());
  t.true(words.includes('Monday–Friday 08:00–12:00, 13:00–20:00; Saturday–Sunday closed'), words);
  t.regex(words, /With the current hours Always open/);
  t.regex(words, /One confirmed booking is outside the new hours\. It is kept\./);
  t.is((await api.get(`/v1/rooms/${id}`)).body.opening_hours, undefined, 'the preview saves nothing');
  await session.confirmForm(asked);
  const { body: room } = await api.get(`/v1/rooms/${id}`);
  t.deepEqual(room.opening_hours!.mon, [
    ['08:00', '12:00'],
    ['13:00', '20:00'],
  ]);
  t.deepEqual(room.opening_hours!.sat, []);

  const steps = { hours_before: ['72', '24', '', ''], percent: ['100', '50', '', ''] };
  const refunds = await session.submit(page, `${page}/refunds`, steps);
  t.regex(
    wordsOf(await refunds.clone().text()),
    /Cancelled at least 3 days before the start: full refund\. Cancelled at least 24 hours before the start: 50% refund\. Cancelled later: no refund\./,
  );
  t.regex(
    wordsOf(await refunds.clone().text()),
    /existing bookings: one is confirmed, and its payer sees the new terms/,
  );
  await session.confirmForm(refunds);
  const price = { amount_minor: '30.50', tax_code: 'REDUCED', tiers: ['plus', 'pro'], discount_pro: '20' };
  t.is(noticeOf(await session.submit(page, `${page}/price`, price)), 'Garden has been saved.');
  t.like((await api.get(`/v1/rooms/${id}`)).body, {
    price_per_hour: { currency: 'GBP', amount_minor: 3_050 },
    tiers: ['plus', 'pro'],
    tier_discounts: { pro: 20 },
    refund_steps: [
      { hours_before: 72, percent: 100 },
      { hours_before: 24, percent: 50 },
    ],
  });

  const summer = { start_at: '2030-07-01T10:00', end_at: '2030-07-01T09:00', reason: 'Paint' };
  const backwards = await session.submit(page, `${page}/blackouts`, summer);
  t.is(alertOf(await backwards.text()), 'The end must be after the start.');
  await session.submit(page, `${page}/blackouts`, { ...summer, end_at: '2030-07-01T12:00' });
  const [blackout] = (await api.get(`/v1/rooms/${id}/blackouts`)).body.data;
  t.is(blackout!.start_at, '2030-07-01T09:00:00.000Z', "times are the room's");
  await session.submit(page, `${page}/blackouts/${blackout!.id}/delete`);
  t.deepEqual((await api.get(`/v1/rooms/${id}/blackouts`)).body.data, []);
  const tomorrow = new Date(Date.now() + DAY_MS).toISOString().slice(0, 10);
  await api.post(`/v1/rooms/${id}/blackouts`, {
    start_at: `${tomorrow}T12:00:00Z`,
    end_at: `${tomorrow}T14:00:00Z`,
    reason: 'Painting',
  });
  t.regex(wordsOf(await session.textOf(page)), /; blackout 1\d:00–1\d:00/, 'the words of a day say it too');
  const calendar = await session.textOf(`${home}/calendar?day=${tomorrow}`);
  t.regex(calendar, /href="[^"]+\/rooms\/[^"]+#bo_\w+">Blackout until [^<]+: Painting</);
  await session.submit(page, `${page}/archive`);
  t.true((await api.get(`/v1/rooms/${id}`)).body.archived);
});

test('settings, prices and taxes are saved, and events are delivered again', async (t) => {
  const { workspace, session, home } = await openOffice();
  const { api } = workspace;
  const settings = {
    name: 'Harbour House',
    time_zone: 'Europe/London',
    currency: 'GBP',
    hold_minutes: '20',
    invoice_details: 'Harbour House Ltd\r\nVAT 1',
    return_url: '',
    refuse_overdue_payers: 'on',
  };
  const page = `${home}/settings`;
  const short = await session.submit(page, page, { ...settings, hold_minutes: '0.1' });
  t.regex(alertOf(await short.text()), /^The hold must be between 10 seconds and 24 hours/);
  await session.submit(page, page, settings);
  await session.submit(`${home}/prices`, `${home}/prices/tiers`, {
    basic: '20',
    plus: '50',
    pro: '120.50',
    enterprise: '0',
  });
  const taxes = {
    code: ['STANDARD', 'CITY', ''],
    rate: ['20', '7.5', ''],
    accounting_tax_type: ['OUTPUT2', 'CITY', ''],
  };
  await session.submit(`${home}/prices`, `${home}/prices/taxes`, taxes);
  t.like((await api.get('/v1/workspace')).body, {
    name: 'Harbour House',
    checkout_hold_seconds: 1_200,
    invoice_details: 'Harbour House Ltd\nVAT 1',
    tier_prices: { basic: 2_000, plus: 5_000, pro: 12_050, enterprise: 0 },
    tax_codes: [
      { code: 'STANDARD', rate_bps: 2_000, accounting_tax_type: 'OUTPUT2' },
      { code: 'CITY', rate_bps: 750, accounting_tax_type: 'CITY' },
    ],
  });
  const soon = { starts_at: '2026-01-01T10:00', ends_at: '2040-01-01T12:00' };
  const late = await session.submit(page, `${home}/settings/maintenance`, soon);
  t.regex(alertOf(await late.text()), /must be at least 48 hours from now/);

  const receiver = await openReceiver();
  try {
    const member = await createMember(api, { send_invite: false });
    await until(async () => (await session.textOf(`${home}/events`)).includes('no endpoint'));
    await api.put('/v1/webhook-endpoint', { url: receiver.url, event_types: ['booking.created'] });
    const list = await session.textOf(`${home}/events?q=${member.id}`);
    t.regex(wordsOf(list), /member\.created not sent not subscribed/);
    const filtered = `${home}/events?q=${member.id}&type=member.created`;
    const asked = await session.submit(filtered, `${home}/events/redeliver`);
    t.regex(wordsOf(await asked.clone().text()), /Redeliver one event\?/);
    t.is(noticeOf(await session.confirmForm(asked)), 'One event has been redelivered.');
    await until(async () => (await session.textOf(filtered)).includes('delivered</span>'));
    const [, event] = /\/events\/(evt_\w+)"/.exec(list)!;
    const one = await session.submit(`${home}/events/${event}`, `${home}/events/${event}/redeliver`);
    t.is(noticeOf(one), 'Event delivered: the endpoint responded with 200.');
    const none = await session.submit(`${home}/webhooks`, `${home}/webhooks`, { url: receiver.url });
    t.regex(alertOf(await none.text()), /Choose at least one event/);
    const hook = { url: receiver.url, event_types: 'every' };
    await session.submit(`${home}/webhooks`, `${home}/webhooks`, hook);
    const { event_types } = (await api.get('/v1/webhook-endpoint')).body;
    for (const type of ['*', 'invoice.paid', 'payment.refunded']) t.true(event_types.includes(type), type);
    t.regex(await session.textOf(`${home}/webhooks`), /<option value="every" selected/);
    const failed = `${filtered}&delivery=failed`;
    t.true((await session.textOf(failed)).includes('No events.'));
    await db.query(
      `INSERT INTO webhook_deliveries (event_id, attempt, workspace_id, at, status_code, duration_ms)
       VALUES ($1, 9, $2, now(), 500, 1)`,
      [event, workspace.id],
    );
    t.true((await session.textOf(failed)).includes(event!));
  } finally {
    await receiver.close();
  }

  const log = wordsOf(
    await session.textOf(`${home}/audit-log?action=workspace.updated&actor=${workspace.ownerId}`),
  );
  t.regex(log, /tax codes/);
  t.regex(wordsOf(await session.textOf(`${home}/audit-log`)), /Webhook endpoint created [^,]* with the key/);
  t.false(log.includes('Member created with'), 'the filter applies');
  t.false(wordsOf(await session.textOf(`${home}/audit-log?actor=system`)).includes('tax codes:'));
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
  t.regex(wordsOf(await session.textOf(page)), /Ada Lovelace .* £20\.00/);
  const run = await session.submit(page, `${page}/run`);
  t.regex(noticeOf(run)!, /^\d+ membership invoices have been created\.$|^One membership invoice/);
  t.regex(wordsOf(await session.textOf(page)), /Membership · .* £24\.00/);
  const again = await session.submit(page, `${page}/run`);
  t.is(noticeOf(again), 'No membership invoice was due.');

  const days = new Date().toISOString().slice(0, 10);
  const report = wordsOf(await session.textOf(`${home}/reconciliation?from=${days}&to=${days}`));
  t.regex(report, /invoices? compared, no differences/);
  const long = await session.textOf(`${home}/reconciliation?from=2020-01-01&to=${days}`);
  t.regex(long, /range of at most 92 days/);
});
