import { DAY_MS } from '../../../domain/durations.js';
import test, { type ExecutionContext } from 'ava';
import type { ApiClient } from '../../support/api-client.js';
import { bookingBody } from '../../support/bookings.js';
import { db } from '../../support/stack.js';
import { until } from '../../support/until.js';
import { storeDeliveries } from '../../support/rows.js';
import { openReceiver } from '../../support/receiver.js';
import { readNotice } from '../../support/web-session.js';
import { createMember } from '../../support/member-calls.js';
import { newRoom, uniqueEmail } from '../../support/workspaces.js';
import { alertText, openOffice, pageText } from '../../support/dashboard.js';
import { NEXT_MONDAY, nextDay } from '../../support/days.js';

const GARDEN = { name: 'Garden', 'price_per_hour.amount_minor': '0' };

/** Adds a free room with the form. Returns its page and its id. */
async function addGarden({ session, home }: Awaited<ReturnType<typeof openOffice>>) {
  const made = await session.submit(`${home}/rooms`, `${home}/rooms`, GARDEN);
  const page = made.headers.get('location')!;
  return { page, id: page.split('/').at(-1)! };
}

/** Books an hour of a free room on the next Sunday, which is confirmed immediately. */
async function bookSunday(t: ExecutionContext, api: ApiClient, id: string): Promise<void> {
  const sunday = new Date(Date.now() + 2 * DAY_MS);
  sunday.setUTCDate(sunday.getUTCDate() + ((7 - sunday.getUTCDay()) % 7));
  const date = sunday.toISOString().slice(0, 10);
  const hour = { start_at: `${date}T10:00:00Z`, end_at: `${date}T11:00:00Z` };
  t.is((await api.post('/v1/bookings', bookingBody(id, hour))).body.status, 'confirmed');
}

test('a room is added with the hours of some days, or is always open', async (t) => {
  const { workspace, session, home } = await openOffice();
  const { api } = workspace;
  const closing = await session.submit(`${home}/rooms`, `${home}/rooms`, { ...GARDEN, opens: '09:00' });
  t.is(alertText(await closing.text()), 'Enter both times, or neither if the room is always open.');
  const weekend = { opens: '10:00', closes: '16:00', days: ['sat', 'sun'] };
  await session.submit(`${home}/rooms`, `${home}/rooms`, {
    name: 'Attic',
    'price_per_hour.amount_minor': '10',
    ...weekend,
  });
  const [attic] = (await api.get('/v1/rooms')).body.data;
  t.deepEqual(attic!.opening_hours, { sat: [['10:00', '16:00']], sun: [['10:00', '16:00']] });
  const { id } = await addGarden({ workspace, session, home });
  t.is((await api.get(`/v1/rooms/${id}`)).body.opening_hours, undefined);
});

test('a room shows its next week with new hours before they are saved', async (t) => {
  const office = await openOffice();
  const { session } = office;
  const { api } = office.workspace;
  const { page, id } = await addGarden(office);
  await bookSunday(t, api, id);
  const day = ['08:00', '12:00', '13:00', '20:00'];
  const none = ['', '', '', ''];
  const hours = { mode: 'weekly', mon: day, tue: day, wed: day, thu: day, fri: day, sat: none, sun: none };
  const half = await session.submit(`${page}/settings`, `${page}/settings/hours`, {
    ...hours,
    sat: ['08:00', '', '', ''],
  });
  t.is(half.status, 422, 'a day with half a span is refused');
  const lost = await session.submit(`${page}/settings`, `${page}/settings/hours`, {
    ...hours,
    mode: 'always',
  });
  t.is(lost.status, 422, 'times are not ignored');
  t.regex(alertText(await lost.text())!, /You entered times but selected “always”/);
  const back = await (
    await session.submit(`${page}/settings`, `${page}/settings/hours`, { ...hours, confirmed: 'no' })
  ).text();
  t.regex(back, /name="mon"[^>]*value="13:00"/, 'going back keeps what was entered');
  const asked = await session.submit(`${page}/settings`, `${page}/settings/hours`, hours);
  const words = pageText(await asked.clone().text());
  t.true(words.includes('Monday–Friday 08:00–12:00, 13:00–20:00; Saturday–Sunday closed'), words);
  t.regex(words, /With the current hours Always open/);
  t.regex(words, /One confirmed booking is outside the new hours\. It is kept\./);
  t.is((await api.get(`/v1/rooms/${id}`)).body.opening_hours, undefined, 'the preview saves nothing');
  await session.confirmForm(asked);
  const { body: room } = await api.get(`/v1/rooms/${id}`);
  t.deepEqual(room.opening_hours!.mon, [
    ['08:00', '12:00'],
    ['13:00', '20:00'],
  ]);
  t.deepEqual(room.opening_hours!.sat, []);
});

test('a room’s refund steps are shown in words before they are saved, and its prices are saved', async (t) => {
  const office = await openOffice();
  const { session } = office;
  const { api } = office.workspace;
  const { page, id } = await addGarden(office);
  await bookSunday(t, api, id);
  const steps = { hours_before: ['72', '24', '', ''], percent: ['100', '50', '', ''] };
  const refunds = await session.submit(`${page}/settings`, `${page}/settings/refunds`, steps);
  t.regex(
    pageText(await refunds.clone().text()),
    /If cancelled at least 3 days before the start, the price is refunded in full\. If cancelled at least 24 hours before the start, 50% of the price is refunded\. If cancelled later, nothing is refunded\./,
  );
  t.regex(
    pageText(await refunds.clone().text()),
    /existing bookings: one is confirmed, and its booker sees the new terms/,
  );
  await session.confirmForm(refunds);
  const price = {
    'price_per_hour.amount_minor': '30.50',
    tax_code: 'REDUCED',
    tiers: ['plus', 'pro'],
    'tier_discounts.pro': '20',
  };
  t.is(
    readNotice(await session.submit(`${page}/settings`, `${page}/settings/price`, price)),
    'Garden has been saved.',
  );
  const appearance = {
    image_urls: 'https://pictures.example/a.jpg\r\n\r\nhttps://pictures.example/b.jpg ',
    features: 'Projector\r\nStep-free access',
    floor: '',
    size_m2: '24',
  };
  const seen = await session.submit(`${page}/settings`, `${page}/settings/appearance`, appearance);
  t.is(readNotice(seen), 'Pictures and features of Garden have been saved.');
  t.like((await api.get(`/v1/rooms/${id}`)).body, {
    price_per_hour: { currency: 'GBP', amount_minor: 3_050 },
    tiers: ['plus', 'pro'],
    tier_discounts: { pro: 20 },
    image_urls: ['https://pictures.example/a.jpg', 'https://pictures.example/b.jpg'],
    features: ['Projector', 'Step-free access'],
    floor: null,
    size_m2: 24,
    refund_steps: [
      { hours_before: 72, percent: 100 },
      { hours_before: 24, percent: 50 },
    ],
  });
});

test('a room is closed by a blackout in its own time, which its week and the calendar show, and archived', async (t) => {
  const office = await openOffice();
  const { session, home } = office;
  const { api } = office.workspace;
  const { page, id } = await addGarden(office);
  const day = nextDay((each) => each.getUTCMonth() === 6);
  const summer = { start_at: `${day}T10:00`, end_at: `${day}T09:00`, reason: 'Paint' };
  const backwards = await session.submit(page, `${page}/blackouts`, summer);
  t.is(alertText(await backwards.text()), 'The end must be after the start.');
  await session.submit(page, `${page}/blackouts`, { ...summer, end_at: `${day}T12:00` });
  const [blackout] = (await api.get(`/v1/rooms/${id}/blackouts`)).body.data;
  t.is(blackout!.start_at, `${day}T09:00:00.000Z`, "times are the room's");
  await session.submit(page, `${page}/blackouts/${blackout!.id}/delete`);
  t.deepEqual((await api.get(`/v1/rooms/${id}/blackouts`)).body.data, []);
  const tomorrow = new Date(Date.now() + DAY_MS).toISOString().slice(0, 10);
  await api.post(`/v1/rooms/${id}/blackouts`, {
    start_at: `${tomorrow}T12:00:00Z`,
    end_at: `${tomorrow}T14:00:00Z`,
    reason: 'Painting',
  });
  t.regex(pageText(await session.getText(page)), /; blackout 1\d:00–1\d:00/, 'the words of a day say it too');
  const calendar = await session.getText(`${home}/calendar?day=${tomorrow}`);
  t.regex(
    calendar,
    /href="[^"]+\/rooms\/[^"]+\/blackouts\/bo_\w+"><span[^>]*>[^<]*<\/span>Blackout until [^<]+: Painting</,
  );
  await session.submit(`${page}/settings`, `${page}/settings/archive`);
  t.true((await api.get(`/v1/rooms/${id}`)).body.archived);
});

test('settings, prices and taxes are saved, and the audit log says so', async (t) => {
  const { workspace, session, home } = await openOffice();
  const { api } = workspace;
  const page = `${home}/settings`;
  const save = (part: string, fields: Record<string, string>) =>
    session.submit(page + part, page + part, fields);
  const bookings = { hold_minutes: '20', refuse_overdue_payers: 'on' };
  const short = await save('/bookings', { ...bookings, hold_minutes: '0.1' });
  t.regex(alertText(await short.text()), /^The hold must be between 10 seconds and 24 hours/);
  const yellow = pageText(await (await save('/payers', { accent_color: 'yellow' })).text());
  t.regex(yellow, /The colour must be a colour such as #1e5f7f\./);
  t.notRegex(yellow, /contrast|accent/, 'one problem, in the words of the page');
  t.regex(
    pageText(await session.getText(`${page}/invoices`)),
    /do not show your legal name, address or tax number yet/,
  );
  await save('', { name: 'Harbour House', time_zone: 'Europe/London', currency: 'GBP' });
  const text = { invoice_details: 'Harbour House Ltd\r\nVAT 1' };
  const saved = await save('/invoices', text);
  t.regex(saved.headers.get('location')!, /\/settings\/invoices$/);
  t.regex(pageText(await session.getText(`${page}/invoices`)), /do not show your address or tax number yet/);
  await save('/invoices', { ...text, legal_address: '1 Quay', tax_number: 'GB 1' });
  t.notRegex(pageText(await session.getText(`${page}/invoices`)), /do not show your|how to pay/);
  await save('/bookings', bookings);
  await session.submit(`${home}/prices`, `${home}/prices/tiers`, {
    'tier_prices.basic': '20',
    'plans.basic.name': 'Hot desk',
    'plans.basic.monthly_hours': '3',
    'tier_prices.plus': '50',
    'tier_prices.pro': '120.50',
    'tier_prices.enterprise': '0',
  });
  const yen = await save('', { name: 'Harbour House', time_zone: 'Europe/London', currency: 'JPY' });
  t.regex(
    alertText(await yen.text()),
    /^Amounts in GBP are not converted: plan prices\. Remove these amounts, change the currency/,
  );
  await createMember(api, { tier: 'plus' });
  const paid = pageText(await session.getText(`${home}/prices`));
  t.regex(
    paid,
    /1 member is billed for it: they pay this price from their next month, which begins (on|today)/,
  );
  t.regex(paid, /No member is billed for it/);
  const taxes = {
    code: ['STANDARD', 'CITY', ''],
    rate: ['20', '7.5', ''],
    accounting_tax_type: ['OUTPUT2', 'CITY', ''],
  };
  await session.submit(`${home}/prices`, `${home}/prices/taxes`, taxes);
  t.like((await api.get('/v1/workspace')).body, {
    name: 'Harbour House',
    refuse_overdue_payers: true,
    checkout_hold_seconds: 1_200,
    invoice_details: 'Harbour House Ltd\nVAT 1',
    tier_prices: { basic: 2_000, plus: 5_000, pro: 12_050, enterprise: 0 },
    plans: { basic: { name: 'Hot desk', monthly_hours: 3 }, plus: { name: null, monthly_hours: null } },
    tax_codes: [
      { code: 'STANDARD', rate_bps: 2_000, accounting_tax_type: 'OUTPUT2' },
      { code: 'CITY', rate_bps: 750, accounting_tax_type: 'CITY' },
    ],
  });
  const { id: room } = await newRoom(api, { tiers: ['basic'], tier_discounts: { basic: 10 } });
  const roomPage = pageText(await session.getText(`${home}/rooms/${room}`));
  t.regex(roomPage, /Access members: Hot desk/);
  const roomSettings = pageText(await session.getText(`${home}/rooms/${room}/settings`));
  t.regex(roomSettings, /Hot desk discount in %/);
  t.regex(pageText(await session.getText(`${home}/rooms`)), /Hot desk/);
  t.regex(pageText(await session.getText(`${home}/members`)), /Plan Any|Hot desk/);
  const preview = await session.submit(`${home}/members/import`, `${home}/members/import`, {
    csv: `email,tier\n${uniqueEmail()},Hot desk\n${uniqueEmail()},basic\nnobody,basic`,
  });
  const previewed = pageText(await preview.text());
  t.regex(previewed, /2 × Hot desk, £20\.00 a month each, excluding tax/);
  t.regex(previewed, /nobody Hot desk/);
  const log = pageText(
    await session.getText(`${home}/audit-log?action=workspace.updated&actor=${workspace.ownerId}`),
  );
  t.regex(log, /tax codes/);
  t.false(pageText(await session.getText(`${home}/audit-log?actor=system`)).includes('tax codes:'));
  const soon = { 'maintenance.starts_at': '2026-01-01T10:00', 'maintenance.ends_at': `${NEXT_MONDAY}T12:00` };
  const late = await session.submit(page, `${home}/settings/maintenance`, soon);
  t.regex(alertText(await late.text()), /must be at least 48 hours from now/);
});

test('settings point out that invoices which cannot be paid online do not say how to pay', async (t) => {
  const { session, home } = await openOffice({ processor_account_id: null });
  const page = `${home}/settings/invoices`;
  const alert = async () => pageText(await session.getText(page));
  t.regex(await alert(), /do not show your legal name, address or tax number yet\. .*how to pay/);
  const seller = { legal_name: 'Harbour', legal_address: '1 Quay', tax_number: 'GB 1' };
  await session.submit(page, page, seller);
  t.regex(await alert(), /how to pay/);
  t.notRegex(await alert(), /do not show your/);
  await session.submit(page, page, { ...seller, payment_instructions: 'IBAN GB00' });
  t.notRegex(await alert(), /how to pay|do not show your/);
});

test('events are redelivered, and the endpoint is changed', async (t) => {
  const { workspace, session, home } = await openOffice();
  const { api } = workspace;
  const receiver = await openReceiver();
  try {
    const member = await createMember(api, { send_invite: false });
    await until(async () => (await session.getText(`${home}/events`)).includes('no endpoint'));
    await api.put('/v1/webhook-endpoint', { url: receiver.url, event_types: ['booking.created'] });
    const list = await session.getText(`${home}/events?q=${member.id}`);
    t.regex(pageText(list), /member\.created Not sent not subscribed/);
    const filtered = `${home}/events?q=${member.id}&type=member.created`;
    const asked = await session.submit(filtered, `${home}/events/redeliver`);
    t.regex(pageText(await asked.clone().text()), /Redeliver one event\?/);
    t.is(readNotice(await session.confirmForm(asked)), 'One event has been redelivered.');
    await until(async () => (await session.getText(filtered)).includes('Delivered</span>'));
    const [, event] = /\/events\/(evt_\w+)"/.exec(list)!;
    const one = await session.submit(`${home}/events/${event}`, `${home}/events/${event}/redeliver`);
    t.is(readNotice(one), 'Event delivered: the endpoint responded with 200.');
    const none = await session.submit(`${home}/webhooks`, `${home}/webhooks`, { url: receiver.url });
    t.regex(alertText(await none.text()), /Choose at least one event/);
    const hook = { url: receiver.url, event_types: 'every' };
    await session.submit(`${home}/webhooks`, `${home}/webhooks`, hook);
    const { event_types } = (await api.get('/v1/webhook-endpoint')).body;
    for (const type of ['*', 'invoice.paid', 'payment.refunded']) t.true(event_types.includes(type), type);
    t.regex(await session.getText(`${home}/webhooks`), /<option value="every" selected/);
    const failed = `${filtered}&delivery=failed`;
    t.true((await session.getText(failed)).includes('Nothing matches.'));
    const refused = { event_id: event!, attempt: 9, workspace_id: workspace.id, status_code: 500 };
    await storeDeliveries(db, [refused]);
    t.true((await session.getText(failed)).includes(event!));
  } finally {
    await receiver.close();
  }

  t.regex(
    pageText(await session.getText(`${home}/audit-log`)),
    /Webhook endpoint created [^,]* with the key/,
  );
  const updates = pageText(await session.getText(`${home}/audit-log?action=workspace.updated`));
  t.false(updates.includes('Member created with'), 'the filter applies');
});
