import { db } from '../../support/stack.js';
import test from 'ava';
import { randomUUID } from 'node:crypto';
import { DAY_MS, HOUR_MS } from '../../../domain/durations.js';
import {
  bookingBody,
  confirmedBooking,
  createBooking,
  hoursLater,
  moveIntoPast,
  moveTo,
  untilStatus,
} from '../../support/bookings.js';
import { daysAfter, formatDateAsPages, today } from '../../support/days.js';
import { openOffice, pageText } from '../../support/dashboard.js';
import { disputablePayment } from '../../support/disputes.js';
import { AUTHENTICATION, newPayer } from '../../support/payers.js';
import { storeBookings } from '../../support/stored-bookings.js';
import { until } from '../../support/until.js';
import { readNotice, WebSession } from '../../support/web-session.js';
import { newRoom } from '../../support/workspaces.js';
import { newMember } from '../../support/people.js';
import { message } from '../../support/message.js';

/** The references in a page's table. */
const referencesIn = (html: string): string[] =>
  [...html.matchAll(/<td><code>(\w+)<\/code><\/td>/g)].map(([, reference]) => reference!);

test('the list of bookings and its export can be filtered by no-shows, and completed ones exclude them', async (t) => {
  const { workspace, session, home } = await openOffice();
  const room = await newRoom(workspace.api);
  const ago = (days: number): Date => new Date(Math.floor(Date.now() / DAY_MS) * DAY_MS - days * DAY_MS);
  await storeBookings({ workspace_id: workspace.id, room_id: room.id }, [
    { start_at: ago(3), reference: 'BBBBBB2', no_show_at: new Date() },
    { start_at: ago(4), reference: 'BBBBBB3' },
    { start_at: ago(5), reference: 'BBBBBB4', status: 'cancelled' },
  ]);
  const list = async (query: string) => referencesIn(await session.getText(`${home}/bookings${query}`));
  t.deepEqual(await list('?status=no_show'), ['BBBBBB2'], 'at any time');
  t.deepEqual(await list('?status=completed'), ['BBBBBB3']);
  const from = ago(30).toISOString().slice(0, 10);
  t.deepEqual(await list(`?from=${from}`), ['BBBBBB4', 'BBBBBB3', 'BBBBBB2']);
  const page = await session.getText(`${home}/bookings`);
  t.regex(page, /<option value="no_show">No-show<\/option>/);
  t.regex(page, /<option value="pending_payment">Not paid yet<\/option>/);
  const csv = (await session.getText(`${home}/bookings.csv?status=no_show`)).trim().split('\r\n');
  t.is(csv.length, 2);
  t.regex(csv[1]!, /,no-show,.*,BBBBBB2,/);
});

test('the list of bookings begins today; earlier ones are a link away, and are found by a search', async (t) => {
  const { workspace, session, home } = await openOffice();
  const room = await newRoom(workspace.api);
  const day = await today();
  const at = (days: number, hour: number) => new Date(Date.parse(day) + days * DAY_MS + hour * HOUR_MS);
  await storeBookings({ workspace_id: workspace.id, room_id: room.id }, [
    { start_at: at(400, 9), reference: 'BBBBBB2' },
    { start_at: at(1, 12), reference: 'BBBBBB3' },
    { start_at: at(1, 9), reference: 'BBBBBB4' },
    { start_at: at(0, 2), reference: 'BBBBBB5' },
    { start_at: at(-1, 9), reference: 'BBBBBB6' },
    { start_at: at(-400, 9), reference: 'BBBBBB7', status: 'cancelled' },
  ]);
  const upcoming = ['BBBBBB5', 'BBBBBB4', 'BBBBBB3', 'BBBBBB2'];
  const earlier = ['BBBBBB6', 'BBBBBB7'];
  const page = await session.getText(`${home}/bookings`);
  t.deepEqual(referencesIn(page), upcoming);
  const headings = (html: string) =>
    [...html.matchAll(/<th scope="rowgroup"[^>]*>(.*?)<\/th>/g)].map(([, words]) => pageText(words!).trim());
  const dayName = (days: number) => formatDateAsPages(daysAfter(day, days));
  t.deepEqual(headings(page), [`${dayName(0)} Today`, dayName(1), dayName(400)]);
  const [, segments] = /<nav class="segments"[^>]*>(.*?)<\/nav>/.exec(page)!;
  const links = new Map(
    [...segments!.matchAll(/<a href="([^"]*)"[^>]*>(\w+)<\/a>/g)].map(([, href, name]) => [name, href!]),
  );
  const behind = async (name: string) => referencesIn(await session.getText(links.get(name)!));
  t.deepEqual(await behind('Upcoming'), upcoming);
  t.deepEqual(await behind('Earlier'), earlier);
  t.deepEqual(await behind('All'), [...upcoming.toReversed(), ...earlier]);
  const found = async (query: string) => referencesIn(await session.getText(`${home}/bookings${query}`));
  t.deepEqual(await found('?q=grace'), [...upcoming.toReversed(), ...earlier]);
  t.deepEqual(await found('?q=grace&view=earlier'), earlier);
  t.deepEqual(await found('?status=cancelled'), ['BBBBBB7']);
  t.deepEqual(await found(`?to=${day}`), ['BBBBBB5', ...earlier]);

  t.regex(page, /name="view" value="upcoming"[^>]*>Export CSV/);
  const exported = async (query: string) =>
    [...(await session.getText(`${home}/bookings.csv${query}`)).matchAll(/,(BBBBBB\d),/g)].map(
      ([, one]) => one,
    );
  t.deepEqual(await exported('?view=upcoming'), upcoming);
  t.deepEqual(await exported('?view=earlier'), earlier.toReversed());
  t.deepEqual(await exported(''), [...earlier.toReversed(), ...upcoming]);
});

test('a booking that began before today is upcoming while it runs, also in the export', async (t) => {
  const { workspace, session, home } = await openOffice();
  const { api } = workspace;
  const room = await newRoom(api);
  const { booking: ended } = await confirmedBooking(api, { room_id: room.id });
  const { booking: running } = await confirmedBooking(api, { room_id: (await newRoom(api)).id });
  const { booking: next } = await confirmedBooking(api, { room_id: room.id });
  await moveIntoPast(ended.id);
  await moveTo(running.id, new Date(Date.now() - 3 * DAY_MS), new Date(Date.now() + HOUR_MS));
  const list = async (view: string) =>
    referencesIn(await session.getText(`${home}/bookings?view=${view}`)).filter(Boolean);
  t.deepEqual(await list('upcoming'), [running.reference, next.reference]);
  t.deepEqual(await list('earlier'), [ended.reference]);
  t.deepEqual(await list('all'), [next.reference, ended.reference, running.reference]);
  const exported = async (view: string) => {
    const csv = await session.getText(`${home}/bookings.csv?view=${view}`);
    return [ended, running, next].map(({ reference }) => csv.includes(reference));
  };
  t.deepEqual(await exported('upcoming'), [false, true, true]);
  t.deepEqual(await exported('earlier'), [true, false, false]);
});

test('each earlier booking is on one page of the list', async (t) => {
  const { workspace, session, home } = await openOffice();
  const room = await newRoom(workspace.api);
  const yesterday = Date.parse(daysAfter(await today(), -1));
  const ids = await storeBookings(
    { workspace_id: workspace.id, room_id: room.id },
    Array.from({ length: 30 }, (_, n) => ({ start_at: new Date(yesterday - n * HOUR_MS) })),
  );
  const first = await session.getText(`${home}/bookings?view=earlier`);
  const [, next] = /<a rel="next" href="([^"]*)"/.exec(first)!;
  const second = await session.getText(next!.replaceAll('&amp;', '&'));
  const linked = [first, second].flatMap((html) =>
    [...html.matchAll(/\/bookings\/(bk_\w+)"/g)].map(([, id]) => id!),
  );
  t.deepEqual(linked, ids);
});

test('exports of bookings and preparations have the guests’ answers, also to questions no longer asked', async (t) => {
  const { workspace, session, home } = await openOffice();
  const { api } = workspace;
  const room = await newRoom(api);
  const ask = (questions: object[]) =>
    api.put('/v1/booking-page', { slug: `house-${randomUUID().slice(0, 8)}`, questions });
  const at = (days: number, hour: number): Date =>
    new Date((Math.floor(Date.now() / DAY_MS) + days) * DAY_MS + hour * HOUR_MS);
  const layout = { id: 'layout', label: 'Chairs?', value: 'Rows, "two"' };
  await storeBookings({ workspace_id: workspace.id, room_id: room.id }, [
    {
      start_at: at(3, 9),
      reference: 'BBBBBB2',
      answers: [{ id: 'diet', label: 'Diet?', value: '=cmd' }, layout],
    },
    {
      start_at: at(3, 12),
      reference: 'BBBBBB3',
      answers: [{ id: 'diet', label: '+Diet', value: 'Nuts' }],
    },
    {
      start_at: at(4, 9),
      reference: 'BBBBBB4',
      answers: [{ id: 'wifi', label: 'Wi-fi?', value: true }],
    },
    { start_at: at(5, 9), reference: 'BBBBBB5' },
  ]);
  t.is(
    (
      await ask([
        { id: 'car', label: 'By car?', kind: 'check' },
        { id: 'layout', label: 'Seats', kind: 'text' },
      ])
    ).status,
    200,
  );
  const read = async (path: string) =>
    (await session.getText(`${home}/${path}`)).replace('\uFEFF', '').trim().split('\r\n');
  const [head, ...rows] = await read('bookings.csv');
  t.true(head!.endsWith(",Extras,By car?,Seats,'+Diet,Wi-fi?,Metadata"), head);
  t.deepEqual(
    rows.map((row) => row.slice(row.indexOf(',BBBBBB'))).map((row) => row.replace(/bk_\w+/, '…')),
    [
      `,BBBBBB2,…,,,,"Rows, ""two""",'=cmd,,`,
      ',BBBBBB3,…,,,,,Nuts,,',
      ',BBBBBB4,…,,,,,,Yes,',
      ',BBBBBB5,…,,,,,,,',
    ],
  );
  const day = at(4, 0).toISOString().slice(0, 10);
  const [only] = await read(`bookings.csv?from=${day}&to=${day}`);
  t.true(only!.endsWith(',Extras,By car?,Seats,Wi-fi?,Metadata'), 'of what is exported');
  const prepared = await read(`preparations.csv?day=${at(3, 0).toISOString().slice(0, 10)}`);
  t.true(prepared[0]!.endsWith(",Notes,By car?,Seats,'+Diet"), prepared[0]);
  t.true(prepared[1]!.endsWith(`,,"Rows, ""two""",'=cmd`), prepared[1]);
  t.is(prepared.length, 3);
});

test('a booking that is not paid yet is called so everywhere', async (t) => {
  const { workspace, session, home } = await openOffice();
  const room = await newRoom(workspace.api);
  const booking = await createBooking(workspace.api, bookingBody(room.id));
  const day = booking.start_at.slice(0, 10);
  for (const path of [
    '',
    `/bookings?from=${day}`,
    `/bookings/${booking.id}`,
    `/bookings/${booking.id}/summary`,
    `/calendar?day=${day}`,
    `/search?q=guest`,
    `/bookings.csv?from=${day}`,
  ]) {
    const words = pageText(
      (await (await session.follow(home + path)).response.text()).replace(/<script>[^]*?<\/script>/g, ''),
    );
    t.regex(words, /not paid yet/i, path);
    t.notRegex(words, /pending payment|awaiting payment/i, path);
  }
});

test('lists say that a change of a booking is not paid yet', async (t) => {
  const { workspace, session, home } = await openOffice();
  const { api } = workspace;
  const { id: company_id } = await newPayer(workspace);
  const member = await newMember(workspace, { name: 'Carl', company_id });
  const { booking } = await confirmedBooking(api, {
    card: AUTHENTICATION,
    body: { booked_by: { member_id: member.id } },
  });
  const mine = await WebSession.start(member.email);
  const day = booking.start_at.slice(0, 10);
  const lists: [WebSession, string][] = [
    [session, `/bookings?from=${day}`],
    [session, `/bookings?company_id=${company_id}&from=${day}`],
    [session, `/companies/${company_id}`],
    [session, `/members/${member.id}`],
    [session, `/search?q=carl`],
    [mine, '/membership'],
  ];
  const shown = async (): Promise<boolean[]> => {
    const pages = await Promise.all(lists.map(([by, path]) => by.getText(home + path)));
    t.deepEqual(
      pages.map((html) => html.includes(booking.reference)),
      lists.map(() => true),
    );
    return pages.map((html) => html.includes('>change not paid yet<'));
  };
  t.deepEqual(
    await shown(),
    lists.map(() => false),
  );
  const changed = await api.patch(`/v1/bookings/${booking.id}`, {
    end_at: hoursLater(booking.end_at, 1),
    on_authentication: 'link',
  });
  t.is(changed.status, 202, JSON.stringify(changed.body));
  t.deepEqual(
    await shown(),
    lists.map(() => true),
  );
  t.regex(pageText(await session.getText(`${home}/bookings/${booking.id}`)), /Change not paid yet/);
  t.regex(pageText(await session.getText(`${home}/calendar?day=${day}`)), /change not paid yet/);
});

test('an unpaid booking on account that is marked as a no-show keeps its invoice, and no refund is mentioned', async (t) => {
  const { workspace, session, home } = await openOffice();
  const { api } = workspace;
  const { body: company } = await api.post('/v1/companies', { name: 'Acme', payment_terms: 14 });
  const member = await newMember(workspace, { name: 'Carl', company_id: company.id });
  const room = await newRoom(api);
  const body = bookingBody(room.id, { booked_by: { member_id: member.id }, settle: 'on_account' });
  const booking = await createBooking(api, body);
  await untilStatus(api, booking.id, 'confirmed');

  const invoice = (await session.getText(`${home}/invoices.csv`)).trim().split('\r\n');
  const column = invoice[0]!.split(',').indexOf('Booking reference');
  t.is(invoice[1]!.split(',').at(column - invoice[0]!.split(',').length), booking.reference);

  await moveIntoPast(booking.id);
  const page = `${home}/bookings/${booking.id}`;
  const shown = pageText(await session.getText(page));
  t.regex(shown, /Its invoice stays as it is\. This cannot be undone\./);
  t.notRegex(shown, /Nothing is refunded/);
  const marked = await session.submit(page, `${page}/no-show`);
  t.is(readNotice(marked), 'Marked as no-show. Its invoice stays as it is.');
});

test('the card of a dispute shows what the payer says', async (t) => {
  const { workspace, session, home } = await openOffice();
  const { booking, dispute, move, untilDispute, payment } = await disputablePayment(workspace);
  const opened = await dispute({ reason: 'product_not_received' });
  await untilDispute(opened.id, 'open');
  t.regex(
    pageText(await session.getText(home)),
    /A payment is disputed: £30\.00 .*The bank disputes the amount\. The cardholder says that they did not receive what they paid for\. The deadline is/,
  );
  const page = `${home}/bookings/${booking.id}`;
  const withdrawn = message('terms.disputed', { amount: '£30.00' });
  const cancelled = await session.submit(page, `${page}/cancel`, { refund_policy: 'standard' });
  t.true(pageText(await cancelled.text()).includes(`${withdrawn} Nothing is refunded.`));
  await move(opened.id, { evidence: 'submitted' });
  await until(async () => (await payment()).disputes[0]!.evidence === 'submitted');
  t.regex(pageText(await session.getText(home)), /what they paid for\. Evidence has been submitted\. /);
});

test('the first steps list the seller’s details that documents still lack', async (t) => {
  const { workspace, session, home } = await openOffice();
  const { api } = workspace;
  const card = async () =>
    /<section class="card checklist">[^]*?<\/section>/.exec(await session.getText(home))![0];
  const steps = async () =>
    [...(await card()).matchAll(/<li( class="done")?>([^]*?)<\/li>/g)].map(
      ([, done, text]) => `${done ? 'done' : 'open'}: ${pageText(text!).trim()}`,
    );
  const details = async () => (await steps()).find((step) => step.includes('invoice details'));
  t.regex(
    (await details())!,
    /^open: Complete your invoice details Missing: legal name, address and tax number\./,
  );
  await api.patch('/v1/workspace', { legal_name: 'Acme Ltd', tax_number: 'GB1' });
  t.regex((await details())!, /Missing: address\./);
  const doneIn = async (): Promise<number> => Number(/value="(\d+)"/.exec(await card())![1]);
  const before = await doneIn();
  await api.patch('/v1/workspace', { legal_address: '1 Harbour Road' });
  t.is(await details(), 'done: Complete your invoice details : done');
  t.is(await doneIn(), before + 1);
  t.deepEqual(
    (await steps()).filter((step) => step.includes('booking page')),
    ['open: Open the booking page (optional) Guests book and pay there.'],
  );
  t.false((await card()).includes('API key'));
  const rates = 'Set your tax rates';
  t.false(
    (await steps()).some((step) => step.includes(rates)),
    'its currency is theirs',
  );
  t.is((await api.patch('/v1/workspace', { currency: 'EUR' })).status, 200);
  const taxes = async () => (await steps()).filter((step) => step.includes('tax rates'));
  t.deepEqual(await taxes(), [`open: ${rates} They are those of the UK now.`]);
  t.regex(pageText(await session.getText(`${home}/prices`)), /These are the default UK rates/);
  const tax_codes = [{ code: 'STANDARD', rate_bps: 1_900, accounting_tax_type: 'OUTPUT' }];
  t.is((await api.patch('/v1/workspace', { tax_codes })).status, 200);
  t.true((await taxes())[0]!.startsWith(`done: ${rates}`));
  t.notRegex(pageText(await session.getText(`${home}/booking-page`)), /Free bookings only/);
  await db.query(`UPDATE workspaces SET processor_status = 'pending' WHERE id = $1`, [workspace.id]);
  t.regex(pageText(await session.getText(`${home}/booking-page`)), /Free bookings only/);
});
