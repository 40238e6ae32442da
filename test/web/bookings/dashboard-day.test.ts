import test from 'ava';
import { launchBrowser } from '../../support/chromium.js';
import type { Browser } from 'playwright-core';
import { openDashboard, openWhen, readMainText } from '../../support/dashboard.js';
import { bookingBody, freeHour, pay, untilStatus } from '../../support/bookings.js';
import { dev } from '../../support/stack.js';
import { mailTo } from '../../support/simulators.js';
import { until } from '../../support/until.js';
import { newRoom, newWorkspace, uniqueEmail } from '../../support/workspaces.js';
import { assertFine } from '../assert-fine.js';
import { message } from '../../support/message.js';

const PAID = message('terms.paid', { amount: '£60.00' });

let browser: Browser;

test.before(async () => {
  browser = await launchBrowser();
});

test('an operator books, moves, cancels and closes from the calendar, and sees each amount beforehand', async (t) => {
  const { workspace, page, home } = await openDashboard(browser);
  t.regex(await readMainText(page), /First steps[^]*Add a room[^]*Needs attention[^]*Today/);
  await newRoom(workspace.api, {
    name: 'Garden room',
    refund_steps: [{ hours_before: 0, percent: 50 }],
  });
  const email = uniqueEmail();
  const date = freeHour(40).start_at.slice(0, 10);
  await page.goto(`${home}/calendar?day=${date}`);
  // As a browser without scripts follows it.
  const free = page.locator('a.free[aria-label="Book Garden room at 10:00"]');
  await page.goto(`${dev.baseUrl}${await free.getAttribute('href')}`);
  t.is(await page.inputValue('#start_at'), `${date}T10:00`);
  await page.fill('#email', email);
  await page.click('button:text("Review price")');
  t.regex(await page.locator('#name-problem').innerText(), /No member or guest has this email address/);
  await page.fill('#name', 'Rosa Parks');
  await assertFine(t, page, 'book');
  await page.click('button:text("Review price")');
  t.is(await page.locator('#price').innerText(), '£30.00, including £5.00 tax');
  const stored = await workspace.api.get(`/v1/bookings?from=${date}T00:00:00Z&to=${date}T23:59:00Z`);
  t.deepEqual(stored.body.data, [], 'nothing is held before the price was seen');
  await page.click('button:text("Hold slot for £30.00")');
  await page.waitForURL(/\/bookings\/bk_/);
  t.regex(await page.locator('.countdown').innerText(), /^\d+:\d\d left$/);
  const id = page.url().split('/').at(-1)!;
  const { body: held } = await workspace.api.get(`/v1/bookings/${id}`);
  t.is(await page.inputValue('input.copy:visible'), held.checkout_url!);
  t.like(held, { status: 'pending_payment', booked_by: { guest: { email, name: 'Rosa Parks' } } });
  await pay(held);
  await untilStatus(workspace.api, id, 'confirmed');

  await page.goto(`${home}/bookings/${id}`);
  await page.click('a:text("Change booking")');
  await page.fill('#end_at', `${date}T12:00`);
  await page.click('button:text("Review change")');
  t.regex(await page.locator('#difference').innerText(), /^£30\.00 is charged to the card/);
  await assertFine(t, page, 'change');
  t.is((await workspace.api.get(`/v1/bookings/${id}`)).body.end_at, held.end_at, 'a preview changes nothing');
  await page.click('button:text("Change and charge £30.00")');
  await page.waitForURL(`${home}/bookings/${id}`);
  t.is(await page.locator('[role=status]').innerText(), 'Booking changed. £30.00 was charged.');
  t.regex(await readMainText(page), /Time: .* 10:00–11:00 → .* 10:00–12:00[\s\S]*Price: £30\.00 → £60\.00/);

  await page.goto(`${home}/calendar?day=${date}`);
  await page.click('[popovertarget]:text("Add blackout")');
  await page.locator('#room_id:focus').waitFor();
  const add = 'form[action$="/blackout"] > button';
  const button = (await page.locator(add).boundingBox())!;
  t.true(button.y + button.height <= page.viewportSize()!.height, 'the form that is opened is in view');
  await page.fill('#start_at', `${date}T11:00`);
  await page.fill('#end_at', `${date}T14:00`);
  await page.click(add);
  t.regex(await readMainText(page), /One booking overlaps this blackout/);
  await assertFine(t, page, 'booking-in-the-way');
  await page.selectOption('select[name=choice]', 'keep');
  await page.click('button:text("Review")');
  await page.click('button:text("Add blackout, keep one")');
  await page.waitForURL(/\/blackouts\/bo_/);
  t.is(await page.locator('[role=status]').innerText(), 'Blackout added. Bookings: 1 kept.');
  await page.goto(`${home}/calendar?day=${date}`);
  t.regex(await page.locator('.calendar .part.blackout').innerText(), /Blackout until/);
  await page.click('.calendar a.slot');
  await page.click('#desk a:text("Open booking")');
  await page.waitForURL(`${home}/bookings/${id}`);

  await page.click('[popovertarget=more]');
  await page.click('[popovertarget]:text("Cancel booking")');
  t.true((await readMainText(page)).includes('Room terms: £30.00'));
  await page.click('button:text("Review cancellation")');
  await page.click('button:text("Cancel and refund £30.00")');
  await page.waitForURL(`${home}/bookings/${id}`);
  const half = { amount: '£30.00' };
  const outcome = `${PAID} ${message('terms.refunded', half)} ${message('terms.rest_kept', half)}`;
  await openWhen(page, page.url(), (html) => html.includes(outcome));
  t.true((await readMainText(page)).includes(outcome));
  const mail = await until(async () =>
    (await mailTo(email)).find(({ subject }) => /is cancelled/.test(subject)),
  );
  t.true(mail.text.includes(`${message('mail.cancelled_by_workspace', { name: 'Test house' })} ${PAID}`));
  await page.context().close();
});

test('a quote has the price that a create charges, and stores nothing', async (t) => {
  const { api } = await newWorkspace();
  const room = await newRoom(api, { capacity: 4 });
  const { idempotency_key: _, ...body } = bookingBody(room.id);
  const quoted = await api.post('/v1/quotes', body);
  t.is(quoted.status, 200);
  const { lines, ...sums } = quoted.body;
  t.like(lines, [{ kind: 'time', net_minor: 2_500, tax_minor: 500 }]);
  t.deepEqual(sums, {
    price: { currency: 'GBP', amount_minor: 3_000 },
    net_minor: 2_500,
    tax_minor: 500,
    discount_percent: 0,
    tokens_used: 0,
    available: true,
    reason: null,
  });
  t.is((await api.post('/v1/quotes', { ...body, attendees: 5 })).body.error.param, 'attendees');
  t.is((await api.post('/v1/quotes', bookingBody(room.id))).status, 422, 'a quote has no key');
  const made = await api.post('/v1/bookings', {
    ...body,
    idempotency_key: bookingBody(room.id).idempotency_key,
  });
  t.deepEqual(made.body.price, quoted.body.price);
  t.like((await api.post('/v1/quotes', body)).body, { available: false, reason: 'booked' });
});
