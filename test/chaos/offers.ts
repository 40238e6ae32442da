import { smallestUnit } from '../../domain/processor/amounts.js';
import type { ApiClient } from '../support/api-client.js';
import type { ApiResponse } from '../support/api-response.js';
import { newRoom } from '../support/workspaces.js';
import { FIRST_HOUR } from './hours.js';
import type { Random } from './random.js';

const TAX_PERCENTS = { STANDARD: 20, REDUCED: 5, ZERO: 0, EXEMPT: 0 };
const TAX_CODES = Object.keys(TAX_PERCENTS) as (keyof typeof TAX_PERCENTS)[];

/**
 * The price of an hour with tax: often the same, or too little more to be charged, so that a move exchanges
 * only the tax.
 */
const HOURLY_PRICES = [3_000, 3_000, 3_010, 4_215, 6_300];
/** Rates of one room, which make prices consist of several lines: hours, half days and a limit. */
const RATES = [
  { name: 'Morning', from: '08:00', to: '12:00', unit: 'flat', amount_minor: 7_000 },
  { name: 'Evening', from: '18:00', to: '22:00', amount_minor: 3_337 },
  { name: 'Night', from: '22:00', to: '06:00', amount_minor: 1_001 },
];
const EXTRAS = [
  // One of them is available for all rooms.
  { name: 'Projector', stock: 1, most: 1 },
  { name: 'Lunch', most: 3 },
  { name: 'Cleaning', unit: 'booking', most: 1 },
  { name: 'Help', unit: 'hour', most: 2, accounting_account: '260' },
];
/** Percentages that are refunded, from the earliest step to the last. */
const REFUNDS = [[100], [50], [100, 33], [100, 66, 25], [75, 0]];

/** What can be booked in a workspace. */
export interface Offer {
  currency: string;
  rooms: string[];
  extras: { id: string; most: number }[];
  /** Codes, which are used up during the run. */
  discounts: string[];
}

export async function created<Body>(response: Promise<ApiResponse<Body>>) {
  const { status, body } = await response;
  if (status >= 300) throw new Error(JSON.stringify(body));
  return body;
}

/** Refund steps that end within the booked hours, so that a move to another day can lead to another step. */
function refundSteps(random: Random) {
  const percents = random.pick(REFUNDS);
  return percents.map((percent, n) => {
    const later = percents.length - 1 - n;
    return { percent, hours_before: later === 0 ? 0 : FIRST_HOUR + later * 12 + random.between(0, 6) };
  });
}

/** Creates rooms with all tax codes, extras and codes, at random prices in a currency. */
export async function newOffer(api: ApiClient, currency: string, random: Random): Promise<Offer> {
  const unit = smallestUnit(currency);
  /** A price and its tax code; `gross`: with tax, in chargeable units. */
  const priced = (gross: number, tax_code = random.pick(TAX_CODES)) => ({
    tax_code,
    price: { currency, amount_minor: Math.round((gross * 100) / (100 + TAX_PERCENTS[tax_code])) * unit },
  });
  const createRoom = async (tax_code?: keyof typeof TAX_PERCENTS, parts: string[] = []): Promise<string> => {
    const { price: price_per_hour, ...taxed } = priced(random.pick(HOURLY_PRICES), tax_code);
    const refund_steps = refundSteps(random);
    return (
      await newRoom(api, { ...taxed, price_per_hour, refund_steps, ...(parts.length > 0 && { parts }) })
    ).id;
  };
  const rooms: string[] = [];
  for (const code of TAX_CODES) rooms.push(await createRoom(code));
  // A hall that consists of two, so that bookings compete with those of other rooms too.
  rooms.push(await createRoom(undefined, rooms.slice(0, 2)));
  const rates = RATES.map((rate) => ({ ...rate, amount_minor: rate.amount_minor * unit }));
  await created(api.put(`/v1/rooms/${random.pick(rooms)}/rates`, { rates }));
  const extras: Offer['extras'] = [];
  for (const { most, ...extra } of EXTRAS) {
    const refund_steps = random.chance(0.5) ? refundSteps(random) : null;
    const body = { ...extra, ...priced(random.between(20, 4_000)), refund_steps };
    extras.push({ id: (await created(api.post('/v1/extras', body))).id, most });
  }
  const codes = [
    { code: 'PERCENT', percent: random.between(1, 60), max_uses: 20, max_uses_per_payer: 2 },
    { code: 'AMOUNT', amount_minor: random.between(100, 2_000) * unit, max_uses: 40 },
  ];
  for (const code of codes) await created(api.post('/v1/discounts', code));
  return { currency, rooms, extras, discounts: codes.map(({ code }) => code) };
}
