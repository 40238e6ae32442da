import { DAY_MS, HOUR_MS } from '../../domain/durations.js';
import type { Booking, Invoice, Room } from '../support/api-bodies.js';
import type { ApiClient } from '../support/api-client.js';
import type { ApiResponse } from '../support/api-response.js';
import { bookingBody, pay, untilStatus } from '../support/bookings.js';
import { line } from '../support/invoice-calls.js';
import { createObjects } from '../support/objects.js';
import { simulator } from '../support/simulators.js';
import { db } from '../support/stack.js';
import { storeBookings } from '../support/stored-bookings.js';
import { until } from '../support/until.js';
import { newRoom, type TestWorkspace } from '../support/workspaces.js';
import { emailAt, EXTRAS, nameAt, PROSE, ROOMS, UNBROKEN } from './words.js';

const TODAY = Math.floor(Date.now() / DAY_MS) * DAY_MS;
const DISPUTED = '4000000000000259';
/** A time today plus a number of days. */
const at = (days: number): string => new Date(TODAY + days * DAY_MS).toISOString();
const PATIENCE_MS = 120_000;
const BOOKINGS = 24;
const PAST_BOOKINGS = 60;
const MEMBERS = 30;
const INVOICES = 26;

/** What the pages of a full workspace show. */
export interface Filled {
  objects: Record<string, string>;
  rooms: Room[];
  bookings: Record<'confirmed' | 'held' | 'cancelled' | 'disputed' | 'unrefunded', Booking>;
  invoices: Record<'open' | 'overdue' | 'paid' | 'partly' | 'void' | 'large' | 'adjusted', Invoice>;
  /** A day with bookings in several rooms, as `2027-01-13`. */
  day: string;
}

async function succeed<Body>(request: Promise<ApiResponse<Body>>): Promise<Body> {
  const { status, body } = await request;
  if (status >= 300) throw new Error(`${status} ${JSON.stringify(body)}`);
  return body;
}

/** Runs the work for the numbers below `count`, a few at a time, in order of their results. */
async function times<T>(count: number, work: (n: number) => Promise<T>): Promise<T[]> {
  const results: T[] = [];
  let next = 0;
  const take = async (): Promise<void> => {
    while (next < count) {
      const n = next++;
      results[n] = await work(n);
    }
  };
  await Promise.all([take(), take(), take(), take()]);
  return results;
}

const createRooms = (api: ApiClient): Promise<Room[]> =>
  times(ROOMS.length, (n) =>
    newRoom(api, {
      name: ROOMS[n],
      capacity: 4 + n * 3,
      floor: n % 2 ? 'Ground floor' : null,
      size_m2: 20 + n * 7,
      description: n === 1 ? PROSE : null,
      features: ['Projector', 'Step-free access', 'Kaffeevollautomat mit Milchaufschäumer'].slice(0, n % 4),
      price_per_hour: { currency: 'GBP', amount_minor: n === 2 ? 12_345_600 : 2_000 + n * 750 },
    }),
  );

async function createPrices(api: ApiClient, rooms: Room[]): Promise<void> {
  const week = ['mon', 'tue', 'wed', 'thu', 'fri'];
  await succeed(
    api.put(`/v1/rooms/${rooms[0]!.id}/rates`, {
      rates: [
        {
          name: 'Evening',
          days: week,
          from: '18:00',
          to: '23:00',
          amount_minor: 4_000,
          minimum_minor: 8_000,
        },
        { name: 'Half day', from: '08:00', to: '12:00', unit: 'flat', amount_minor: 7_000 },
        {
          name: `Weekend, ${UNBROKEN}`,
          days: ['sat', 'sun'],
          from: '08:00',
          to: '22:00',
          amount_minor: 5_500,
        },
      ],
    }),
  );
  await times(EXTRAS.length, (n) =>
    succeed(
      api.post('/v1/extras', {
        name: EXTRAS[n],
        unit: n % 2 ? 'piece' : 'attendee',
        price: { currency: 'GBP', amount_minor: n === 1 ? 1_234_567 : 900 + n * 450 },
      }),
    ),
  );
  await times(3, (n) =>
    succeed(
      api.post('/v1/discounts', {
        code: ['NEIGHBOURS', 'LONG-CODE-OF-THE-TEST-WORKSPACE-NR-4711', 'TEN'][n],
        percent: 10 + n,
        max_uses: 200,
      }),
    ),
  );
}

async function createPeople(api: ApiClient): Promise<{ members: string[]; companies: string[] }> {
  const companies = await times(4, (n) =>
    succeed(
      api.post('/v1/companies', {
        name: ['Northwind Ltd', `${UNBROKEN} e. V.`, 'شركة الميناء', 'Tiny Co'][n],
        billing_email: emailAt(900 + n),
        address: '12 Mill Lane\nBristol BS1 4ND',
        vat_number: 'GB123456789',
      }),
    ),
  );
  const members = await times(MEMBERS, (n) =>
    succeed(
      api.post('/v1/members', {
        email: emailAt(n),
        name: nameAt(n),
        tier: ['basic', 'plus', 'pro', 'enterprise'][n % 4],
        send_invite: n % 3 === 0,
        ...(n % 5 === 0 && { company_id: companies[n % 4]!.id }),
      }),
    ),
  );
  await succeed(api.post(`/v1/members/${members[7]!.id}/archive`));
  return { members: members.map(({ id }) => id), companies: companies.map(({ id }) => id) };
}

/** Books each room in turn, on the days after tomorrow, as guests with each of the names. */
const createBookings = (api: ApiClient, rooms: Room[]): Promise<Booking[]> =>
  times(BOOKINGS, (n) => {
    const start = TODAY + (2 + Math.floor(n / ROOMS.length)) * DAY_MS + (9 + (n % 5)) * HOUR_MS;
    return succeed(
      api.post(
        '/v1/bookings',
        bookingBody(rooms[n % ROOMS.length]!.id, {
          start_at: new Date(start).toISOString(),
          end_at: new Date(start + (1 + (n % 2)) * HOUR_MS).toISOString(),
          booked_by: { guest: { email: emailAt(n), name: nameAt(n) } },
          attendees: 1 + (n % 4),
          ...(n % 3 === 0 && { notes: PROSE }),
        }),
      ),
    );
  });

/** Waits until a booking has a refund for which the condition holds. */
const untilRefund = ({ id }: Booking, condition: string): Promise<unknown> =>
  until(
    async () =>
      (
        await db.query(`SELECT 1 FROM payments WHERE booking_id = $1 AND kind = 'refund' AND ${condition}`, [
          id,
        ])
      ).length,
    PATIENCE_MS,
  );

async function settleBookings(workspace: TestWorkspace, made: Booking[]): Promise<Filled['bookings']> {
  const { api } = workspace;
  const [held, disputed, cancelled, unrefunded, confirmed, ...others] = made as [
    Booking,
    Booking,
    Booking,
    Booking,
    Booking,
    ...Booking[],
  ];
  const paid = [disputed, cancelled, unrefunded, confirmed, ...others.filter((_, n) => n % 4 > 0)];
  await times(paid.length, (n) => pay(paid[n]!, paid[n] === disputed ? { card: DISPUTED } : {}));
  await times(paid.length, (n) => untilStatus(api, paid[n]!.id, 'confirmed'));
  const inFull = { refund_policy: 'full', reason: PROSE };
  await succeed(api.post(`/v1/bookings/${cancelled.id}/cancel`, inFull));
  await untilRefund(cancelled, `status = 'succeeded'`);
  // For as long as the workspace is looked at: with a balance, the refund is tried again.
  await simulator('POST', '/_sim/refund_mode', { account: workspace.accountId, mode: 'no_balance' });
  await succeed(api.post(`/v1/bookings/${unrefunded.id}/cancel`, inFull));
  await untilRefund(unrefunded, 'unfunded_since IS NOT NULL');
  return { confirmed, held, cancelled, disputed, unrefunded };
}

async function createInvoices(
  api: ApiClient,
  { members, companies }: { members: string[]; companies: string[] },
): Promise<Filled['invoices']> {
  const made = await times(INVOICES, (n) =>
    succeed(
      api.post('/v1/invoices', {
        ...(n % 2 ? { member_id: members[n] } : { company_id: companies[n % 4] }),
        currency: 'GBP',
        due_at: new Date(TODAY + (n === 1 ? -20 : 14) * DAY_MS).toISOString(),
        lines: [
          line({ quantity: 2 }),
          line({
            description: n % 3 ? EXTRAS[1] : UNBROKEN,
            quantity: 12.5,
            unit_amount_minor: n === 5 ? 98_765_432 : 1_450,
          }),
        ],
        reference: `PO ${4711 + n}`,
      }),
    ),
  );
  const [open, overdue, paid, partly, voided, large, adjusted] = made;
  const take = (invoice: Invoice, amount_minor = invoice.total_minor) =>
    succeed(
      api.post(`/v1/invoices/${invoice.id}/mark-paid`, {
        amount_minor,
        method: 'bank_transfer',
        reference: 'Statement 12',
      }),
    );
  await Promise.all([take(paid!), take(partly!, 5_000), take(adjusted!)]);
  await succeed(
    api.post(`/v1/invoices/${voided!.id}/void`, { reason: 'Sent twice', audit_note: 'Asked by Ada' }),
  );
  await succeed(
    api.post(`/v1/invoices/${adjusted!.id}/adjustments`, {
      lines: [line({ description: 'Discount', unit_amount_minor: -500 })],
      reason: PROSE,
    }),
  );
  return {
    open: open!,
    overdue: overdue!,
    paid: paid!,
    partly: partly!,
    void: voided!,
    large: large!,
    adjusted: adjusted!,
  };
}

/** Past bookings, which the API does not take. */
const storePast = ({ id }: TestWorkspace, rooms: Room[]): Promise<string[][]> =>
  times(rooms.length, (n) =>
    storeBookings(
      { workspace_id: id, room_id: rooms[n]!.id },
      Array.from({ length: PAST_BOOKINGS / rooms.length }, (_, day) => ({
        start_at: new Date(TODAY - (day + 1) * DAY_MS + (9 + (n % 6)) * HOUR_MS),
        status: 'completed' as const,
        guest_name: nameAt(n + day),
        guest_email: emailAt(n),
      })),
    ),
  );

async function createBlackout(api: ApiClient, { id }: Room): Promise<string> {
  const time = { start_at: at(40), end_at: at(41) };
  return (await succeed(api.post(`/v1/rooms/${id}/blackouts`, { ...time, reason: PROSE }))).id;
}

const createSettings = (api: ApiClient): Promise<unknown> =>
  Promise.all([
    succeed(api.patch('/v1/workspace', { tier_prices: { basic: 1_900, plus: 4_900, pro: 9_900 } })),
    times(6, (n) =>
      succeed(
        api.post('/v1/api-keys', {
          name: n % 2 ? 'Anzeigetafelaktualisierungsdienst des Hausmeisters' : `Front desk ${n}`,
          scope: { resources: ['calendar'], actions: ['read', 'write'], ip_allowlist: [] },
          expires_at: at(80),
        }),
      ),
    ),
    times(4, (n) =>
      succeed(
        api.post('/v1/oauth-clients', {
          name: n ? `Room display ${n}` : UNBROKEN,
          redirect_uris: ['https://display.example.com/callback'],
        }),
      ),
    ),
    succeed(
      api.put('/v1/webhook-endpoint', {
        url: `https://hooks.example.com/holdfast/${UNBROKEN.toLowerCase().replaceAll(/[^a-z]/g, '')}`,
        event_types: ['booking.confirmed', 'booking.cancelled'],
      }),
    ),
  ]);

/** Fills a workspace through the API, as its users do, with everything that pages and lists show. */
export async function fillWorkspace(workspace: TestWorkspace): Promise<Filled> {
  const { api } = workspace;
  const objects = await createObjects(workspace);
  const rooms = await createRooms(api);
  const [, people] = await Promise.all([createPrices(api, rooms), createPeople(api)]);
  const [made] = await Promise.all([createBookings(api, rooms), storePast(workspace, rooms)]);
  const [bookings, invoices, blackout] = await Promise.all([
    settleBookings(workspace, made),
    createInvoices(api, people),
    createBlackout(api, rooms[0]!),
    createSettings(api),
  ]);
  const [rate] = (await api.get(`/v1/rooms/${rooms[0]!.id}/rates`)).body.rates;
  return {
    objects: {
      ...objects,
      room: rooms[0]!.id,
      rate: rate!.id,
      blackout,
      booking: bookings.confirmed.id,
      invoice: invoices.partly.id,
      member: people.members[1]!,
      company: people.companies[1]!,
    },
    rooms,
    bookings,
    invoices,
    day: made[0]!.start_at.slice(0, 10),
  };
}
