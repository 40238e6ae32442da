import test from 'ava';
import { SECTIONS } from '../../../web/dashboard/routes.js';
import { alertText, openOffice, pageText } from '../../support/dashboard.js';
import { readNotice, type WebSession } from '../../support/web-session.js';
import { NEXT_MONDAY } from '../../support/days.js';
import { newMember } from '../../support/people.js';
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

test('lines of invoices are entered with the tax of their own code, and of an adjustment with that of its code', async (t) => {
  const { session, home, api } = await openGrossOffice();
  const company = (await api.post('/v1/companies', { name: 'Harbour Press' })).body;
  const at = `${home}/invoices/new`;
  const page = await session.getText(`${at}?company_id=${company.id}`);
  t.regex(pageText(page), /Unit price including tax/);
  const lines = {
    payer: company.name,
    due_at: NEXT_MONDAY,
    description: ['Desk', 'Poster', ''],
    quantity: ['2', '1', '1'],
    unit_amount_minor: ['60.00', '10.50', ''],
    tax_code: ['STANDARD', 'REDUCED', 'STANDARD'],
  };
  const impossible = { ...lines, unit_amount_minor: ['60.00', '0.10', ''] };
  const refused = await session.submitFormByAction(page, at, impossible);
  t.is(refused.status, 422);
  t.is(alertText(await refused.text()), 'At 5% tax, £0.10 is not possible: enter £0.09 or £0.11.');
  const asked = await session.submitFormByAction(page, at, lines);
  const invoice = (await session.confirmForm(asked)).headers.get('location')!;
  const id = invoice.split('/').at(-1)!;
  const stored = (await api.get(`/v1/invoices/${id}`)).body;
  // 2 × 50.00 at 20% and 10.00 at 5%: 120.00 and 10.50
  t.deepEqual(
    [stored.lines.map((line) => line.unit_amount_minor), stored.total_minor],
    [[5_000, 1_000], 13_050],
  );

  await api.post(`/v1/invoices/${id}/mark-paid`, { amount_minor: 13_050, method: 'cash' });
  const paid = await session.getText(invoice);
  t.regex(pageText(paid), /Amount including tax \(GBP\)/);
  const adjusted = await session.submitFormByAction(paid, `${invoice}/adjust`, {
    direction: 'debit',
    description: 'Broken chair',
    unit_amount_minor: '12.00',
    tax_code: 'STANDARD',
    adjust_reason: 'Found after the event',
  });
  t.regex(pageText(await adjusted.text()), /Broken chair: £10\.00 plus £2\.00 tax, £12\.00 in total/);
});

test('the prices of plans are shown as they are entered, and the amount of a discount code without tax', async (t) => {
  const { session, home, workspace, api } = await openGrossOffice();
  const member = await newMember(workspace, { tier: 'plus' });
  await api.patch('/v1/workspace', { tier_prices: { plus: 5_000 } });
  const page = pageText(await session.getText(`${home}/members/${member.id}`));
  t.regex(page, /Plus, £60\.00 a month including tax/);
  t.regex(page, /Plus: £60\.00 a month including tax, 10 hours included/);
  t.regex(pageText(await session.getText(`${home}/discounts`)), /Amount excluding tax \(GBP\)/);
});

/** Fields of amounts that are not prices without tax, and those that are and have no rate of their own. */
const NOT_PRICES: Record<string, string> = {
  '/invoices/:id/mark-paid amount_minor': 'what was received, with tax',
  '/payments/:id/refund amount_minor': 'what is returned, with tax',
  '/bookings/:id/cancel refund_amount_minor': 'what is returned, with tax',
  '/companies/:id/terms credit_limit_minor': 'what may be owed, with tax',
  '/members/:id/terms credit_limit_minor': 'what may be owed, with tax',
  '/settings/bookings desk_refund_limit_minor': 'what may be returned, with tax',
  '/discounts amount_minor': 'taken off rooms with different rates of tax; its label says without tax',
};

test('each amount in a form of the dashboard is entered as the workspace prefers, or is no price', (t) => {
  const amounts = SECTIONS.flat().flatMap((page) =>
    ('forms' in page ? page.forms! : []).flatMap(({ path, fields }) =>
      Object.entries(fields)
        .filter(([, field]) => field.describe().metas?.some((meta) => (meta as { money?: true }).money))
        .map(([field]) => ({ name: `${page.path}${path} ${field}`, follows: 'entered_as' in fields })),
    ),
  );
  const names = (follows: boolean) =>
    amounts.filter((amount) => amount.follows === follows).map(({ name }) => name);
  t.deepEqual(names(false).toSorted(), Object.keys(NOT_PRICES).toSorted());
  t.true(names(true).includes('/invoices/new unit_amount_minor'));
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
