import test from 'ava';
import type { ApiClient } from '../support/api-client.js';
import { assertAccessible } from '../support/axe.js';
import { bookingBody, createBooking } from '../support/bookings.js';
import { picture } from '../support/browser.js';
import { launchBrowser } from '../support/chromium.js';
import { openDashboard, openOffice, pageText, readMainText } from '../support/dashboard.js';
import { createInvoice } from '../support/invoice-calls.js';
import { createMember } from '../support/member-calls.js';
import { once } from '../support/once.js';
import { newMember } from '../support/people.js';
import { WebSession } from '../support/web-session.js';
import { newRoom } from '../support/workspaces.js';

const browser = once(launchBrowser);
const LONG = `https://crm.example.com/accounts/${'4711-'.repeat(30)}`;
const metadata = { source: 'Spring fair', 'crm.account_url': LONG };

/** An object of each kind, by the folder of its pages. */
async function createObjects(api: ApiClient, more: Record<string, unknown>) {
  const room = await newRoom(api, more);
  const price = { currency: 'GBP', amount_minor: 1_800 };
  return {
    bookings: await createBooking(api, bookingBody(room.id, more)),
    invoices: await createInvoice(api, more),
    companies: (await api.post('/v1/companies', { name: 'Northwind Ltd', ...more })).body,
    members: await createMember(api, more),
    rooms: room,
    extras: (await api.post('/v1/extras', { name: 'Lunch', price, ...more })).body,
  };
}

test('objects’ pages show their metadata, and let it be changed, added and removed by rows', async (t) => {
  const { workspace, page, home } = await openDashboard(await browser());
  const { api } = workspace;
  for (const [folder, { id }] of Object.entries(await createObjects(api, { metadata }))) {
    const path = `/v1/${folder}/${id}` as '/v1/rooms/*';
    await page.goto(`${home}/${folder}/${id}`);
    t.regex(
      await readMainText(page),
      /Metadata\s+source\s+Spring fair\s+crm\.account_url\s+https:\S+4711-/,
      folder,
    );
    await page.click('[popovertarget]:text("Edit metadata")');
    await assertAccessible(t, page, folder);
    for (const [name, width] of [
      ['phone', 390],
      ['desk', 1280],
    ] as const) {
      await page.setViewportSize({ width, height: 800 });
      t.is(await page.evaluate('document.documentElement.scrollWidth - innerWidth'), 0, `${folder} ${name}`);
      await picture(page, `metadata-${folder}-${name}`);
    }
    await page.fill('[aria-label="Value 1"]', 'Autumn fair');
    await page.fill('[aria-label="Key 2"]', '');
    await page.fill('[aria-label="Value 2"]', '');
    await page.fill('[aria-label="Key 3"]', 'stage');
    await page.fill('[aria-label="Value 3"]', 'won');
    await page.click('button:text("Save metadata")');
    t.regex(await readMainText(page), /Metadata saved/, folder);
    t.deepEqual((await api.get(path)).body.metadata, { source: 'Autumn fair', stage: 'won' }, folder);

    await page.click('[popovertarget]:text("Edit metadata")');
    await page.fill('[aria-label="Key 3"]', 'two words');
    await page.click('button:text("Save metadata")');
    t.regex(await readMainText(page), /must have keys of 1 to 40 letters/, folder);
    t.is(await page.inputValue('[aria-label="Key 3"]'), 'two words', 'what was entered stays');
    if (folder === 'bookings') await picture(page, 'metadata-refused');
  }
  await page.goto(`${home}/audit-log`);
  t.regex(await readMainText(page), /metadata/i);
});

test('a key that an integration adds while the form is open stays', async (t) => {
  const { workspace, page, home } = await openDashboard(await browser());
  const { api } = workspace;
  const { id } = await newRoom(api, { metadata: { source: 'fair' } });
  await page.goto(`${home}/rooms/${id}`);
  await page.click('[popovertarget]:text("Edit metadata")');
  await api.patch(`/v1/rooms/${id}`, { metadata: { crm_id: '4711' } });
  await page.fill('[aria-label="Key 1"]', '');
  await page.fill('[aria-label="Value 1"]', '');
  await page.click('button:text("Save metadata")');
  t.regex(await readMainText(page), /Metadata saved/);
  t.deepEqual((await api.get(`/v1/rooms/${id}`)).body.metadata, { crm_id: '4711' });
});

test('without metadata a page does not mention it, and a member does not see their booking’s metadata', async (t) => {
  const { workspace, session, home } = await openOffice();
  for (const [folder, { id }] of Object.entries(await createObjects(workspace.api, {})))
    t.notRegex(pageText(await session.getText(`${home}/${folder}/${id}`)), /metadata/i, folder);

  const member = await newMember(workspace, {});
  const own = { booked_by: { member_id: member.id }, metadata };
  const { id } = await createBooking(workspace.api, bookingBody((await newRoom(workspace.api)).id, own));
  t.regex(await session.getText(`${home}/bookings/${id}`), /Spring fair/);
  const theirs = await WebSession.start(member.email);
  t.notRegex(await theirs.getText(`${home}/bookings/${id}`), /Spring fair/);
});
