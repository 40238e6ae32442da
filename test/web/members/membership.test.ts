import test from 'ava';
import { DAY_MS } from '../../../domain/durations.js';
import { bookingBody, freeHour, hoursLater } from '../../support/bookings.js';
import { openAs, pageText } from '../../support/dashboard.js';
import { NEXT_MONDAY } from '../../support/days.js';
import { db, dev } from '../../support/stack.js';
import { findOwnerEmail, newRoom, newWorkspace, type TestWorkspace } from '../../support/workspaces.js';
import { until } from '../../support/until.js';
import { readNotice, WebSession } from '../../support/web-session.js';
import { newMember } from '../../support/people.js';
import { message } from '../../support/message.js';

const invoiceFor = async ({ api }: TestWorkspace, payer: { member_id: string } | { company_id: string }) =>
  (
    await api.post('/v1/invoices', {
      ...payer,
      currency: 'GBP',
      due_at: new Date(Date.now() + 10 * DAY_MS).toISOString(),
      lines: [{ description: 'Locker', quantity: 1, unit_amount_minor: 2_500, tax_code: 'ZERO' }],
    })
  ).body;

test('a member’s first page has plan, hours, bookings, invoices, card, calendar and sign-in', async (t) => {
  const workspace = await newWorkspace();
  const { api } = workspace;
  await api.patch('/v1/workspace', {
    plans: { plus: { name: 'Resident', monthly_hours: 12 } },
    tier_prices: { plus: 9_900 },
  });
  const { body: member } = await api.post('/v1/members', {
    email: (await newMember(workspace)).email.replace('@', '+own@'),
    name: 'Ada',
    tier: 'plus',
    send_invite: false,
  });
  const room = await newRoom(api, { name: 'Quiet room' });
  await api.post('/v1/bookings', bookingBody(room.id, { booked_by: { member_id: member.id } }));
  const invoice = await invoiceFor(workspace, { member_id: member.id });
  // Hours are renewed when the member's own month begins, which is not the calendar month.
  const renews = new Date(Date.now() + 40 * DAY_MS).toISOString().slice(0, 8) + '17';
  await db.query(`UPDATE members SET cycle_starts_on = $2, hour_credit_balance = 9 WHERE id = $1`, [
    member.id,
    renews,
  ]);
  await api.patch('/v1/workspace', { plans: { plus: { monthly_hours: 20 } } });
  const session = await WebSession.start(member.email);
  const home = `/dashboard/${workspace.id}`;
  const html = await session.getText(home);
  const words = pageText(html);
  t.regex(words, /Plan Resident, £118\.80 a month \(£99\.00 plus £19\.80 tax\)/);
  t.regex(words, /Next invoice £118\.80 on \w+ \d+ \w+/);
  const [next] = /Next invoice £118\.80 on \w+ \d+ \w+/.exec(words)!;
  const owner = await WebSession.start(await findOwnerEmail(workspace.id));
  await owner.enrol();
  const forStaff = async () => pageText(await owner.getText(`${home}/members/${member.id}`));
  t.true((await forStaff()).includes(next), 'staff see it on the page of the member');
  await api.patch(`/v1/members/${member.id}`, { billed: false });
  t.notRegex(await forStaff(), /Next invoice/);
  await api.patch(`/v1/members/${member.id}`, { billed: true });
  t.regex(words, /Hour credits 9 of 12 hour credits left; 20 again on \w+ 17 \w+/);
  t.regex(words, /Bookings .* Quiet room/);
  t.regex(words, new RegExp(`${invoice.documents[0]!.number}.*£25\\.00`));
  const { session: staff } = await openAs(workspace, { role: 'front_desk' });
  t.regex(
    pageText(await staff.getText(`${home}/members/${member.id}`)),
    /Hour credits 9 of 12 hour credits left; 20 again on \w+ 17 \w+/,
  );
  t.true(html.includes(`href="${invoice.pay_url}"`), 'the invoice can be paid');
  t.regex(words, /Card none/);
  t.regex(words, /Two-step verification not set up: you sign in with an emailed link only/);
  t.regex(words, /on 1 device/);
  const pdf = await session.get(`${home}/invoices/${invoice.id}/pdf`);
  t.is(pdf.headers.get('content-type'), 'application/pdf');

  t.regex(
    await session.getText(home),
    /<a href="[^"]*\/membership" aria-current="page"/,
    'the first page of a member is the entry of their membership',
  );
  const opened = await session.submit(home, `${home}/membership/card`);
  t.regex(
    await opened.text(),
    /http-equiv="refresh" content="0;url=[^"]*cs_/,
    'the button opens the card page',
  );
});

test('a member whose company pays for the plan sees when it renews', async (t) => {
  const workspace = await newWorkspace();
  await workspace.api.patch('/v1/workspace', { tier_prices: { basic: 2_000 } });
  const { body: company } = await workspace.api.post('/v1/companies', { name: 'Acme' });
  const member = await newMember(workspace, { company_id: company.id });
  const session = await WebSession.start(member.email);
  const words = pageText(await session.getText(`/dashboard/${workspace.id}/membership`));
  t.regex(words, /Plan Basic, .*paid by Acme Renews \w{3} \d+ \w{3}.*, invoiced to Acme/);
});

test('a member’s page for their own booking says what concerns them, in plain words', async (t) => {
  const workspace = await newWorkspace();
  const { api } = workspace;
  await api.put('/v1/webhook-endpoint', { url: 'https://hooks.example/', event_types: ['*'] });
  const member = await newMember(workspace);
  const room = await newRoom(api, { price_per_hour: { currency: 'GBP', amount_minor: 0 } });
  const { body: booking } = await api.post(
    '/v1/bookings',
    bookingBody(room.id, { booked_by: { member_id: member.id } }),
  );
  const at = `/dashboard/${workspace.id}/bookings/${booking.id}`;
  const session = await WebSession.start(member.email);
  const words = await until(async () => {
    const shown = pageText(await session.getText(at));
    return /emailed to/.test(shown) && shown;
  });
  t.regex(words, /Confirmed: free of charge .*emailed to you/);
  t.notRegex(words, /Event booking|emailed to the booker/);
});

test('a member who changes their booking sees what it costs them, and why hour credits do not pay for it', async (t) => {
  const workspace = await newWorkspace();
  const member = await newMember(workspace);
  await db.query(`UPDATE members SET hour_credit_balance = 5 WHERE id = $1`, [member.id]);
  const room = await newRoom(workspace.api, { time_zone: 'UTC' });
  const { body: booking } = await workspace.api.post(
    '/v1/bookings',
    bookingBody(room.id, { booked_by: { member_id: member.id }, use_tokens: true }),
  );
  const at = `/dashboard/${workspace.id}/bookings/${booking.id}`;
  const session = await WebSession.start(member.email);
  const fields = {
    room_id: room.id,
    start_at: booking.start_at.slice(0, 16),
    end_at: hoursLater(booking.end_at, 1).slice(0, 16),
    attendees: '1',
  };
  const free = await session.getText(`${at}/change?day=${booking.start_at.slice(0, 10)}&minutes=60`);
  const [, time] = /href="([^"]*\/change\?[^"#]*)#start_at"/.exec(free)!;
  const chosen = new URLSearchParams(time!.replaceAll('&amp;', '&').split('?')[1]);
  t.true(
    (await session.getText(time!.replaceAll('&amp;', '&'))).includes(`value="${chosen.get('start_at')}"`),
    'a free time fills in the form',
  );
  const asked = await session.submit(`${at}/change`, `${at}/change`, fields);
  const words = pageText(await asked.clone().text());
  t.regex(words, /Hour credits can be used for new bookings only, not for changes\. Pay £30\.00/);
  t.regex(words, /Hold both times and pay £30\.00/);
  t.notRegex(words, /the payer|card is on file/i);
  const notice = readNotice(await session.confirmForm(asked));
  t.regex(notice!, /once you have paid/);
  t.regex(pageText(await session.getText(at)), /You also get it by email in about a minute/);
});

test('the booking form asks for the room once, and says what a time costs', async (t) => {
  const workspace = await newWorkspace();
  const room = await newRoom(workspace.api, { name: 'Den' });
  const session = await WebSession.start((await newMember(workspace)).email);
  const page = `/dashboard/${workspace.id}/book?day=${NEXT_MONDAY}`;
  const open = await session.getText(page);
  t.regex(pageText(open), /1 h costs £30\.00\. Prices including tax\./);
  t.regex(open, /<summary>Enter room and times instead/);
  const lengths = /<select name="minutes">(.*?)<\/select>/s.exec(open)![1]!.match(/<option/g)!;
  t.true(lengths.length <= 30, `${lengths.length} lengths`);
  const [, time] = /href="([^"]*\/book\?[^"#]*)#start_at"/.exec(open)!;
  const chosen = await session.getText(time!.replaceAll('&amp;', '&'));
  t.regex(chosen, new RegExp(`<h2>Den</h2><input type="hidden" name="room_id" value="${room.id}"`));
  t.is(chosen.match(/<select[^>]* name="room_id"/g)!.length, 1, 'that of the free times');
});

test('members see their own invoices, and get 404 for those of others and of their company', async (t) => {
  const workspace = await newWorkspace();
  const { body: company } = await workspace.api.post('/v1/companies', { name: 'Acme' });
  const [ada, bob] = [await newMember(workspace), await newMember(workspace)];
  const [mine, theirs, ours] = [
    await invoiceFor(workspace, { member_id: ada.id }),
    await invoiceFor(workspace, { member_id: bob.id }),
    await invoiceFor(workspace, { company_id: company.id }),
  ];
  const session = await WebSession.start(ada.email);
  const pages = `/dashboard/${workspace.id}/invoices`;
  const firstDocumentNumber = ({ documents }: { documents: { number: string }[] }): string =>
    documents[0]!.number;
  const list = await session.getText(pages);
  t.true(list.includes(mine.id));
  for (const other of [theirs, ours]) {
    t.false(list.includes(other.id));
    for (const path of ['', '/pdf', `/documents/${firstDocumentNumber(other)}.pdf`])
      t.is((await session.get(`${pages}/${other.id}${path}`)).status, 404, path);
    t.false(
      (await session.getText(`${pages}?q=${firstDocumentNumber(other)}`)).includes(other.id),
      'nor by number',
    );
    t.is((await ada.api.get(`/v1/invoices/${other.id}`)).status, 404);
  }
  const page = await session.getText(`${pages}/${mine.id}`);
  t.true(page.includes(`href="${mine.pay_url}"`));
  t.regex(pageText(page), /Pay £25\.00/);
  t.notRegex(pageText(page), /Accounting|Record payment/);

  const contact = await newMember(workspace, { role: 'billing_contact', company_id: company.id });
  const own = await (await WebSession.start(contact.email)).getText(`/dashboard/${workspace.id}/membership`);
  t.true(own.includes(ours.id), 'a billing contact sees those of their company');
  t.false(own.includes(theirs.id));
});

test('a booking links to its invoice by number, for readers who may open the invoice', async (t) => {
  const workspace = await newWorkspace();
  const { api } = workspace;
  const { body: company } = await api.post('/v1/companies', { name: 'Acme' });
  const room = await newRoom(api);
  for (const company_id of [undefined, company.id]) {
    const member = await newMember(workspace, { company_id });
    const times = freeHour(company_id ? 60 : 30);
    const { body: booking } = await api.post(
      '/v1/bookings',
      bookingBody(room.id, { ...times, booked_by: { member_id: member.id } }),
    );
    const { body: invoice } = await api.get(`/v1/invoices/${booking.invoice_id}`);
    const session = await WebSession.start(member.email);
    const html = await session.getText(`/dashboard/${workspace.id}/bookings/${booking.id}`);
    const link = new RegExp(`<a href="[^"]*/invoices/${invoice.id}">Holdfast #${invoice.number}</a>`);
    t.is(link.test(html), !company_id, 'the company’s invoice is not theirs');
    t.regex(pageText(html), new RegExp(`Invoice Holdfast #${invoice.number}`));
  }
});

test('a member who gives up booked time sees which hour credits are returned, and the timeline shows them', async (t) => {
  const workspace = await newWorkspace();
  const member = await newMember(workspace);
  await db.query(`UPDATE members SET hour_credit_balance = 5 WHERE id = $1`, [member.id]);
  const room = await newRoom(workspace.api, { time_zone: 'UTC' });
  const body = bookingBody(room.id, { booked_by: { member_id: member.id }, use_tokens: true });
  const { body: booking } = await workspace.api.post('/v1/bookings', {
    ...body,
    end_at: hoursLater(body.start_at, 3),
  });
  const at = `/dashboard/${workspace.id}/bookings/${booking.id}`;
  const session = await WebSession.start(member.email);
  const asked = await session.submit(`${at}/change`, `${at}/change`, {
    room_id: room.id,
    start_at: booking.start_at.slice(0, 16),
    end_at: hoursLater(booking.start_at, 1).slice(0, 16),
    attendees: '1',
  });
  const returned = message('payer.credits_returned', { hours: 2 });
  t.true(pageText(await asked.clone().text()).includes(`Nothing is charged or refunded. ${returned}`));
  await session.confirmForm(asked);
  const words = pageText(await session.getText(at));
  t.regex(words, /Hour credits: 3 → 1/);
  t.regex(words, /Confirmed: paid with 3 hour credits/);
});

test('the booking form shows how hour credits change the price before anything is submitted', async (t) => {
  const workspace = await newWorkspace();
  const { api } = workspace;
  const { body: member } = await api.post('/v1/members', {
    email: (await newMember(workspace)).email.replace('@', '+credits@'),
    name: 'Ada',
    tier: 'plus',
    send_invite: false,
  });
  const room = await newRoom(api);
  const { start_at, end_at } = freeHour();
  const page = `/dashboard/${workspace.id}/book`;
  const query = new URLSearchParams({
    room_id: room.id,
    start_at: start_at.slice(0, 16),
    end_at: end_at.slice(0, 16),
  });
  const session = await WebSession.start(member.email);
  const form = await session.getText(page);
  t.regex(pageText(form), /10 of 10 hour credits left; 10 again on/);
  t.regex(form, /name="use_tokens" value="on" checked/, 'who has hours uses them, unless they choose not to');
  const words = pageText(await session.getText(`${page}?${query}`));
  t.regex(words, /£[1-9][\d.]+ without hour credits\. With them £0\.00: 1 hour credit used, 9 left\./);
  const day = { name: 'Day', unit: 'day', amount_minor: 5_000, always: true };
  t.is((await api.put(`/v1/rooms/${room.id}/rates`, { rates: [day] })).status, 200);
  // Within one day by the room's clock.
  const date = start_at.slice(0, 10);
  const longer = { room_id: room.id, start_at: `${date}T02:00`, end_at: `${date}T18:00` };
  const dear = pageText(await session.getText(`${page}?${new URLSearchParams(longer)}`));
  t.regex(dear, /£60\.00\. Hour credits do not reduce the price, so none are used\./);
  const without = await WebSession.start((await newMember(workspace)).email);
  t.notRegex(await without.getText(page), /hour credits/, 'the plan has none');
});

test('a calendar address shows a member’s own bookings, until it is replaced or they leave', async (t) => {
  const workspace = await newWorkspace();
  const { api } = workspace;
  const [ada, bob] = [await newMember(workspace), await newMember(workspace)];
  const room = await newRoom(api, { price_per_hour: { currency: 'GBP', amount_minor: 0 } });
  const book = async (member_id: string, hours: number) =>
    (await api.post('/v1/bookings', bookingBody(room.id, { ...freeHour(hours), booked_by: { member_id } })))
      .body;
  const [mine, theirs] = [await book(ada.id, 30), await book(bob.id, 60)];
  const session = await WebSession.start(ada.email);
  const page = `/dashboard/${workspace.id}/membership`;
  const renew = async (): Promise<string> => {
    t.regex(readNotice(await session.submit(page, `${page}/calendar-address`))!, /^Calendar address created/);
    return /value="([^"]+\.ics)"/.exec(await session.getText(page))![1]!;
  };
  t.notRegex(await session.getText(page), /\.ics/, 'there is none until it is asked for');
  const first = await renew();
  const opened = await session.getText(page);
  t.true(opened.includes(`href="${first.replace(/^http:/, 'webcal:')}"`), 'subscribes where it is opened');
  t.regex(pageText(opened), /Calendars that use the current address stop updating/);
  const feed = await fetch(first);
  t.is(feed.status, 200);
  t.regex(feed.headers.get('content-type')!, /^text\/calendar/);
  const calendar = await feed.text();
  t.true(calendar.includes(mine.id));
  t.false(calendar.includes(theirs.id));
  t.is((await fetch(first, { headers: { 'if-none-match': feed.headers.get('etag')! } })).status, 304);
  t.is((await fetch(first.replace(/.\.ics$/, '.ics'))).status, 404, 'forged');
  t.is((await fetch(`${dev.baseUrl}/feeds/x.ics`)).status, 404);

  const second = await renew();
  t.is((await fetch(first)).status, 404, 'replaced');
  t.is((await fetch(second)).status, 200);
  await api.post(`/v1/members/${ada.id}/archive`, {});
  t.is((await fetch(second)).status, 404, 'archived');
  await api.patch(`/v1/members/${ada.id}`, { status: 'active' });
  t.is((await fetch(second)).status, 404, 'and it stays ended');
});

test('the page of a room has the calendar address of its bookings for those who may open it', async (t) => {
  const workspace = await newWorkspace();
  const { api } = workspace;
  const desk = await newMember(workspace, { role: 'front_desk' });
  const room = await newRoom(api);
  const { body: booking } = await api.post('/v1/bookings', bookingBody(room.id));
  const session = await WebSession.start(desk.email);
  const page = `/dashboard/${workspace.id}/rooms/${room.id}`;
  t.notRegex(await session.getText(page), /\.ics/);
  t.regex(readNotice(await session.submit(page, `${page}/calendar-address`))!, /^Calendar address created/);
  const [, url] = /value="([^"]+\.ics)"/.exec(await session.getText(page))!;
  t.true((await (await fetch(url!)).text()).includes(booking.id));
  await session.submit(page, `${page}/calendar-address`);
  t.is((await fetch(url!)).status, 404, 'replaced');
  t.regex(await session.getText(page), /\.ics/);
  await db.query(
    `UPDATE sessions SET created_at = now() - interval '11 minutes'
     WHERE profile_id = (SELECT profile_id FROM members WHERE id = $1)`,
    [desk.id],
  );
  t.notRegex(await session.getText(page), /\.ics/, 'a stolen session does not read it');
  t.is((await session.submit(page, `${page}/calendar-address`)).status, 403, 'nor make one');
  const { body: log } = await api.get('/v1/audit-log?action=feed.created');
  t.is(log.data.length, 2);
});
