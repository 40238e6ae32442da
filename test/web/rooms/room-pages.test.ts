import test from 'ava';
import { assertAccessible } from '../../support/axe.js';
import { picture } from '../../support/browser.js';
import { launchBrowser } from '../../support/chromium.js';
import { openDashboard, readMainText } from '../../support/dashboard.js';
import { once } from '../../support/once.js';

const browser = once(launchBrowser);

test('the first room is added from the empty list, and copied with its rates; an error stays in its form', async (t) => {
  const { workspace, page, home } = await openDashboard(await browser());
  const { api } = workspace;
  await page.goto(`${home}/rooms`);
  t.regex(await readMainText(page), /Rooms are what people book/);
  await page.click('.empty button:text("Add room")');
  await assertAccessible(t, page, 'the drawer of a new room');
  await page.fill('#name', 'Garden');
  await page.fill('#price_per_hour\\.amount_minor', '25');
  await page.click('.drawer form > button');
  t.regex(await readMainText(page), /Garden has been added/);
  const [garden] = (await api.get('/v1/rooms')).body.data;
  await api.put(`/v1/rooms/${garden!.id}/rates`, { rates: [{ name: 'Night', amount_minor: 900 }] });

  await page.click('.title button:text("Copy room")');
  await page.fill('#name', 'Garden 2');
  await picture(page, 'room-copy');
  await page.click('.drawer form > button');
  t.regex(await readMainText(page), /Garden 2 has been added/);
  t.is(await page.innerText('h1'), 'Garden 2');
  await page.click('.tabs a:text("Rates")');
  t.regex(await readMainText(page), /Night/);
  t.is(await page.innerText('.tabs [aria-current=page]'), 'Rates');
  t.true((await page.title()).startsWith('Rates · Garden 2 · '));

  await page.click('.tabs a:text("Settings")');
  await page.fill('#min_minutes', '90');
  await page.fill('#max_minutes', '60');
  await page.click('form[action$="/settings/details"] button');
  t.regex(await readMainText(page), /The maximum booking must not be less than the minimum booking/);
  t.is(await page.inputValue('#max_minutes'), '60', 'what was entered is kept');
  t.is(await page.getAttribute('#max_minutes', 'aria-invalid'), 'true');
  t.is(await page.innerText('.tabs [aria-current=page]'), 'Settings');
  t.true(new URL(page.url()).pathname.endsWith('/settings/details'));
  await page.fill('#max_minutes', '120');
  await page.click('form[action$="/settings/details"] button');
  t.regex(await readMainText(page), /Garden 2 has been saved/);
  t.true(new URL(page.url()).pathname.endsWith('/settings'));
  t.deepEqual(page.complaints, []);
  await page.context().close();
});
