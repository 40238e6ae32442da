import test from 'ava';
import { launchBrowser } from '../support/chromium.js';
import { openDashboard, readMainText } from '../support/dashboard.js';
import { once } from '../support/once.js';
import { newMember } from '../support/people.js';
import { storeCopies } from '../support/rows.js';
import { db } from '../support/stack.js';
import { newRoom } from '../support/workspaces.js';

const browser = once(launchBrowser);

const AUDIENCE = { kind: 'members', tiers: ['pro'] };

test('a form that is submitted as it is shown changes nothing', async (t) => {
  const { workspace, page, home } = await openDashboard(await browser());
  const { api } = workspace;
  const room = await newRoom(api, { time_zone: 'Europe/London', name: 'Old hall' });
  const { body: company } = await api.post('/v1/companies', { name: 'Acme', payment_terms: 14 });
  const audience = { ...AUDIENCE, company_ids: [company.id] };
  const created = async (path: string, body: object) => {
    const response = await api.post(path, body);
    t.is(response.status, 201, path);
    return `${path}/${response.body.id}`;
  };
  const objects = [
    await created('/v1/discounts', {
      code: 'AUTUMN',
      amount_minor: 1_250,
      rooms: [room.id],
      audience,
      // Half past one comes twice on this day in London, where the workspace is.
      valid_from: '2027-10-31T01:30:00.000Z',
      max_uses: 3,
    }),
    await created('/v1/extras', {
      name: 'Lunch',
      unit: 'attendee',
      price: { currency: 'KWD', amount_minor: 1_230 },
      rooms: [room.id],
      stock: 4,
      cutoff_hours: 48,
      refund_steps: [{ hours_before: 48, percent: 12.5 }],
      internal: true,
    }),
    `/v1/companies/${company.id}`,
  ];
  await api.patch(`/v1/companies/${company.id}`, { address: '1 Mill Lane\nBristol', vat_number: 'GB 1' });
  // What was archived in the meantime remains in the limits of other objects.
  await api.patch(`/v1/rooms/${room.id}`, { archived: true });
  const read = () => Promise.all(objects.map(async (path) => (await api.get(path)).body));
  const before = await read();
  for (const path of objects) {
    await page.goto(`${home}${path.slice('/v1'.length)}`);
    await page.click('main :is(summary, button):text("Edit")');
    await page.click(':is(details[open], .drawer:popover-open) button:text("Save")');
    t.regex(await readMainText(page), /has been saved/, path);
  }
  const same = (bodies: object[]) => bodies.map((body) => ({ ...body, updated_at: null }));
  t.deepEqual(same(await read()), same(before));

  const { body: set } = await api.put(`/v1/rooms/${room.id}/rates`, {
    rates: [
      { name: 'Evening', days: ['mon'], from: '18:00', to: '23:00', amount_minor: 4_000, audience },
      { name: 'Closed', dates: { from: '2027-01-01' }, closed: true },
      { name: 'Late', unit: 'flat', amount_minor: 7_000, notice: { min_minutes: 30 }, always: true },
    ],
  });
  for (const { id } of set.rates) {
    await page.goto(`${home}/rooms/${room.id}/rates/${id}`);
    await page.click('button:text("Preview prices")');
    await page.click('button:text("Save rates")');
    t.regex(await readMainText(page), /The rate has been saved/);
  }
  t.deepEqual((await api.get(`/v1/rooms/${room.id}/rates`)).body, set);
  t.deepEqual(page.complaints, []);
  await page.context().close();
});

test('a closed rate that is opened again needs an amount', async (t) => {
  const { workspace, page, home } = await openDashboard(await browser());
  const { api } = workspace;
  const room = await newRoom(api, { time_zone: 'UTC' });
  const { body } = await api.put(`/v1/rooms/${room.id}/rates`, { rates: [{ name: 'Lunch', closed: true }] });
  await page.goto(`${home}/rooms/${room.id}/rates/${body.rates[0]!.id}`);
  t.is(await page.inputValue('#amount_minor'), '');
  await page.selectOption('#unit', 'hour');
  await page.click('button:text("Preview prices")');
  t.regex(await readMainText(page), /The amount is required/);
  await page.context().close();
});

test('a choice that is not offered any more, or not among the first, stays as it is', async (t) => {
  const { workspace, page, home } = await openDashboard(await browser());
  const { api } = workspace;
  const [archived, limited] = [
    await newRoom(api, { name: 'Old hall' }),
    await newRoom(api, { name: 'Loft' }),
  ];
  const room_ids = [archived.id, limited.id];
  const slug = `unchanged-${limited.id.slice(0, 8)}`;
  t.is((await api.put('/v1/booking-page', { slug, enabled: true, room_ids })).status, 200);
  await api.patch(`/v1/rooms/${archived.id}`, { archived: true });
  await api.patch(`/v1/rooms/${limited.id}`, { tiers: ['pro'] });
  await page.goto(`${home}/booking-page`);
  t.regex(await readMainText(page), /Old hall \(archived\)[^]*Loft \(limited to plans\)/);
  await page.click('button:text-is("Save")');
  t.regex(await readMainText(page), /Booking page saved/);
  const saved = (await api.get('/v1/booking-page')).body as { room_ids: string[] };
  t.deepEqual(saved.room_ids.toSorted(), room_ids.toSorted());

  const { body: company } = await api.post('/v1/companies', { name: 'Zebra' });
  await storeCopies(db, 'companies', company.id, 201);
  await page.goto(`${home}/members/new?company_id=${company.id}`);
  t.is(await page.locator('#company_id option:checked').textContent(), 'Zebra');
  const member = await newMember(workspace, { company_id: company.id });
  await page.goto(`${home}/members/${member.id}`);
  await page.click('main :is(summary, button):text("Edit")');
  const edit = page.locator(':is(details[open], .drawer:popover-open)');
  await edit.locator('#name').fill('Grace Murray Hopper');
  await edit.locator('button:text("Save")').click();
  await page.waitForSelector('h1:text("Grace Murray Hopper")');
  t.is((await api.get(`/v1/members/${member.id}`)).body.company?.id, company.id);
  await page.goto(`${home}/members?company_id=${company.id}`);
  t.is(await page.locator('[name=company_id] option:checked').textContent(), 'Zebra');
  t.deepEqual(page.complaints, []);
  await page.context().close();
});
