import test from 'ava';
import { randomUUID } from 'node:crypto';
import { newMember } from '../../support/people.js';
import { hoursLater } from '../../support/bookings.js';
import { mailTo } from '../../support/simulators.js';
import { db, dev } from '../../support/stack.js';
import { until } from '../../support/until.js';
import { newRoom, newWorkspace, uniqueEmail } from '../../support/workspaces.js';
import { message } from '../../support/message.js';

const FREE = { price_per_hour: { currency: 'GBP', amount_minor: 0 } };
const newSlug = (): string => `house-${randomUUID().slice(0, 8)}`;

/** A workspace with a booking page and a room. */
async function openPage(room: Record<string, unknown> = {}, settings: Record<string, unknown> = {}) {
  const workspace = await newWorkspace({ name: 'Harbour House' });
  const made = await newRoom(workspace.api, room);
  const slug = newSlug();
  const put = await workspace.api.put('/v1/booking-page', { slug, ...settings });
  if (put.status !== 200) throw new Error(JSON.stringify(put.body));
  return { workspace, room: made, slug, at: `${dev.baseUrl}/book/${slug}/rooms/${made.id}` };
}

const day = hoursLater(new Date().toISOString(), 24 * 20).slice(0, 10);
let hours = 0;
const bookingForm = (price: number, fields: Record<string, string> = {}): Record<string, string> => ({
  slot: `${hoursLater(`${day}T08:00:00.000Z`, hours++)}|${price}`,
  minutes: '60',
  key: randomUUID(),
  name: 'Grace Guest',
  email: uniqueEmail(),
  attendees: '2',
  ...fields,
});

async function send(at: string, fields: Record<string, string>) {
  const body = new URLSearchParams(fields);
  const sent = await fetch(`${at}/details`, { method: 'POST', body, redirect: 'manual' });
  // The booked object has its own address.
  const booked = sent.headers.get('location')?.includes('go=') && new URL(sent.headers.get('location')!, at);
  const response = booked ? await fetch(booked) : sent;
  const text = await response.text();
  return { status: response.status, title: /<h1>([^<]*)/.exec(text)?.[1], text };
}

test('nobody takes over the former address of a page', async (t) => {
  const { workspace, slug } = await openPage();
  const other = await newWorkspace();
  const later = newSlug();
  t.is((await workspace.api.put('/v1/booking-page', { slug: later })).status, 200);
  for (const wanted of [slug, later]) {
    const { status, body } = await other.api.put('/v1/booking-page', { slug: wanted });
    t.is(status, 422, wanted);
    t.like(body.error, { param: 'slug' });
  }
  t.is((await workspace.api.put('/v1/booking-page', { slug })).status, 200, 'its own can come back');
  for (let n = 2; n < 20; n++)
    t.is((await workspace.api.put('/v1/booking-page', { slug: newSlug() })).status, 200, String(n));
  t.is(
    (await workspace.api.put('/v1/booking-page', { slug: newSlug() })).status,
    422,
    'nor are they hoarded',
  );
  t.is((await workspace.api.put('/v1/booking-page', { slug: later })).status, 200);
});

test('the link that confirmed a booking ends with the links that it leads to', async (t) => {
  const { workspace, at } = await openPage(FREE);
  const confirmed = async () => {
    const form = bookingForm(0);
    t.is((await send(at, form)).title, message('page.confirm_by_mail'));
    const mail = await until(async () => (await mailTo(form.email!))[0]);
    const link = mail.links.find((each) => each.includes('/confirm/'))!;
    const opened = await fetch(link, { method: 'POST', redirect: 'manual' });
    t.is(opened.status, 303);
    t.regex(opened.headers.get('location')!, /\/manage\//);
    const { body } = await workspace.api.get(`/v1/bookings?q=${encodeURIComponent(form.email!)}`);
    return { id: body.data[0]!.id, link };
  };
  const [leaked, mistyped] = [await confirmed(), await confirmed()];
  await workspace.api.post(`/v1/bookings/${leaked.id}/rotate-manage-link`);
  const guest = { email: uniqueEmail() };
  await workspace.api.patch(`/v1/bookings/${mistyped.id}`, { booked_by: { guest } });
  for (const { link } of [leaked, mistyped])
    for (const method of ['GET', 'POST']) {
      const { status, headers } = await fetch(link, { method, redirect: 'manual' });
      t.is(status, 404, method);
      t.is(headers.get('location'), null);
    }
});

test('mail to an address that a public guest entered repeats nothing else that they entered', async (t) => {
  const name = 'Your parcel waits at evil.example';
  const free = await openPage(FREE);
  const form = bookingForm(0, { name, company: 'Pay at evil.example', order_reference: 'evil.example' });
  await send(free.at, form);
  const [mail] = await until(async () => {
    const mails = await mailTo(form.email!);
    return mails.length > 0 && mails;
  });
  t.false(JSON.stringify(mail).includes('evil.example'));
});

test('times that no room has, and answers that cannot be stored, are refused without a failure', async (t) => {
  const { at } = await openPage(FREE, { questions: [{ id: 'why', label: 'Why?', kind: 'text' }] });
  const key = randomUUID();
  const late = '+275760-09-13T00:00:00.000Z';
  for (const [start, minutes] of [
    [`${day}T09:00:00.000Z`, 'Infinity'],
    [`${day}T09:00:00.000Z`, '1e308'],
    [late, '60'],
    ['-271821-04-20T00:00:00.000Z', '60'],
  ]) {
    const query = new URLSearchParams({ start: start!, minutes: minutes!, key });
    t.is((await fetch(`${at}/details?${query}`, { redirect: 'manual' })).status, 302, `${start} ${minutes}`);
    const posted = await send(at, { ...bookingForm(0), slot: `${start}|0`, minutes: minutes! });
    t.is(posted.status, 303, `${start} ${minutes}`);
  }
  for (const bad of ['a\0b', '\ud800'])
    for (const field of ['answer_why', 'name', 'company', 'order_reference', 'terms_version']) {
      const { status } = await send(at, bookingForm(0, { [field]: bad }));
      t.true(status < 500, `${field}: ${status}`);
    }
  for (const path of ['%00', '%ff', '..%2f..', 'a'.repeat(5_000)])
    t.true((await fetch(`${dev.baseUrl}/book/${path}`)).status < 500, path.slice(0, 10));
});

test('a page books only its own rooms, at the current price, and keeps text from public guests as text', async (t) => {
  const { workspace, at, slug } = await openPage(
    {},
    {
      questions: [{ id: 'why', label: '<b>Why</b>', kind: 'text' }],
      notice: '<script>alert(1)</script>',
    },
  );
  const other = await openPage();
  const elsewhere = `${dev.baseUrl}/book/${slug}/rooms/${other.room.id}`;
  t.is((await fetch(elsewhere)).status, 404);
  t.is((await send(elsewhere, bookingForm(3_000))).status, 404);
  const put = await workspace.api.put('/v1/booking-page', { slug, room_ids: [other.room.id] });
  t.like(put.body.error, { code: 'validation_failed', param: 'room_ids.0' });
  for (const price of [0, 1, 2_999])
    t.true((await send(at, bookingForm(price))).text.includes(message('page.price_changed')), String(price));
  const page = await (await fetch(`${dev.baseUrl}/book/${slug}`)).text();
  t.false(page.includes('<script>alert'));
  const name = '"><img src=x onerror=alert(1)>';
  const form = bookingForm(3_000, { name, answer_why: name });
  const refused = await send(at, { ...form, email: 'none' });
  t.is(refused.status, 422);
  t.false(refused.text.includes('<img'));
  t.is((await send(at, form)).title, message('payer.continue_to_payment'));
  const { body } = await workspace.api.get(`/v1/bookings?q=${encodeURIComponent(form.email!)}`);
  t.like(body.data[0]!, { booked_by: { guest: { name } }, price: { amount_minor: 3_000 } });
});

test('the look of a page cannot change the policy in its headers', async (t) => {
  const { workspace, slug, room } = await openPage();
  const bad = [
    'https://a;frame-ancestors/l.png',
    'https://a,b/l.png',
    'https://*/l.png',
    'https://a:99999/l.png',
  ];
  for (const logo_url of bad) {
    for (const { status, body } of [
      await workspace.api.put('/v1/booking-page', { slug, theme: { logo_url } }),
      await workspace.api.patch('/v1/workspace', { logo_url }),
      await workspace.api.patch(`/v1/rooms/${room.id}`, { image_urls: [logo_url] }),
    ]) {
      t.is(status, 422, logo_url);
      t.regex(body.error!.param!, /(logo_url|image_urls\.0)$/);
    }
    // As if it had been stored.
    await db.query(`UPDATE workspaces SET logo_url = $2 WHERE id = $1`, [workspace.id, logo_url]);
    await db.query(`UPDATE rooms SET image_urls = ARRAY[$2] WHERE id = $1`, [room.id, logo_url]);
    const { status, headers } = await fetch(`${dev.baseUrl}/book/${slug}`);
    t.is(status, 200, logo_url);
    t.regex(
      headers.get('content-security-policy')!,
      /^default-src 'none'; font-src 'self'; img-src 'self'; style-src /,
      logo_url,
    );
  }
  for (const origin of [
    "https://a.example 'self'",
    'https://*.example',
    'https://a.example;',
    'javascript:x',
  ])
    t.is(
      (await workspace.api.put('/v1/booking-page', { slug, embed_origins: [origin] })).status,
      422,
      origin,
    );
  for (const accent of ['red', '#1e5f7f;}', '#1e5f7f\n'])
    t.is((await workspace.api.put('/v1/booking-page', { slug, theme: { accent } })).status, 422, accent);
});

test('a page says the same about an address whether it belongs to a member, an earlier guest or nobody', async (t) => {
  const { workspace, at } = await openPage();
  const { email } = await newMember(workspace, { role: 'admin' });
  const guest = uniqueEmail();
  await send(at, bookingForm(3_000, { email: guest }));
  for (const address of [email, guest, uniqueEmail()])
    t.is(
      (await send(at, bookingForm(3_000, { email: address }))).title,
      message('payer.continue_to_payment'),
    );
});
