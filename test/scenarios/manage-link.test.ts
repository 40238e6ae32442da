import { extractText, getDocumentProxy } from 'unpdf';
import test from 'ava';
import {
  confirmedBooking,
  listEvents,
  freeHour,
  hoursLater,
  pay,
  pendingBooking,
  untilStatus,
} from '../support/bookings.js';
import { runningHour } from '../support/days.js';
import { mailTo } from '../support/simulators.js';
import { db, dev } from '../support/stack.js';
import { until } from '../support/until.js';
import { newWorkspace } from '../support/workspaces.js';
import { sweep } from '../support/invariants.js';
import { newKey } from '../support/people.js';
import type { Booking } from '../support/api-bodies.js';
import type { ScopeAction } from '../../domain/policies.js';
import { listAuditEntries, get, page, post, read } from '../support/manage-link-calls.js';
import { message } from '../support/message.js';

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
  for (const fact of [booking.reference, '£30.00', message('terms.full_refund'), 'desk@harbour.example'])
    t.true(shown.text.includes(fact), fact);
  t.regex(await (await get(`${link}/booking.ics`)).text(), new RegExp(`UID:${booking.id}@holdfast`));
  t.is((await get(`${link}/receipt.pdf`)).headers.get('content-type'), 'application/pdf');
  const ask = await page(`${link}/cancel`);
  t.true(ask.text.includes(message('terms.is_refunded', { amount: '£30.00' })));
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
  await until(async () => (await page(link)).text.includes(message('terms.refunded', { amount: '£30.00' })));
  const [entry] = (await listAuditEntries(booking.id)).filter(({ action }) => action === 'booking.cancelled');
  t.deepEqual(entry!.actor, { guest: booking.id, via: 'manage_link' });
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
  t.true(again.text.includes(message('payer.refund_changed')));
  t.true(again.text.includes(message('terms.is_refunded', { amount: '£15.00' })));
  t.is((await workspace.api.get(`/v1/bookings/${booking.id}`)).body.status, 'confirmed');
  t.is((await post(`${link}/cancel`, again.fields)).status, 303);
  await until(async () => (await page(link)).text.includes(message('terms.rest_kept', { amount: '£15.00' })));
  await sweep(t, workspace);
});

test('before a cancellation the guest sees earlier refunds, and the sum afterwards includes them', async (t) => {
  const workspace = await newWorkspace();
  const { api } = workspace;
  const { booking } = await confirmedBooking(api, { hours: 2 });
  const end_at = hoursLater(booking.start_at, 1);
  t.is((await api.patch(`/v1/bookings/${booking.id}`, { end_at })).status, 200);
  const link = booking.manage_url!;
  // Two hours of £25.00 plus 20 % tax, one of which was given back.
  const ask = await page(`${link}/cancel`);
  const before = message('terms.refunded_before', { amount: '£30.00' });
  t.true(ask.text.includes(`${before} ${message('terms.is_refunded', { amount: '£30.00' })}`));
  t.is((await post(`${link}/cancel`, ask.fields)).status, 303);
  await until(async () => (await page(link)).text.includes(message('terms.refunded', { amount: '£60.00' })));
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
    return text.includes('TH-1-C1.pdf') && text;
  });
  t.true(html.includes(message('payer.document_credit_note', { number: 'TH-1-C1' })));
  const bytes = new Uint8Array(await (await get(file)).arrayBuffer());
  const { text } = await extractText(await getDocumentProxy(bytes), { mergePages: true });
  // 12.00 of 30.00 with 20 % tax: 10.00 and 2.00
  for (const part of [
    message('documents.credit_note', { number: 'TH-1-C1' }),
    message('documents.refund_of', { number: 'TH-1' }),
    `${message('documents.corrects')} TH-1`,
    'Grace Guest',
    '£10.00',
    `${message('documents.tax_of', { tax: 'VAT', rate: 20, net: '£10.00' })} £2.00`,
    '£12.00',
  ])
    t.true(text.replaceAll(/\s+/g, ' ').includes(part), `${part} in ${text}`);
  const { booking: other } = await confirmedBooking(workspace.api);
  t.is((await get(`${other.manage_url}/refunds/${refunded.body.refund.id}.pdf`)).status, 302, "another's");
});

test('the mail and the page offer only what is still possible: no move past the edit window, no terms once it has begun', async (t) => {
  const workspace = await newWorkspace();
  const readLinkLabel = async (email: string) => {
    const sent = await until(async () =>
      (await mailTo(email)).find(({ subject }) => /is confirmed/.test(subject)),
    );
    return { label: /^(View.*your booking):?/m.exec(sent.text)?.[1], terms: /If cancelled/.test(sent.text) };
  };
  const room = { edit_window_minutes: 43_200 };
  const soon = await confirmedBooking(workspace.api, { room, slot: freeHour(2) });
  t.deepEqual(await readLinkLabel(soon.email), { label: message('mail.see_or_cancel'), terms: true });
  const shown = await page(soon.booking.manage_url!);
  t.true(shown.text.includes(message('payer.edit_window', { length: '30 days' })));
  t.notRegex(shown.text, /Move booking/);
  t.true(shown.text.includes(message('payer.cancel_booking')));

  const slot = await runningHour();
  const running = await confirmedBooking(workspace.api, { room: { slot_minutes: 60 }, slot, hours: 2 });
  t.deepEqual(await readLinkLabel(running.email), { label: message('mail.see'), terms: false });
  const begun = await page(running.booking.manage_url!);
  t.true(begun.text.includes(message('payer.edit_window', { length: '1 h' })));
  t.notRegex(begun.text, /If you cancel|Move booking/);
});

test('a room without self-service shows the booking and refuses changes', async (t) => {
  const workspace = await newWorkspace();
  const { booking } = await confirmedBooking(workspace.api, { room: { self_service: false } });
  const shown = await page(booking.manage_url!);
  t.is(shown.status, 200);
  t.true(shown.text.includes(message('payer.contact_to_change', { name: 'Test house' })));
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
    `${dev.baseUrl}/manage/bk_%00.`,
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

test('only callers with calendar:write get the link, and events do not contain it', async (t) => {
  const workspace = await newWorkspace();
  const { booking } = await confirmedBooking(workspace.api);
  t.regex(booking.manage_url!, /\/manage\/bk_/);
  const key = (actions: ScopeAction[]) =>
    newKey(workspace, workspace.ownerId, { resources: ['calendar'], actions });
  const [reader, writer, both] = await Promise.all([key(['read']), key(['write']), key(['read', 'write'])]);
  const readLinks = async (api: typeof reader) => [
    (await api.get(`/v1/bookings/${booking.id}`)).body.manage_url,
    (await api.get(`/v1/bookings?from=${booking.start_at}&to=${booking.end_at}`)).body.data[0]!.manage_url,
  ];
  t.deepEqual(await readLinks(reader), [null, null]);
  t.deepEqual(await readLinks(both), [booking.manage_url, booking.manage_url]);
  const { body } = await writer.patch(`/v1/bookings/${booking.id}`, { notes: 'Tea' });
  t.is(body.manage_url, booking.manage_url);
  const events = await listEvents(booking.id);
  t.true(events.length > 0);
  t.false(JSON.stringify(events).includes('manage'));
});

test('a payer who closes the checkout gets one mail with its link, and none after paying', async (t) => {
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
    (await mailTo(booking.booked_by.guest.email)).filter(
      ({ subject }) => subject === message('mail.held_subject', { room: 'Blue room' }),
    );
  const [mail] = await until(async () => {
    const mails = await heldMails(left);
    return mails.length > 0 && mails;
  });
  t.true(mail!.text.includes(left.checkout_url!));
  t.true(mail!.text.includes(left.manage_url!));
  await until(async () => {
    const [{ waiting }] = await db.query(
      `SELECT count(*)::int AS waiting FROM mails WHERE booking_id = ANY ($1) AND kind = 'booking_held'
        AND status = 'pending'`,
      [[left.id, paid.id]],
    );
    return waiting === 0;
  });
  t.is((await heldMails(paid)).length, 0);

  const shown = await page(left.manage_url!);
  t.regex(shown.text, new RegExp(message('payer.held_until', { time: '.*' })));
  t.is((await post(`${left.manage_url}/cancel`, { refund_minor: '0' })).status, 303);
  t.is((await workspace.api.get(`/v1/bookings/${left.id}`)).body.status, 'cancelled');
  t.is((await heldMails(left)).length, 1);
  await sweep(t, workspace);
});
