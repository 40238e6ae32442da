import test from 'ava';
import { bookingBody, freeHour } from '../../support/bookings.js';
import { picture } from '../../support/browser.js';
import { launchBrowser } from '../../support/chromium.js';
import { alertText, openDashboard, openOffice, readMainText, pageText } from '../../support/dashboard.js';
import { newMember } from '../../support/people.js';
import { db } from '../../support/stack.js';
import { readNotice, WebSession } from '../../support/web-session.js';
import { once } from '../../support/once.js';
import { assertAccessible } from '../../support/axe.js';
import { newRoom } from '../../support/workspaces.js';
import { formatDateAsPages, daysAfter, NEXT_MONDAY, WINTER_WEDNESDAY } from '../../support/days.js';

const browser = once(launchBrowser);

test('an operator adds a peak rate and a half day, after seeing what examples cost, and puts them in order', async (t) => {
  const { workspace, page, home } = await openDashboard(await browser());
  const { api } = workspace;
  const room = await newRoom(api, { time_zone: 'UTC' });
  await page.goto(`${home}/rooms/${room.id}`);
  await page.click('.tabs a:text("Rates")');
  t.regex(await readMainText(page), /an hour costs £25\.00/);

  await page.click('.empty a:text("Add rate")');
  await page.fill('#name', 'Evening');
  await page.fill('#from', '18:00');
  await page.click('button:text("Continue")');
  t.regex(await readMainText(page), /The end of the window is required with the start of the window/);
  t.regex(await readMainText(page), /Step 1 of 2/, 'what is wrong with the first step is shown there');
  await page.fill('#to', '23:00');
  for (const day of ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'])
    await page.click(`.chips label:text-is("${day}")`);
  await assertAccessible(t, page, 'the first step of a rate');
  await picture(page, 'rates-step-1');
  await page.click('button:text("Continue")');
  t.regex(await readMainText(page), /Step 2 of 2[^]*18:00\s+Evening/);
  await page.click('button:text("Back")');
  t.is(await page.inputValue('#to'), '23:00', 'going back keeps what was entered');
  t.is(await page.locator('.chips input:checked').count(), 7);
  await page.click('button:text("Continue")');
  await page.click('button:text("Preview prices")');
  t.regex(await readMainText(page), /The amount is required/);
  t.regex(await readMainText(page), /Step 2 of 2/);
  await page.fill('#amount_minor', '40');
  await assertAccessible(t, page, 'the second step of a rate');
  await picture(page, 'rates-step-2');
  await page.click('button:text("Preview prices")');
  t.regex((await readMainText(page)).replaceAll(/\s+/g, ' '), /Rates by time.*18:00 Evening £40\.00 an hour/);
  // Three hours of the evening: 120.00 and tax, instead of 75.00 and tax.
  t.regex(await readMainText(page), /18:00–21:00 \(UTC\): £144\.00 \(now £90\.00\)/);
  await assertAccessible(t, page, 'example prices');
  await picture(page, 'rates-confirm');
  await page.click('button:text("Save rates")');
  t.regex(await readMainText(page), /The rate has been added/);

  await page.click('.title a:text("Add rate")');
  await page.fill('#name', 'Whole day');
  await page.click('button:text("Continue")');
  await page.selectOption('#unit', 'day');
  await page.fill('#amount_minor', '100');
  await page.click('button:text("Preview prices")');
  await page.click('button:text("Save rates")');
  await page.click('button[aria-label="Move up: Whole day"]');
  await page.click('button:text("Save rates")');
  await picture(page, 'rates-list');
  const { body } = await api.get(`/v1/rooms/${room.id}/rates`);
  t.like(body, {
    version: 3,
    rates: [{ name: 'Whole day', unit: 'day', amount_minor: 10_000 }, { name: 'Evening' }],
  });

  await page.click('a[aria-label="Edit Evening"]');
  t.is(await page.inputValue('#amount_minor'), '40.00');
  await page.fill('#to', '');
  await page.click('button:text("Preview prices")');
  t.regex(await readMainText(page), /The end of the window is required with the start of the window/);
  await page.fill('#to', '22:00');
  await page.click('button:text("Preview prices")');
  // Somebody else is faster.
  await api.put(`/v1/rooms/${room.id}/rates`, { rates: body.rates.slice(0, 1) });
  await page.click('button:text("Save rates")');
  t.regex(await readMainText(page), /Someone else has changed this|Rate not found/);

  await page.goto(`${home}/rooms/${room.id}/rates`);
  await page.click('button[aria-label="Remove Whole day"]');
  await page.click('button:text("Save rates")');
  t.like((await api.get(`/v1/rooms/${room.id}/rates`)).body, { version: 5, rates: [] });
  const { idempotency_key: _, ...asked } = bookingBody(room.id, freeHour());
  t.is((await api.post('/v1/quotes', asked)).body.net_minor, 2_500);
  t.deepEqual(page.complaints, []);
  await page.context().close();
});

const EVENING_PRICE = { unit: 'hour', amount_minor: '40', 'audience.kind': 'everyone' };
const EVENING = { name: 'Evening', ...EVENING_PRICE };

/** Submits both steps of a new rate. */
async function addEvening(session: WebSession, at: string): Promise<Response> {
  const second = await session.submit(`${at}/new`, `${at}/new`, { name: 'Evening' });
  return session.submitFormByAction(await second.text(), `${at}/new/price`, EVENING_PRICE);
}

/** A room whose rates are stored as given here, and the page of its rates. */
async function openRates(rates: Record<string, unknown>[]) {
  const { workspace, session, home } = await openOffice();
  const { api } = workspace;
  const room = await newRoom(api);
  const { body } = await api.put(`/v1/rooms/${room.id}/rates`, { rates });
  const read = async () => (await api.get(`/v1/rooms/${room.id}/rates`)).body;
  return { session, room, ids: body.rates.map(({ id }) => id), read, at: `${home}/rooms/${room.id}/rates` };
}

test('a second click on the button that saves rates answers like the first, and saves once', async (t) => {
  const { session, at, ids, read } = await openRates([
    { name: 'Morning', amount_minor: 1_000 },
    { name: 'Noon', amount_minor: 2_000 },
  ]);
  for (const [version, path, fields, notice] of [
    [2, '/new', EVENING, /The rate has been added/],
    [3, `/${ids[1]}/up`, {}, /The order of the rates has been saved/],
    [4, `/${ids[0]}/remove`, {}, /The rate has been removed/],
    [5, `/${ids[1]}`, { ...EVENING, name: 'Midday' }, /The rate has been saved/],
  ] as const) {
    const shown = path === `/${ids[1]}` ? at + path : at;
    const confirmation =
      path === '/new' ? await addEvening(session, at) : await session.submit(shown, at + path, fields);
    const clicks = [confirmation.clone(), confirmation];
    for (const click of clicks) {
      const saved = await session.confirmForm(click);
      t.is(saved.status, 302, path);
      t.is(new URL(saved.headers.get('location')!, 'https://a.example').pathname, at);
      t.regex(readNotice(saved) ?? '', notice);
    }
    t.is((await read()).version, version);
  }
  t.deepEqual(
    (await read()).rates.map(({ name }) => name),
    ['Midday', 'Evening'],
  );
});

test('an error in another rate names that rate, and marks no input', async (t) => {
  const { session, room, at, ids } = await openRates([
    { name: 'Morning', amount_minor: 1_000 },
    { name: 'Noon', amount_minor: 2_000 },
  ]);
  // One that was stored under other rules.
  await db.query(`UPDATE rooms SET rates = jsonb_set(rates, '{0,min_minutes}', '0') WHERE id = $1`, [
    room.id,
  ]);
  for (const [path, fields, says] of [
    ['/new', { name: 'Evening' }, 'Morning: The minimum length must be at least 1.'],
    [`/${ids[1]}`, EVENING, 'Morning: The minimum length must be at least 1.'],
    [`/${ids[1]}/remove`, {}, 'Morning: The minimum length must be at least 1.'],
    [`/${ids[0]}`, { ...EVENING, min_minutes: '0' }, 'The minimum length must be at least 1.'],
  ] as const) {
    const shown = path.includes('/remove') ? at : at + path;
    const refused = await session.submit(shown, at + path, fields);
    t.is(refused.status, 422, path);
    const html = await refused.text();
    t.is(alertText(html), says, path);
    t.is(html.includes('aria-invalid="true"'), !says.startsWith('Morning'), path);
  }
  const ofMorning = { min_minutes: null, cap_minor: 10, minimum_minor: 20 };
  await db.query(`UPDATE rooms SET rates = jsonb_set(rates, '{0}', rates->0 || $2) WHERE id = $1`, [
    room.id,
    JSON.stringify(ofMorning),
  ]);
  const page = `${at}/${ids[1]}`;
  const html = await (await session.submit(page, page, { ...EVENING, to: '12:00' })).text();
  t.is(
    alertText(html),
    'Morning: The maximum per booking must not be less than the minimum. ' +
      'The start of the window is required with the end of the window.',
  );
  t.is(html.match(/aria-invalid="true"/g)?.length, 1);
});

test('staff and members see what each free time costs them in a room with rates', async (t) => {
  const { workspace, session, home } = await openOffice();
  const room = await newRoom(workspace.api, { time_zone: 'UTC', tier_discounts: { pro: 50 } });
  await workspace.api.put(`/v1/rooms/${room.id}/rates`, {
    rates: [{ name: 'Evening', from: '18:00', to: '23:00', amount_minor: 4_000 }],
  });
  const query = new URLSearchParams({ room_id: room.id, day: WINTER_WEDNESDAY, minutes: '60' });
  const times = `${home}/book?${query}`;
  const staff = pageText(await session.getText(times));
  t.regex(staff, /17:00 £30\.00 17:30 £39\.00 18:00 £48\.00/);
  t.regex(staff, /Guest prices, including tax\./);
  const member = await WebSession.start((await newMember(workspace, { tier: 'pro' })).email);
  t.regex(pageText(await member.getText(times)), /17:00 £15\.00 17:30 £19\.50 18:00 £24\.00/);
});

test('a room’s week shows in words which rate applies when, as a table and on phones as days', async (t) => {
  const wednesday = daysAfter(NEXT_MONDAY, 2);
  const { workspace, page, home } = await openDashboard(await browser());
  const room = await newRoom(workspace.api, {
    time_zone: 'UTC',
    opening_hours: Object.fromEntries(
      ['mon', 'tue', 'wed', 'thu', 'fri', 'sat'].map((day) => [day, [['07:00', '23:00']]]),
    ),
  });
  const put = await workspace.api.put(`/v1/rooms/${room.id}/rates`, {
    rates: [
      { name: 'Members', audience: { kind: 'members' }, amount_minor: 1_000 },
      { name: 'Cleaning', days: ['mon'], from: '07:00', to: '08:00', closed: true },
      {
        name: 'Evening',
        days: ['mon', 'tue', 'wed', 'thu', 'fri'],
        from: '18:00',
        to: '23:00',
        amount_minor: 4_000,
      },
      { name: 'Half day', from: '08:00', to: '12:00', unit: 'flat', amount_minor: 7_000 },
      { name: 'Weekend', days: ['sat', 'sun'], amount_minor: 3_000 },
      {
        name: 'Fair',
        dates: { from: wednesday, to: daysAfter(wednesday, 1) },
        from: '12:00',
        to: '18:00',
        amount_minor: 6_000,
      },
    ],
  });
  t.is(put.status, 200);
  await page.goto(`${home}/rooms/${room.id}/rates?week=${NEXT_MONDAY}`);
  const table = page.locator('table.rate-week');
  const rows = (await table.locator('tr').allInnerTexts()).map((row) => row.replaceAll(/\s+/g, ' '));
  t.regex(
    rows[0]!,
    new RegExp(`From ${formatDateAsPages(NEXT_MONDAY)} .* ${formatDateAsPages(daysAfter(NEXT_MONDAY, 6))}`),
  );
  t.regex(
    rows.find((row) => row.startsWith('07:00'))!,
    /Cleaning closed Hourly price £25\.00 an hour/,
  );
  t.regex(
    rows.find((row) => row.startsWith('08:00'))!,
    /Half day £70\.00 flat/,
  );
  t.regex(
    rows.find((row) => row.startsWith('12:00'))!,
    /Hourly price £25\.00 an hour .*Fair £60\.00 an hour/,
  );
  t.regex(await readMainText(page), /Not shown, because they apply only to some bookings: Members\./);
  await table.scrollIntoViewIfNeeded();
  await picture(page, 'rates-week');
  await page.emulateMedia({ colorScheme: 'dark' });
  await picture(page, 'rates-week-dark');
  await page.setViewportSize({ width: 390, height: 780 });
  t.false(await page.evaluate('document.documentElement.scrollWidth > innerWidth'));
  t.false(await table.isVisible());
  t.regex(
    await page.locator('.rate-days').innerText(),
    new RegExp(`${formatDateAsPages(wednesday)}\\s+00:00–07:00\\s+Closed\\s+07:00–08:00`),
  );
  await picture(page, 'rates-week-phone-dark');
  await assertAccessible(t, page, 'the week on a phone');
  await picture(page, 'rates-week-phone');
  await page.click('a:text("Next seven days")');
  t.regex(
    await page.locator('.rate-days').innerText(),
    new RegExp(formatDateAsPages(daysAfter(NEXT_MONDAY, 7))),
  );
  t.deepEqual(page.complaints, []);
  await page.context().close();
});

test('a table in which a longer booking costs less is shown with a warning', async (t) => {
  const { workspace, page, home } = await openDashboard(await browser());
  const room = await newRoom(workspace.api, { time_zone: 'UTC' });
  await workspace.api.put(`/v1/rooms/${room.id}/rates`, {
    rates: [{ name: 'Long', amount_minor: 500, min_minutes: 240 }],
  });
  await page.goto(`${home}/rooms/${room.id}/rates`);
  t.regex(await readMainText(page), /A longer booking can cost less than a shorter one/);
  await page.context().close();
});
