import { DAY_MS } from '../../domain/durations.js';
import { WEEKDAYS } from '../../domain/slots.js';
import type { DevJson } from '../../dev/launcher/stack.js';
import { openHouse, type House } from './house.js';
import { aim, type Aim } from './print.js';
import { cpuMs } from './processes.js';
import type { Scene } from './scene.js';

const ROOMS = 20;
const RATES = 20;
/** One kind of booking after the other, so many times, so that all of them meet the same moments of the machine. */
const BLOCKS = 10;
const CREATES = 25;
const READS = 20;
const DAYS = 31;

/** Rates of some days and hours, so that several of them price a booking of any time. */
const rates = Array.from({ length: RATES }, (_, n) => ({
  name: `Rate ${n}`,
  days: n % 3 ? [WEEKDAYS[n % 7], WEEKDAYS[(n + 3) % 7]] : null,
  from: `${String(n).padStart(2, '0')}:00`,
  to: `${String(n + 3).padStart(2, '0')}:30`,
  amount_minor: 1_000 + n * 100,
  ...(n === 4 && { unit: 'flat' }),
}));

export interface PricesResults {
  /** CPU of API, worker and Postgres for one create, in ms. */
  create_cpu_ms: { plain: number; rates: number; all: number };
  /** With 20 rates, and with 3 extras and a code as well, to one without. */
  rates_to_plain: number;
  all_to_plain: number;
  /** CPU of API and Postgres for a month of 20 rooms with 20 rates each, in ms, and with prices to without. */
  month_cpu_ms: { without: number; with_prices: number };
  prices_to_without: number;
}

/** The kernel counts in ticks of 10 ms: a mean loses less to them than a median of blocks. */
const mean = (values: number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

const MEASURED = ['api', 'worker', 'postgres'];

/** The CPU of the service in ms for each of some pieces of work. */
async function cpuOf({ pids }: Scene, pieces: number, work: () => Promise<unknown>): Promise<number> {
  const used = (): number =>
    Object.entries(cpuMs(pids))
      .filter(([name]) => MEASURED.some((part) => name.startsWith(part)))
      .reduce((sum, [, ms]) => sum + ms, 0);
  const before = used();
  for (let n = 0; n < pieces; n++) await work();
  return (used() - before) / pieces;
}

async function bookWith(house: House, more: object): Promise<void> {
  const { status, body } = await house.book(house.nextSlot(), more);
  if (status !== 201) throw new Error(`POST /v1/bookings returned ${status} ${JSON.stringify(body)}`);
}

/** What rates, extras and codes cost a create, and prices a read of availability. */
export async function measurePrices(scene: Scene, dev: DevJson): Promise<PricesResults> {
  const plain = await openHouse(dev, ROOMS);
  const rated = await openHouse(dev, ROOMS);
  // A house of its own for each kind, with as many bookings.
  const full = await openHouse(dev, ROOMS);
  for (const house of [rated, full])
    for (const room of house.rooms) await house.request('PUT', `/v1/rooms/${room}/rates`, { rates });
  const extras: { extra_id: string; quantity: number }[] = [];
  for (let n = 0; n < 3; n++) {
    const fields = { name: `Extra ${n}`, price: { currency: 'GBP', amount_minor: 500 }, stock: 10_000 };
    const { id } = await full.request<{ id: string }>('POST', '/v1/extras', fields);
    extras.push({ extra_id: id, quantity: 1 });
  }
  const { code } = await full.request<{ code: string }>('POST', '/v1/discounts', {
    code: 'BENCH',
    percent: 10,
    max_uses: 100_000,
  });
  const kinds = {
    plain: () => bookWith(plain, {}),
    rates: () => bookWith(rated, {}),
    all: () => bookWith(full, { extras, discount_code: code }),
  };
  const creates = { plain: [] as number[], rates: [] as number[], all: [] as number[] };
  const names = Object.keys(kinds) as (keyof typeof kinds)[];
  for (const name of names) for (let n = 0; n < CREATES * 2; n++) await kinds[name]();
  for (let block = 0; block < BLOCKS; block++)
    for (const name of block % 2 ? names.toReversed() : names)
      creates[name].push(await cpuOf(scene, CREATES, kinds[name]));

  const from = new Date(Math.ceil(Date.now() / DAY_MS) * DAY_MS);
  const month = {
    tier: 'pro',
    from: from.toISOString(),
    to: new Date(from.getTime() + DAYS * DAY_MS).toISOString(),
  };
  const read = (include: object) => () =>
    rated.request('GET', `/v1/availability?${new URLSearchParams({ ...month, ...include })}`);
  const reads = { without: read({}), with_prices: read({ include: 'price' }) };
  const months = { without: [] as number[], with_prices: [] as number[] };
  for (const work of Object.values(reads)) for (let n = 0; n < READS; n++) await work();
  for (let block = 0; block < BLOCKS; block++)
    for (const name of ['without', 'with_prices'] as const)
      months[name].push(await cpuOf(scene, READS, reads[name]));

  const [plainMs, ratesMs, allMs] = names.map((name) => mean(creates[name]));
  const [without, with_prices] = [mean(months.without), mean(months.with_prices)];
  return {
    create_cpu_ms: { plain: plainMs!, rates: ratesMs!, all: allMs! },
    rates_to_plain: ratesMs! / plainMs!,
    all_to_plain: allMs! / plainMs!,
    month_cpu_ms: { without, with_prices },
    prices_to_without: with_prices / without,
  };
}

export const aimsOfPrices = ({ rates_to_plain, all_to_plain, prices_to_without }: PricesResults): Aim[] => [
  aim('CPU of a create with 20 rates to one without', rates_to_plain, { atMost: 1.1 }),
  aim('CPU of a create with 20 rates, 3 extras and a code to one without', all_to_plain, { atMost: 1.1 }),
  aim('CPU of a month of 20 rooms with prices to one without', prices_to_without, { atMost: 1.5 }),
];

export function printPrices({ create_cpu_ms, month_cpu_ms }: PricesResults): void {
  const { plain, rates, all } = create_cpu_ms;
  const ms = (value: number): string => `${value.toFixed(1)} ms`;
  console.log('\nPrices, CPU of the service');
  console.log(
    `  A create: ${ms(plain)}; with 20 rates ${ms(rates)}; with 3 extras and a code as well ${ms(all)}`,
  );
  console.log(
    `  A month of 20 rooms: ${ms(month_cpu_ms.without)}; with prices ${ms(month_cpu_ms.with_prices)}`,
  );
}
