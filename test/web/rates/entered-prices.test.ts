import test from 'ava';
import { alertText, openOffice, pageText } from '../../support/dashboard.js';
import { readNotice, type WebSession } from '../../support/web-session.js';
import { newRoom } from '../../support/workspaces.js';

const inputValue = (html: string, name: string): string | undefined =>
  new RegExp(`<input(?=[^>]* name="${name.replaceAll('.', '\\.')}")[^>]* value="([^"]*)"`).exec(html)?.[1];

const PRICE = 'price_per_hour.amount_minor';

/** An office whose people enter prices with tax. */
async function openGrossOffice() {
  const office = await openOffice();
  const enter = async (prices_entered: 'net' | 'gross') =>
    readNotice(
      await office.session.submit(`${office.home}/prices`, `${office.home}/prices/entered`, {
        prices_entered,
      }),
    );
  await enter('gross');
  return { ...office, api: office.workspace.api, enter };
}

/** Submits the price of a room, with the hidden fields of its form. */
const savePrice = (session: WebSession, page: string, amount: string, tax_code: string) =>
  session.submit(`${page}/settings`, `${page}/settings/price`, { [PRICE]: amount, tax_code });

test('a room’s price is entered and shown with tax, and stored without it', async (t) => {
  const { session, home, api, enter } = await openGrossOffice();
  t.is((await api.get('/v1/workspace')).body.prices_entered, 'gross');
  const list = await session.getText(`${home}/rooms`);
  t.regex(pageText(list), /Price per hour including tax \(GBP\)/);
  const made = await session.submit(`${home}/rooms`, `${home}/rooms`, { name: 'Garden', [PRICE]: '30.00' });
  const page = made.headers.get('location')!;
  const id = page.split('/').at(-1)!;
  const stored = async () => (await api.get(`/v1/rooms/${id}`)).body.price_per_hour.amount_minor;
  const shown = async () => inputValue(await session.getText(`${page}/settings`), PRICE);
  t.is(await stored(), 2_500);
  t.is(await shown(), '30.00');
  t.regex(pageText(await session.getText(page)), /£30\.00 per hour, including 20% tax/);
  t.regex(pageText(await session.getText(`${home}/rooms`)), /Price per hour, including tax .*£30\.00/);

  t.is(await enter('net'), 'Prices are now entered excluding tax.');
  t.is(await shown(), '25.00');
  t.is(await stored(), 2_500, 'the setting changes what is shown, not what is stored');
  t.regex(pageText(await session.getText(page)), /£25\.00 per hour, plus 20% tax/);
  await enter('gross');

  await savePrice(session, page, '30.00', 'REDUCED');
  t.is(await stored(), 2_857, 'the tax is that of the code chosen in the same form');
  t.is(await shown(), '30.00');
  const { tax_codes } = (await api.get('/v1/workspace')).body;
  await api.patch('/v1/workspace', {
    tax_codes: tax_codes.map((tax) => (tax.code === 'REDUCED' ? { ...tax, rate_bps: 1_900 } : tax)),
  });
  t.is(await stored(), 2_857);
  t.is(await shown(), '34.00', 'another rate changes the price with tax');

  const refused = await savePrice(session, page, '9.99', 'REDUCED');
  t.is(refused.status, 422);
  const html = await refused.text();
  t.is(alertText(html), 'At 19% tax, £9.99 is not possible: enter £9.98 or £10.00.');
  t.is(inputValue(html, PRICE), '9.99', 'what was entered is kept');
  t.is(await stored(), 2_857);
  for (const possible of ['9.98', '10.00']) {
    await savePrice(session, page, possible, 'REDUCED');
    t.is(await shown(), possible);
  }
});

test('a form that was opened before the setting changed is not saved with the other meaning', async (t) => {
  const { session, home, api, enter } = await openGrossOffice();
  const room = await newRoom(api);
  const page = `${home}/rooms/${room.id}/settings`;
  const opened = await session.getText(page);
  await enter('net');
  const fields = { [PRICE]: '30.00', tax_code: 'STANDARD' };
  const late = await session.submitFormByAction(opened, `${page}/price`, fields);
  const html = await late.text();
  t.is(alertText(html), 'Prices are now entered excluding tax. Check them.');
  t.is((await api.get(`/v1/rooms/${room.id}`)).body.price_per_hour.amount_minor, 2_500);
  await session.submitFormByAction(html, `${page}/price`, fields);
  t.is((await api.get(`/v1/rooms/${room.id}`)).body.price_per_hour.amount_minor, 3_000);
});

test('rates, extras and plans are entered with tax', async (t) => {
  const { session, home, api } = await openGrossOffice();
  const room = await newRoom(api);
  const at = `${home}/rooms/${room.id}/rates`;
  const second = await session.submit(`${at}/new`, `${at}/new`, { name: 'Evening' });
  const amounts = { amount_minor: '48', minimum_minor: '60.00', day_cap_minor: '120', cap_minor: '240.01' };
  const preview = await session.submitFormByAction(await second.text(), `${at}/new/price`, {
    ...amounts,
    unit: 'hour',
    'audience.kind': 'everyone',
  });
  await session.confirmForm(preview);
  const [rate] = (await api.get(`/v1/rooms/${room.id}/rates`)).body.rates;
  t.like(rate, { amount_minor: 4_000, minimum_minor: 5_000, day_cap_minor: 10_000, cap_minor: 20_001 });
  const listed = pageText(await session.getText(at));
  t.regex(listed, /an hour costs £30\.00 including tax/);
  t.regex(listed, /£48\.00 an hour, at least £60\.00, at most £120\.00 a day, at most £240\.01 a booking/);
  const edit = await session.getText(`${at}/${rate!.id}`);
  t.is(inputValue(edit, 'amount_minor'), '48.00');
  t.is(inputValue(edit, 'cap_minor'), '240.01');
  t.regex(pageText(edit), /Amount including tax \(GBP\)/);

  const made = await session.submit(`${home}/extras`, `${home}/extras`, {
    name: 'Lunch',
    'price.amount_minor': '10.50',
    unit: 'piece',
    tax_code: 'REDUCED',
    cutoff_hours: '0',
  });
  const extra = made.headers.get('location')!;
  t.is((await api.get(`/v1/extras/${extra.split('/').at(-1)}`)).body.price.amount_minor, 1_000);
  t.is(inputValue(await session.getText(extra), 'price.amount_minor'), '10.50');

  const tiers = { basic: '0', plus: '60', pro: '120.00', enterprise: '0' };
  const plans = Object.fromEntries(
    Object.entries(tiers).flatMap(([tier, price]) => [
      [`tier_prices.${tier}`, price],
      [`plans.${tier}.name`, ''],
      [`plans.${tier}.monthly_hours`, ''],
    ]),
  );
  await session.submit(`${home}/prices`, `${home}/prices/tiers`, plans);
  t.like((await api.get('/v1/workspace')).body.tier_prices, { plus: 5_000, pro: 10_000 });
  t.is(inputValue(await session.getText(`${home}/prices`), 'tier_prices.plus'), '60.00');
});
