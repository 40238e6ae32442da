import test from 'ava';
import { confirmedBooking, hoursLater, pay } from '../support/bookings.js';
import { processorLedger } from '../support/simulators.js';
import { db } from '../support/stack.js';
import { until } from '../support/until.js';
import { newWorkspace, findOwnerEmail } from '../support/workspaces.js';
import { sweep } from '../support/invariants.js';
import { sessionIn } from '../support/payers.js';
import { WebSession } from '../support/web-session.js';
import { listAuditEntries, get, page, post, read } from '../support/manage-link-calls.js';
import { message } from '../support/message.js';

/** The payment page that a page leads to. */
const paymentIn = (html: string): string => /<a class="button" href="([^"]*cs_[^"]+)"/.exec(html)![1]!;

test('the guest can move to a free time that costs more, less or the same, but not to a taken one', async (t) => {
  const workspace = await newWorkspace();
  const { booking } = await confirmedBooking(workspace.api, { hours: 2 });
  const { room_id, manage_url: link } = booking;
  const current = async () => (await workspace.api.get(`/v1/bookings/${booking.id}`)).body;
  const slot = { start_at: hoursLater(booking.start_at, 24), end_at: hoursLater(booking.start_at, 25) };
  await confirmedBooking(workspace.api, { room_id, slot });

  const offers = async (at: string): Promise<boolean> => {
    const html = await (await get(`${link}/move?day=${at.slice(0, 10)}&minutes=60`)).text();
    return html.includes(`start=${encodeURIComponent(new Date(at).toISOString())}`);
  };
  t.false(await offers(slot.start_at), 'a booked time is not offered');
  // The next day, if the booked hour is the last one.
  t.true(await offers(slot.end_at), 'the next one is');
  const taken = await page(`${link}/move?minutes=60&start=${slot.start_at}`);
  t.is(taken.status, 409);
  t.true(taken.text.includes(message('payer.error_slot_unavailable')));

  const costlier = await page(`${link}/move?minutes=180&start=${slot.end_at}`);
  t.true(costlier.text.includes(message('payer.difference_due', { amount: '£30.00' })));
  t.is(
    (await post(`${link}/move`, { ...costlier.fields, difference_minor: '0' })).status,
    409,
    'not as shown',
  );
  const charges = async () => (await processorLedger(workspace)).charges.length;
  t.is(await charges(), 2, 'nothing is charged');
  const paying = await post(`${link}/move`, costlier.fields);
  t.is(paying.status, 200, 'it leads to the hosted page');
  t.is(await charges(), 2, 'the saved card is not charged: its holder has to be present');
  await pay({ checkout_url: paymentIn(await paying.text()) });
  await until(async () => (await current()).start_at === slot.end_at);
  const { body: moved } = await workspace.api.get(`/v1/bookings/${booking.id}`);
  t.like(moved, { start_at: slot.end_at, price: { amount_minor: 9_000 }, sequence: 1 });

  const cheaper = await page(`${link}/move?minutes=60&start=${slot.end_at}`);
  t.true(cheaper.text.includes(message('terms.is_refunded', { amount: '£60.00' })));
  t.is((await post(`${link}/move`, cheaper.fields)).status, 303);
  t.is((await workspace.api.get(`/v1/bookings/${booking.id}`)).body.price.amount_minor, 3_000);
  const entries = (await listAuditEntries(booking.id)).filter(({ action }) => action === 'booking.moved');
  t.deepEqual(
    entries.map(({ actor, details }) => [actor, details.after.price_minor]),
    [
      [{ guest: booking.id, via: 'manage_link' }, 9_000],
      [{ guest: booking.id, via: 'manage_link' }, 3_000],
    ],
  );
  await sweep(t, workspace);
});

test('a more expensive move is paid once on the hosted page, and staff charge the card on file, which may be declined', async (t) => {
  const workspace = await newWorkspace();
  const room = { price_per_hour: { currency: 'GBP', amount_minor: 0 } };
  const { booking: free } = await confirmedBooking(workspace.api, { room });
  await workspace.api.patch(`/v1/rooms/${free.room_id}`, {
    price_per_hour: { currency: 'GBP', amount_minor: 2_500 },
  });
  // The same room keeps its rate, so the move is still free of charge.
  const same = await page(`${free.manage_url}/move?minutes=120&start=${hoursLater(free.start_at, 24)}`);
  t.true(same.text.includes(message('payer.no_difference')));

  const { booking } = await confirmedBooking(workspace.api, { card: '4000000000000341' });
  const link = booking.manage_url;
  const current = async () => (await workspace.api.get(`/v1/bookings/${booking.id}`)).body;
  const start = hoursLater(booking.start_at, 24);
  const ask = await page(`${link}/move?minutes=120&start=${start}`);
  // The price has changed in the meantime, so the guest is asked again.
  const stale = await read(await post(`${link}/move`, { ...ask.fields, difference_minor: '2000' }));
  t.is(stale.status, 409);
  t.regex(stale.text, /The price has changed.*£30\.00 is due\. You pay on the next page/);
  t.deepEqual(stale.fields, ask.fields);
  const paying = await post(`${link}/move`, stale.fields);
  const again = await post(`${link}/move`, stale.fields);
  t.deepEqual([paying.status, again.status], [200, 200], 'a double click');
  const [url, sameUrl] = (await Promise.all([paying.text(), again.text()])).map(paymentIn);
  t.is(sameUrl, url);
  t.is((await current()).start_at, booking.start_at);
  await pay({ checkout_url: url! });
  await until(async () => (await current()).start_at === start);
  t.is((await current()).price.amount_minor, 6_000);
  const { charges } = await processorLedger(workspace);
  t.is(charges.filter(({ status }) => status === 'failed').length, 0, 'the saved card is not tried');

  const owner = await WebSession.start(await findOwnerEmail(workspace.id));
  await owner.enrol();
  const form = `/dashboard/${workspace.id}/bookings/${booking.id}/change`;
  const local = (at: string) => at.slice(0, 16);
  const longer = { room_id: booking.room_id, start_at: local(start), end_at: local(hoursLater(start, 3)) };
  const asked = await owner.submit(form, form, { ...longer, attendees: '1', notes: '' });
  const declined = await (await owner.confirmForm(asked)).text();
  t.regex(
    declined,
    /The bank declined the card that the booking was paid with\. Nothing was charged.*choose to pay by link below/,
  );
  const offered = await owner.submitFormByAction(declined, form, {
    ...longer,
    attendees: '1',
    pay_by_link: 'on',
  });
  t.is((await owner.confirmForm(offered)).status, 302);
  const { body: pending } = await workspace.api.get(`/v1/bookings/${booking.id}/pending-change`);
  t.is(pending.amount_minor, 3_000);
  t.is((await post(`${link}/withdraw`, {})).status, 303);
  await sweep(t, workspace);
});

test('a more expensive move waits on the hosted page, and can be withdrawn', async (t) => {
  const workspace = await newWorkspace();
  const { booking } = await confirmedBooking(workspace.api, { card: '4000002760003184' });
  const { manage_url: link, start_at } = booking;
  const current = async () => (await workspace.api.get(`/v1/bookings/${booking.id}`)).body;
  const ask = await page(`${link}/move?minutes=120&start=${start_at}`);
  const moved = await post(`${link}/move`, ask.fields);
  t.is(moved.status, 200);
  const url = paymentIn(await moved.text());
  const shown = await page(link!);
  const pendingChange = message('payer.pending_change', { to: '.*', amount: '£30\\.00', until: '.*' });
  t.regex(shown.text, new RegExp(`${pendingChange}.*Pay £30\\.00.*${message('payer.cancel_change')}`));
  t.false(shown.text.includes(message('payer.move_booking')), 'one move at a time');
  const shorter = await post(`${link}/move`, { ...ask.fields, minutes: '90', difference_minor: '1500' });
  t.true((await read(shorter)).text.includes(message('payer.error_change_pending')));
  t.is((await post(`${link}/withdraw`, {})).status, 303);
  t.regex((await page(`${link}?done=withdrawn`)).text, /Your booking has not changed.*Move booking/);
  const again = await post(`${link}/withdraw`, {});
  t.deepEqual(
    [again.status, again.headers.get('location')],
    [303, `/manage/${booking.id}`],
    'sent again it leads to the booking as it is',
  );
  const [withdrawal] = (await listAuditEntries(booking.id)).filter(
    ({ action }) => action === 'booking.change_withdrawn',
  );
  t.deepEqual(withdrawal!.actor, { guest: booking.id, via: 'manage_link' });
  // The checkout is closed at the processor afterwards.
  const isClosed = `SELECT FROM checkouts WHERE session_id = $1 AND state = 'closed'`;
  await until(async () => (await db.query(isClosed, [sessionIn(url)])).length > 0);
  await t.throwsAsync(pay({ checkout_url: url }), { message: /status of `expired`/ });

  await post(`${link}/move`, ask.fields);
  const { body: pending } = await workspace.api.get(`/v1/bookings/${booking.id}/pending-change`);
  await pay(pending);
  await until(async () => (await current()).price.amount_minor === 6_000);
  const [entry] = (await listAuditEntries(booking.id)).filter(({ action }) => action === 'booking.moved');
  t.deepEqual(entry!.actor, { guest: booking.id, via: 'manage_link' });

  const third = await page(`${link}/move?minutes=180&start=${start_at}`);
  await post(`${link}/move`, third.fields);
  t.regex((await page(link!)).text, new RegExp(pendingChange));
  const owner = await WebSession.start(await findOwnerEmail(workspace.id));
  await owner.enrol();
  const calendar = await owner.getText(`/dashboard/${workspace.id}/calendar?day=${start_at.slice(0, 10)}`);
  const held = new RegExp(`href="[^"]+/bookings/${booking.id}#pending-change"[^>]*>(.+?)</a>`).exec(
    calendar,
  )!;
  t.regex(held[1]!, /change not paid yet/);
  t.true(calendar.includes(`/bookings/${booking.id}"`), 'and its own place');
  const cancel = await page(`${link}/cancel`);
  t.regex(cancel.text, new RegExp(message('payer.change_withdrawn_too', { to: '.*' })));
  t.is((await post(`${link}/cancel`, cancel.fields)).status, 303);
  t.regex(
    (await page(link!)).text,
    new RegExp(`${message('payer.cancelled')}.*${message('payer.lost_change')}`),
  );
  const charges = (await processorLedger(workspace)).charges.filter(({ status }) => status === 'succeeded');
  t.is(charges.length, 2);
  await sweep(t, workspace);
});

test('a booking cannot be moved by its link to a longer time than the page offers', async (t) => {
  const workspace = await newWorkspace();
  const free = { price_per_hour: { currency: 'GBP', amount_minor: 0 } };
  const { booking } = await confirmedBooking(workspace.api, { room: free });
  const move = (minutes: number) =>
    post(`${booking.manage_url}/move`, {
      start: booking.start_at,
      minutes: String(minutes),
      difference_minor: '0',
    });
  const year = await read(await move(525_600));
  t.is(year.status, 429);
  t.regex(year.text, /too many/);
  const { body: unmoved } = await workspace.api.get(`/v1/bookings/${booking.id}`);
  t.is(unmoved.end_at, booking.end_at);
  t.is((await move(24 * 60)).status, 303, 'a day');
});
