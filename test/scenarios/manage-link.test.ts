import { extractText, getDocumentProxy } from 'unpdf';
import test from 'ava';
import { confirmedBooking, eventsOf, hoursLater, pendingBooking } from '../support/bookings.js';
import { sweep } from '../support/invariants.js';
import { sessionIn } from '../support/payers.js';
import {
  db,
  dev,
  freeHour,
  mailTo,
  newWorkspace,
  ownerOf,
  pay,
  processorLedger,
  until,
  untilStatus,
} from '../support/stack.js';
import { WebSession } from '../support/web-session.js';
import { newKey } from '../api/people.js';
import type { AuditEntry, Booking } from '../support/api-bodies.js';

const get = (url: string): Promise<Response> => fetch(url, { redirect: 'manual' });

const post = (url: string, fields: Record<string, string>): Promise<Response> =>
  fetch(url, { method: 'POST', body: new URLSearchParams(fields), redirect: 'manual' });

/** A page's text, with the values of hidden fields by name. */
async function read(
  response: Response,
): Promise<{ status: number; text: string; fields: Record<string, string> }> {
  const html = await response.text();
  const hidden = [...html.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)"/g)];
  return {
    status: response.status,
    text: html
      .replace(/<style>.*?<\/style>/s, '')
      .replaceAll(/<[^>]+>/g, ' ')
      .replaceAll(/\s+/g, ' '),
    fields: Object.fromEntries(hidden.map(([, name, value]) => [name, value])),
  };
}

const page = async (url: string) => read(await get(url));

const auditOf = (
  bookingId: string,
): Promise<{ action: string; actor: unknown; details: AuditEntry['details'] }[]> =>
  db.query(`SELECT action, actor, details FROM audit_log WHERE object = $1 ORDER BY at, id`, [bookingId]);

test('a guest sees the booking by the link in the mail, and cancels it for the refund that was shown', async (t) => {
  const workspace = await newWorkspace();
  await workspace.api.patch('/v1/workspace', { contact_email: 'desk@harbour.example' });
  const { booking, email } = await confirmedBooking(workspace.api);
  const mail = await until(async () =>
    (await mailTo(email)).find(({ subject }) => /is confirmed/.test(subject)),
  );
  const link = booking.manage_url!;
  t.true(mail.text.includes(link), 'the mail has the link');

  const shown = await page(link);
  for (const fact of [booking.id, '£30.00', 'full refund', 'desk@harbour.example'])
    t.true(shown.text.includes(fact), fact);
  t.regex(await (await get(`${link}/booking.ics`)).text(), new RegExp(`UID:${booking.id}@holdfast`));
  t.is((await get(`${link}/receipt.pdf`)).headers.get('content-type'), 'application/pdf');
  const ask = await page(`${link}/cancel`);
  t.regex(ask.text, /£30\.00 is refunded/);
  t.is(
    (await workspace.api.get(`/v1/bookings/${booking.id}`)).body.status,
    'confirmed',
    'reading changes nothing',
  );

  const done = await post(`${link}/cancel`, ask.fields);
  t.is(done.status, 303);
  t.is((await post(`${link}/cancel`, ask.fields)).status, 303, 'a second click changes nothing');
  const { body: cancelled } = await workspace.api.get(`/v1/bookings/${booking.id}`);
  t.is(cancelled.status, 'cancelled');
  await until(async () => /£30\.00 has been refunded/.test((await page(link)).text));
  const [entry] = (await auditOf(booking.id)).filter(({ action }) => action === 'booking.cancelled');
  t.deepEqual(entry!.actor, { guest: booking.id });
  const listed = await workspace.api.get('/v1/audit-log?actor=guest');
  t.deepEqual(
    listed.body.data.map(({ object }) => object),
    [booking.id],
  );
  const { body: payments } = await workspace.api.get(`/v1/payments?booking_id=${booking.id}&kind=refund`);
  t.is(payments.data[0]!.reason, 'requested_by_customer');
  await sweep(t, workspace);
});

test('the guest is asked again if the refund has changed since it was shown', async (t) => {
  const workspace = await newWorkspace();
  const { booking } = await confirmedBooking(workspace.api);
  const link = booking.manage_url!;
  const ask = await page(`${link}/cancel`);
  await workspace.api.patch(`/v1/rooms/${booking.room_id}`, {
    refund_steps: [{ hours_before: 0, percent: 50 }],
  });
  const again = await read(await post(`${link}/cancel`, ask.fields));
  t.is(again.status, 409);
  t.regex(again.text, /has changed since.*£15\.00 is refunded/);
  t.is((await workspace.api.get(`/v1/bookings/${booking.id}`)).body.status, 'confirmed');
  t.is((await post(`${link}/cancel`, again.fields)).status, 303);
  await until(async () => /£15\.00 is not refunded/.test((await page(link)).text));
  await sweep(t, workspace);
});

test('the guest moves to a free time: more expensive, cheaper, as before, and not to one that is taken', async (t) => {
  const workspace = await newWorkspace();
  const { booking } = await confirmedBooking(workspace.api, { hours: 2 });
  const { room_id, manage_url: link } = booking;
  const slot = { start_at: hoursLater(booking.start_at, 24), end_at: hoursLater(booking.start_at, 25) };
  await confirmedBooking(workspace.api, { room_id, slot });

  const timesOn = async (at: string) => (await get(`${link}/move?day=${at.slice(0, 10)}&minutes=60`)).text();
  t.false((await timesOn(slot.start_at)).includes(`start=${slot.start_at}`), 'a booked time is not offered');
  // The next day, if the booked hour is the last one.
  t.true((await timesOn(slot.end_at)).includes(`start=${slot.end_at}`), 'the next one is');
  const taken = await page(`${link}/move?minutes=60&start=${slot.start_at}`);
  t.is(taken.status, 409);
  t.regex(taken.text, /no longer available/);

  const costlier = await page(`${link}/move?minutes=180&start=${slot.end_at}`);
  t.regex(costlier.text, /£30\.00 is charged now to the card/);
  t.is(
    (await post(`${link}/move`, { ...costlier.fields, difference_minor: '0' })).status,
    409,
    'not as shown',
  );
  t.is((await processorLedger(workspace)).charges.length, 2, 'nothing is charged');
  t.is((await post(`${link}/move`, costlier.fields)).status, 303);
  const { body: moved } = await workspace.api.get(`/v1/bookings/${booking.id}`);
  t.like(moved, { start_at: slot.end_at, price: { amount_minor: 9_000 }, sequence: 1 });

  const cheaper = await page(`${link}/move?minutes=60&start=${slot.end_at}`);
  t.regex(cheaper.text, /£60\.00 is refunded/);
  t.is((await post(`${link}/move`, cheaper.fields)).status, 303);
  t.is((await workspace.api.get(`/v1/bookings/${booking.id}`)).body.price.amount_minor, 3_000);
  const entries = (await auditOf(booking.id)).filter(({ action }) => action === 'booking.moved');
  t.deepEqual(
    entries.map(({ actor, details }) => [actor, details.after.price_minor]),
    [
      [{ guest: booking.id }, 9_000],
      [{ guest: booking.id }, 3_000],
    ],
  );
  await sweep(t, workspace);
});

test('a more expensive move whose card is declined changes nothing, and is paid with another card', async (t) => {
  const workspace = await newWorkspace();
  const room = { price_per_hour: { currency: 'GBP', amount_minor: 0 } };
  const { booking: free } = await confirmedBooking(workspace.api, { room });
  await workspace.api.patch(`/v1/rooms/${free.room_id}`, {
    price_per_hour: { currency: 'GBP', amount_minor: 2_500 },
  });
  // The same room keeps its rate, so the move stays free of charge.
  const same = await page(`${free.manage_url}/move?minutes=120&start=${hoursLater(free.start_at, 24)}`);
  t.regex(same.text, /Nothing is charged/);

  const { booking } = await confirmedBooking(workspace.api, { card: '4000000000000341' });
  const link = booking.manage_url;
  const current = async () => (await workspace.api.get(`/v1/bookings/${booking.id}`)).body;
  const start = hoursLater(booking.start_at, 24);
  const ask = await page(`${link}/move?minutes=120&start=${start}`);
  const refused = await read(await post(`${link}/move`, ask.fields));
  t.is(refused.status, 402);
  t.regex(refused.text, /has not been moved, and nothing has been charged.*pay the £30\.00 for the move/);
  t.is((await current()).start_at, booking.start_at);

  // The price has changed meanwhile: asked again, and still without the card on file.
  const stale = await read(await post(`${link}/move`, { ...refused.fields, difference_minor: '2000' }));
  t.is(stale.status, 409);
  t.regex(stale.text, /The price has changed.*£30\.00 is due\. You pay on the next page/);
  t.deepEqual(stale.fields, refused.fields);
  const paying = await post(`${link}/move`, stale.fields);
  const again = await post(`${link}/move`, stale.fields);
  t.deepEqual([paying.status, again.status], [200, 200], 'a double click');
  const [url, sameUrl] = (await Promise.all([paying.text(), again.text()])).map(
    (html) => /<a class="button" href="([^"]*cs_[^"]+)"/.exec(html)?.[1],
  );
  t.truthy(url);
  t.is(sameUrl, url);
  t.is((await current()).start_at, booking.start_at);
  await pay({ checkout_url: url! });
  await until(async () => (await current()).start_at === start);
  t.is((await current()).price.amount_minor, 6_000);
  const { charges } = await processorLedger(workspace);
  t.is(charges.filter(({ status }) => status === 'failed').length, 1, 'the card is tried once');

  const owner = await WebSession.start(await ownerOf(workspace.id));
  await owner.enrol();
  const form = `/dashboard/${workspace.id}/bookings/${booking.id}/change`;
  const local = (at: string) => at.slice(0, 16);
  const longer = { room_id: booking.room_id, start_at: local(start), end_at: local(hoursLater(start, 3)) };
  const asked = await owner.submit(form, form, { ...longer, attendees: '1', notes: '' });
  const declined = await (await owner.confirmForm(asked)).text();
  t.regex(declined, /The bank declined the card on file: nothing was charged.*choose below to send a link/);
  const offered = await owner.submitFormOf(declined, form, { ...longer, attendees: '1', pay_by_link: 'on' });
  t.is((await owner.confirmForm(offered)).status, 302);
  const { body: pending } = await workspace.api.get(`/v1/bookings/${booking.id}/pending-change`);
  t.is(pending.amount_minor, 3_000);
  t.is((await post(`${link}/withdraw`, {})).status, 303);
  await sweep(t, workspace);
});

test('each refund of a booking has its credit note, with the tax of its part', async (t) => {
  const workspace = await newWorkspace();
  const { booking } = await confirmedBooking(workspace.api);
  const { manage_url: link, id } = booking;
  const { body } = await workspace.api.get(`/v1/payments?booking_id=${id}`);
  const refunded = await workspace.api.post(`/v1/payments/${body.data[0]!.id}/refund`, {
    amount_minor: 1_200,
  });
  const file = `${link}/refunds/${refunded.body.refund.id}.pdf`;
  const html = await until(async () => {
    const text = await (await get(link!)).text();
    return text.includes(file.slice(dev.baseUrl.length)) && text;
  });
  t.regex(html, /Refund of £12\.00 \(PDF\)/);
  const bytes = new Uint8Array(await (await get(file)).arrayBuffer());
  const { text } = await extractText(await getDocumentProxy(bytes), { mergePages: true });
  // 12.00 of 30.00 with 20 % tax: 10.00 and 2.00
  for (const part of [
    'Credit note Holdfast #1-R1',
    'Invoice Holdfast #1 of',
    'Grace Guest',
    '£10.00',
    'Tax 20% £2.00',
    '£12.00',
  ])
    t.true(text.replaceAll(/\s+/g, ' ').includes(part), `${part} in ${text}`);
  const { booking: other } = await confirmedBooking(workspace.api);
  t.is((await get(`${other.manage_url}/refunds/${refunded.body.refund.id}.pdf`)).status, 302, "another's");
});

test('a more expensive move that the bank wants to authenticate is paid on the hosted page, or withdrawn', async (t) => {
  const workspace = await newWorkspace();
  const { booking } = await confirmedBooking(workspace.api, { card: '4000002760003184' });
  const { manage_url: link, start_at } = booking;
  const current = async () => (await workspace.api.get(`/v1/bookings/${booking.id}`)).body;
  const ask = await page(`${link}/move?minutes=120&start=${start_at}`);
  const moved = await post(`${link}/move`, ask.fields);
  t.is(moved.status, 200);
  const [, url] = /<a class="button" href="([^"]*cs_[^"]+)"/.exec(await moved.text())!;
  const shown = await page(link!);
  t.regex(shown.text, /costs £30\.00 more.*Both times are held.*Pay £30\.00.*Cancel the move/);
  t.false(shown.text.includes('Move booking'), 'one move at a time');
  const shorter = { ...ask.fields, minutes: '90', difference_minor: '1500' };
  t.regex((await read(await post(`${link}/move`, shorter))).text, /Pay for it or withdraw it/);
  t.is((await post(`${link}/withdraw`, {})).status, 303);
  t.regex((await page(`${link}?done=withdrawn`)).text, /Your booking has not changed.*Move booking/);
  t.is((await post(`${link}/withdraw`, {})).status, 404);
  // The checkout is closed at the processor afterwards.
  const isClosed = `SELECT FROM checkouts WHERE session_id = $1 AND state = 'closed'`;
  await until(async () => (await db.query(isClosed, [sessionIn(url!)])).length > 0);
  await t.throwsAsync(pay({ checkout_url: url! }), { message: /status of `expired`/ });

  await post(`${link}/move`, ask.fields);
  const { body: pending } = await workspace.api.get(`/v1/bookings/${booking.id}/pending-change`);
  await pay(pending);
  await until(async () => (await current()).price.amount_minor === 6_000);
  const [entry] = (await auditOf(booking.id)).filter(({ action }) => action === 'booking.moved');
  t.deepEqual(entry!.actor, { guest: booking.id });

  const third = await page(`${link}/move?minutes=180&start=${start_at}`);
  await post(`${link}/move`, third.fields);
  t.regex((await page(link!)).text, /Cancelling the booking withdraws the move too/);
  const owner = await WebSession.start(await ownerOf(workspace.id));
  await owner.enrol();
  const calendar = await owner.textOf(`/dashboard/${workspace.id}/calendar?day=${start_at.slice(0, 10)}`);
  const held = new RegExp(`href="[^"]+/bookings/${booking.id}#pending-change"[^>]*>([^<]+)<`).exec(calendar)!;
  t.regex(held[1]!, /\(held for an unpaid change\)/);
  t.true(calendar.includes(`/bookings/${booking.id}"`), 'and its own place');
  const cancel = await page(`${link}/cancel`);
  t.regex(cancel.text, /is not paid yet\. It is withdrawn with the booking, and nothing is charged for it/);
  t.is((await post(`${link}/cancel`, cancel.fields)).status, 303);
  t.regex((await page(link!)).text, /has been cancelled.*The move that was not paid yet has been withdrawn/);
  const charges = (await processorLedger(workspace)).charges.filter(({ status }) => status === 'succeeded');
  t.is(charges.length, 2);
  await sweep(t, workspace);
});

test('a room without self-service shows the booking and refuses the rest', async (t) => {
  const workspace = await newWorkspace();
  const { booking } = await confirmedBooking(workspace.api, { room: { self_service: false } });
  const shown = await page(booking.manage_url!);
  t.is(shown.status, 200);
  t.regex(shown.text, /To move or cancel the booking, contact/);
  for (const path of ['cancel', 'move']) {
    t.is((await get(`${booking.manage_url}/${path}`)).status, 403, path);
    const fields = { refund_minor: '3600', difference_minor: '0', start: freeHour().start_at, minutes: '60' };
    t.is((await post(`${booking.manage_url}/${path}`, fields)).status, 403, path);
  }
  t.is((await workspace.api.get(`/v1/bookings/${booking.id}`)).body.status, 'confirmed');
});

test('forged, replaced and erased links get the same 404, limited by address', async (t) => {
  const workspace = await newWorkspace();
  const { booking, email } = await confirmedBooking(workspace.api);
  const { booking: other } = await confirmedBooking(workspace.api);
  const link: string = booking.manage_url!;
  const signature = link.split('.').at(-1)!;
  const rotated = await workspace.api.post(`/v1/bookings/${booking.id}/rotate-manage-link`, {});
  t.is(rotated.status, 200);
  t.not(rotated.body.manage_url, link);
  t.is((await get(rotated.body.manage_url!)).status, 200);
  await workspace.api.post('/v1/guests/erase', { email });
  t.is((await workspace.api.get(`/v1/bookings/${booking.id}`)).body.manage_url, null);

  const dead = [
    link,
    rotated.body.manage_url,
    other.manage_url!.replace(/\.[^.]+$/, `.${signature}`),
    `${other.manage_url}.`,
    `${other.manage_url}A`,
    `${dev.baseUrl}/manage/${other.id}`,
    `${dev.baseUrl}/manage/bk_%00`,
  ];
  const bodies = new Set<string>();
  for (const url of dead) {
    const response = await get(url!);
    t.is(response.status, 404, url!);
    t.truthy(response.headers.get('x-ratelimit-limit'), 'it counts');
    bodies.add(await response.text());
    t.is((await post(`${url}/cancel`, { refund_minor: '3600' })).status, 404, url!);
  }
  t.is(bodies.size, 1, 'the same page');
  t.is((await workspace.api.get(`/v1/bookings/${other.id}`)).body.status, 'confirmed');
});

test('only callers with calendar:read get the link, and events do not have it', async (t) => {
  const workspace = await newWorkspace();
  const { booking } = await confirmedBooking(workspace.api);
  t.regex(booking.manage_url!, /\/manage\/bk_/);
  const writer = await newKey(workspace, workspace.ownerId, { resources: ['calendar'], actions: ['write'] });
  const { body } = await writer.patch(`/v1/bookings/${booking.id}`, { notes: 'Tea' });
  t.is(body.manage_url, null);
  const events = await eventsOf(booking.id);
  t.true(events.length > 0);
  t.false(JSON.stringify(events).includes('manage'));
});

test('a payer who closes the checkout gets one mail with it, and none after paying', async (t) => {
  const workspace = await newWorkspace({ hold_seconds: 150 });
  const [{ booking: left }, { booking: paid }] = await Promise.all([
    pendingBooking(150, workspace),
    pendingBooking(150, workspace),
  ]);
  await pay(paid);
  await untilStatus(workspace.api, paid.id, 'confirmed');
  const ended = `SELECT status, notify_at FROM mails WHERE booking_id = $1 AND kind = 'booking_held'`;
  t.deepEqual(await db.query(ended, [paid.id]), [{ status: 'skipped', notify_at: null }]);
  const heldMails = async (booking: Booking) =>
    (await mailTo(booking.booked_by.guest.email)).filter(({ subject }) =>
      subject.startsWith('Complete your booking'),
    );
  const [mail] = await until(async () => {
    const mails = await heldMails(left);
    return mails.length > 0 && mails;
  });
  t.true(mail!.text.includes(left.checkout_url!));
  t.true(mail!.text.includes(left.manage_url!));
  await until(async () => {
    const [{ waiting }] = await db.query(
      `SELECT count(*)::int AS waiting FROM mails WHERE booking_id = ANY ($1) AND kind = 'booking_held' AND status = 'pending'`,
      [[left.id, paid.id]],
    );
    return waiting === 0;
  });
  t.is((await heldMails(paid)).length, 0);

  const shown = await page(left.manage_url!);
  t.regex(shown.text, /held for you until/);
  t.is((await post(`${left.manage_url}/cancel`, { refund_minor: '0' })).status, 303);
  t.is((await workspace.api.get(`/v1/bookings/${left.id}`)).body.status, 'cancelled');
  t.is((await heldMails(left)).length, 1);
  await sweep(t, workspace);
});
