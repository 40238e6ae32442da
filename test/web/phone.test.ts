import test from 'ava';
import { picture, type WatchedPage } from '../support/browser.js';
import { bookingBody, createBooking, pay, checkoutSessionId, untilStatus } from '../support/bookings.js';
import { launchBrowser } from '../support/chromium.js';
import { openAll, openDashboard } from '../support/dashboard.js';
import { createObjects } from '../support/objects.js';
import { once } from '../support/once.js';
import { db, dev } from '../support/stack.js';
import { newRoom, uniqueEmail } from '../support/workspaces.js';

const browser = once(launchBrowser);
const PHONE = { width: 390, height: 800 };
/** Windows between a phone and a screen on which every column fits, and such a screen. */
const WIDER = [700, 1000, 1280];

/** Problems on a phone: the page scrolls sideways, or an amount is outside the screen or cut off. */
const PROBLEMS = `(() => {
  const problems = [];
  if (document.documentElement.scrollWidth > innerWidth) problems.push('scrolls sideways');
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const zones = [];
  for (let text = texts.nextNode(); text; text = texts.nextNode()) {
    const parent = text.parentElement;
    if (!parent.checkVisibility() || parent.closest('option, script, style')) continue;
    // Content of an event or an audit entry, a setting's value and an invoice line are data.
    if (!parent.closest('td, dt, pre, code, .entry, ul.plain') && !/^[\\w/]+$/.test(text.data.trim()))
      zones.push(...(text.data.match(/[A-Z][a-z]+\\/[A-Z]\\w+/g) ?? []));
    const range = document.createRange();
    range.selectNodeContents(text);
    const word = text.data.trim();
    const isShort = /^\\S{1,14}$/.test(word) && (parent.closest('dt, label') || /^[£€$]/.test(word));
    if (isShort && new Set([...range.getClientRects()].map(({ top }) => top)).size > 1)
      problems.push('broken: ' + word);
    if (!/[£€$]\\s?\\d/.test(text.data)) continue;
    for (const { left, right } of range.getClientRects()) {
      let from = 0;
      let to = innerWidth;
      for (let box = parent; box; box = box.parentElement) {
        if (getComputedStyle(box).overflowX === 'visible') continue;
        const edges = box.getBoundingClientRect();
        from = Math.max(from, edges.left);
        to = Math.min(to, edges.right);
      }
      if (left < from - 1 || right > to + 1) problems.push('hidden: ' + text.data.trim());
    }
  }
  const named = [...new Set(zones)].filter((zone) => zones.indexOf(zone) !== zones.lastIndexOf(zone));
  const times = (zone) => zones.filter((each) => each === zone).length;
  return [...new Set(problems), ...named.map((zone) => zone + ' is named ' + times(zone) + ' times')];
})()`;

/** The problems of pages, by address. */
async function findProblems(page: WatchedPage, home: string, paths: Record<string, string>) {
  const found: Record<string, unknown> = {};
  for (const [name, path] of Object.entries(paths)) {
    await page.setViewportSize(PHONE);
    const response = await page.goto(path.startsWith('http') ? path : home + path);
    if (response!.status() !== 200) found[name] = `answers ${response!.status()}`;
    await openAll(page);
    const problems = (await page.evaluate(PROBLEMS)) as string[];
    if (problems.length > 0) found[name] = problems;
    await picture(page, `phone-${name.replaceAll(/\W+/g, '-')}`);
    for (const width of WIDER) {
      await page.setViewportSize({ width, height: 900 });
      const there = (await page.evaluate(PROBLEMS)) as string[];
      if (there.length > 0) found[`${name} at ${width}`] = there;
    }
  }
  return found;
}

/** A workspace with long names and large amounts. */
async function createLargeWorkspace() {
  const scene = await openDashboard(await browser());
  const { api, id } = scene.workspace;
  const objects = await createObjects(scene.workspace);
  const label = 'Bewirtungspauschale mit Mittagstisch und Nachmittagskaffee, je Person!';
  const extra = await api.post('/v1/extras', {
    name: label,
    price: { currency: 'GBP', amount_minor: 1_234_567 },
  });
  if (extra.status !== 201) throw new Error(`the extra returned ${extra.status}`);
  const extras = [{ extra_id: extra.body.id, quantity: 3 }];
  const room = await newRoom(api, {
    name: 'The Great Hall of the Harbour House with its Gallery',
    price_per_hour: { currency: 'GBP', amount_minor: 1_234_567 },
  });
  const name = 'Maximiliane Featherstonehaugh-Cholmondeley of Basingstoke';
  const booked_by = { guest: { email: uniqueEmail(), name } };
  const held = await createBooking(api, bookingBody(room.id, { booked_by }));
  const made = await createBooking(api, bookingBody(room.id, { booked_by, extras }));
  await pay(made);
  const booking = await untilStatus(api, made.id, 'confirmed');
  const given = await createBooking(api, bookingBody(room.id, { booked_by }));
  await pay(given);
  await untilStatus(api, given.id, 'confirmed');
  const { status } = await api.post(`/v1/bookings/${given.id}/cancel`, {
    refund_policy: 'full',
    reason:
      'The boiler is being repaired, and the hall is too cold for anybody until the end of next week. Sorry!',
  });
  if (status !== 200) throw new Error(`the cancellation returned ${status}`);
  const { body: invoice } = await api.post('/v1/invoices', {
    member_id: objects.member!,
    currency: 'GBP',
    due_at: '2026-01-01T00:00:00Z',
    lines: ['Hall', `Gallery and everything (mem_${'0'.repeat(40)})`].map((description) => ({
      description,
      quantity: 12,
      unit_amount_minor: 9_876_543,
      tax_code: 'STANDARD',
    })),
  });
  return { ...scene, id, objects, held, booking, invoice };
}

test('at no width does a dashboard page scroll sideways or hide an amount, and its time zone is shown once', async (t) => {
  const { page, home, objects, held, booking, invoice } = await createLargeWorkspace();
  const day = booking.start_at.slice(0, 10);
  const paths = [
    '',
    `/calendar?day=${day}`,
    '/book',
    `/bookings?from=${day}`,
    `/bookings/${booking.id}`,
    `/bookings/${booking.id}/summary`,
    `/bookings/${booking.id}/change`,
    `/bookings/${held.id}`,
    '/membership',
    '/invoices',
    `/invoices/${invoice.id}`,
    `/invoices/${booking.invoice_id}`,
    '/invoices/new',
    '/payments',
    `/payments/${objects.payment}`,
    '/subscriptions',
    `/reconciliation?from=${day}&to=${day}`,
    '/reports',
    '/reports/tax',
    '/reports/payouts',
    `/reports/payouts/${objects.payout}`,
    `/reports/usage?from=${day}&to=${day}`,
    '/members',
    `/members/${objects.member}`,
    '/companies',
    `/companies/${objects.company}`,
    '/guests',
    '/search?q=Featherstonehaugh',
    '/rooms',
    `/rooms/${booking.room_id}`,
    '/settings',
    '/settings/payers',
    '/settings/invoices',
    '/settings/bookings',
    '/booking-page',
    '/keys',
    '/applications',
    '/prices',
    '/processor',
    '/accounting',
    '/webhooks',
    '/events',
    `/events/${objects.event}`,
    '/audit-log',
  ];
  t.deepEqual(await findProblems(page, home, Object.fromEntries(paths.map((path) => [path, path]))), {});
  await page.context().close();
});

test('at no width does a payer page scroll sideways or hide an amount, and its time zone is shown once', async (t) => {
  const { page, held, booking, invoice } = await createLargeWorkspace();
  await page.context().clearCookies();
  const [{ id: checkout }] = await db.query(`SELECT id FROM checkouts WHERE booking_id = $1`, [held.id]);
  const [pay_url] = [invoice.pay_url!];
  const paths = {
    'sign-in': '/sign-in',
    'booking of a payer': booking.manage_url!,
    'move of a payer': `${booking.manage_url!}/move`,
    'cancellation of a payer': `${booking.manage_url!}/cancel`,
    'held booking of a payer': held.manage_url!,
    'left checkout': `/checkout/left?checkout_id=${checkout}`,
    'paid checkout': `/checkout/success?session_id=${checkoutSessionId(held)}`,
    'invoice of a payer': pay_url,
  };
  t.deepEqual(await findProblems(page, dev.baseUrl, paths), {});
  t.is(await page.locator('.wordmark').innerText(), 'Test house');
  await page.context().close();
});
