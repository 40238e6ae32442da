import test from 'ava';
import { picture, type WatchedPage } from '../support/browser.js';
import { bookingBody, createBooking } from '../support/bookings.js';
import { launchBrowser } from '../support/chromium.js';
import { openDashboard, readMainText } from '../support/dashboard.js';
import { NEXT_MONDAY } from '../support/days.js';
import { newMember } from '../support/people.js';
import { once } from '../support/once.js';
import { storeMembers } from '../support/rows.js';
import { db } from '../support/stack.js';
import { until } from '../support/until.js';
import { newRoom, uniqueEmail } from '../support/workspaces.js';

const browser = once(launchBrowser);

/** What the list of a field offers. */
const listSuggestions = (page: WatchedPage, name: string): Promise<string[]> =>
  page
    .locator(`input[name="${name}"]`)
    .evaluate(({ list }: HTMLInputElement) => [...list!.options].map(({ value }) => value));

test('zones, currencies, colours, people and companies are chosen from what there is', async (t) => {
  const { workspace, page, home } = await openDashboard(await browser());
  const { api } = workspace;
  const member = await newMember(workspace, {});
  const { body: acme } = await api.post('/v1/companies', { name: 'Acme' });
  await api.post('/v1/companies', { name: 'Bolt' });
  const room = await newRoom(api);
  const suggestions = (name: string) => listSuggestions(page, name);

  await page.goto(`${home}/settings`);
  t.true((await suggestions('time_zone')).includes('Europe/Paris'));
  t.is(await page.locator('#currency option:checked').innerText(), 'GBP – British Pound');
  await page.goto(`${home}/settings/payers`);
  await page.locator('[data-colour-of=accent_color]').fill('#7a1f5c');
  t.is(await page.inputValue('#accent_color'), '#7a1f5c');
  await page.fill('#accent_color', '#1e5f7f');
  t.is(await page.locator('[data-colour-of=accent_color]').inputValue(), '#1e5f7f');

  await page.goto(`${home}/invoices/new`);
  const payers = await suggestions('payer');
  t.true(payers.includes('Acme') && payers.includes(member.email), String(payers));
  await page.goto(
    `${home}/book?room_id=${room.id}&start_at=${NEXT_MONDAY}T10:00&end_at=${NEXT_MONDAY}T11:00`,
  );
  t.true((await suggestions('email')).includes(member.email));
  const guest = { email: uniqueEmail(), name: 'Grace Hopper' };
  await createBooking(api, bookingBody((await newRoom(api)).id, { booked_by: { guest } }));
  await page.reload();
  t.true((await suggestions('email')).includes(guest.email), 'a guest who has booked before');
  await page.fill('input[name=email]', guest.email.toUpperCase());
  await page.click('button:text("Review price")');
  t.regex(await readMainText(page), /for Grace Hopper \(guest\)/, 'the name of the latest booking');

  await page.goto(`${home}/rooms/${room.id}/rates/new`);
  await page.fill('#name', 'Partners');
  await page.click('button:text("Continue")');
  await page.selectOption('[id="audience.kind"]', 'members');
  await page.selectOption('[id="audience.company_ids"]', [{ label: 'Acme' }]);
  await page.fill('#amount_minor', '10');
  await picture(page, 'rates-companies');
  await page.click('button:text("Preview prices")');
  await page.click('button:text("Save rates")');
  t.regex(await readMainText(page), /The rate has been added/);
  const { body } = await api.get(`/v1/rooms/${room.id}/rates`);
  t.deepEqual(body.rates[0]!.audience, { kind: 'members', tiers: null, company_ids: [acme.id] });
  t.deepEqual(page.complaints, []);
  await page.context().close();
});

test('people who are not among the suggestions are found by what is entered', async (t) => {
  const { workspace, page, home } = await openDashboard(await browser());
  const { api } = workspace;
  await storeMembers(
    db,
    Array.from({ length: 120 }, (_, n) => ({
      workspace_id: workspace.id,
      name: `Aaron ${n}`,
      email: uniqueEmail(),
    })),
  );
  const last = await newMember(workspace, { name: 'Zora Neale' });
  await api.post('/v1/companies', { name: 'Zephyr Ltd' });
  const room = await newRoom(api);
  const suggestions = (name: string) => listSuggestions(page, name);
  const options = (name: string) =>
    until(async () => {
      const found = await suggestions(name);
      return found.length < 100 && found;
    });
  await page.goto(
    `${home}/book?room_id=${room.id}&start_at=${NEXT_MONDAY}T10:00&end_at=${NEXT_MONDAY}T11:00`,
  );
  t.is((await suggestions('email')).length, 100);
  await page.fill('input[name=email]', 'Zora');
  t.deepEqual(await options('email'), [last.email]);
  await page.goto(`${home}/book?email=${'a+'.repeat(160)}`);
  t.is((await suggestions('email')).length, 100, 'no search of so many words');
  await page.goto(`${home}/invoices/new`);
  t.false((await suggestions('payer')).includes(last.email));
  await page.fill('input[name=payer]', 'Ze');
  t.deepEqual(await options('payer'), ['Zephyr Ltd']);
  t.deepEqual(page.complaints, []);
  await page.context().close();
});
