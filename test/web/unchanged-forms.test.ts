import test from 'ava';
import { launchBrowser } from '../support/chromium.js';
import { openDashboard, readMainText } from '../support/dashboard.js';
import { once } from '../support/once.js';
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
