import { randomUUID } from 'node:crypto';
import test, { type ExecutionContext } from 'ava';
import { dayAfter, dayIn, startOfDay, type Day } from '../../../domain/cycle.js';
import { DAY_MS, MINUTE_MS } from '../../../domain/durations.js';
import { addLength, lineFrom, onGrid } from '../../../domain/rooms/grid.js';
import { newSite, publicBookingBody } from '../../support/publishable-calls.js';
import { Random } from '../../chaos/random.js';
import { nextChange } from '../../support/zones.js';
import type { Room } from '../../support/api-bodies.js';
import { confirmedBooking } from '../../support/bookings.js';
import { openOffice } from '../../support/dashboard.js';
import { openLink } from '../../support/links.js';
import { dev } from '../../support/stack.js';
import { newRoom, uniqueEmail } from '../../support/workspaces.js';
import { parseForms } from '../../support/page-forms.js';

const SEED = Number(process.env.TEST_SEED ?? Date.now() % 2 ** 31);
const ROOMS = 6;

const ZONES = [
  'Europe/London',
  'America/St_Johns',
  'America/New_York',
  'Australia/Lord_Howe',
  'Africa/Cairo',
  'Pacific/Chatham',
  'America/Santiago',
];
const SLOTS = [15, 60, 90, 120, 240, 1440];
const TURNAROUNDS = [0, 0, 15, 60];
/** Hours of every day; null is always open. */
const HOURS = [null, null, [['00:00', '06:00']], [['08:00', '20:00']], [['20:15', '04:30']]];
const WEEK = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];

/** A time that a page offers: `<start> <end>`, ISO 8601. */
type Time = string;

const toTime = (start: number | string, end: number): Time =>
  `${new Date(start).toISOString()} ${new Date(end).toISOString()}`;

/** The addresses in the links of a page. */
const linksIn = (html: string): URL[] =>
  [...html.matchAll(/<a [^>]*?href="([^"]+)"/g)].map(
    ([, href]) => new URL(href!.replaceAll('&amp;', '&'), dev.baseUrl),
  );

/** The times to choose from on a guest page, with their links. */
const guestTimes = (html: string, room: Room): Map<Time, URL> =>
  new Map(
    linksIn(html).flatMap((link) => {
      const [start, minutes] = [link.searchParams.get('start'), Number(link.searchParams.get('minutes'))];
      if (!start) return [];
      return [[toTime(start, addLength(Date.parse(start), minutes, room)), link]];
    }),
  );

/** The same on a dashboard page. */
const deskTimes = (html: string): Map<Time, URL> =>
  new Map(
    linksIn(html).flatMap((link) => {
      const [start, end] = [link.searchParams.get('exact_start'), link.searchParams.get('exact_end')];
      return start && end ? [[toTime(start, Date.parse(end)), link]] : [];
    }),
  );

/** The lengths that a page offers, in minutes. */
const lengthsIn = (html: string): number[] =>
  [...(/name="minutes"[^>]*>([^]*?)<\/select>/.exec(html)?.[1] ?? '').matchAll(/value="(\d+)"/g)].map(
    ([, minutes]) => Number(minutes),
  );

/** The bookable times of a length on a day, by the API's free time. */
function bookable(
  free: { start_at: string; end_at: string }[],
  room: Room,
  day: Day,
  minutes: number,
): Time[] {
  const times: Time[] = [];
  for (const window of free) {
    const [from, until] = [Date.parse(window.start_at), Date.parse(window.end_at)];
    for (let start = lineFrom(from, room); start < until; start = lineFrom(start + 1, room)) {
      const end = addLength(start, minutes, room);
      if (end <= until && onGrid(end, room) && dayIn(room.time_zone, new Date(start)) === day)
        times.push(toTime(start, end));
    }
  }
  return times;
}

const post = (url: URL | string, fields: URLSearchParams): Promise<Response> =>
  fetch(url, { method: 'POST', body: fields, redirect: 'manual' });

/** A room in a workspace with a booking page, a site and a paid booking a few days after a clock change. */
async function newScene(draw: Random, n: number) {
  const { workspace, session, home } = await openOffice();
  const { api } = workspace;
  // Rooms of a run differ in both.
  const time_zone = ZONES[(SEED + n) % ZONES.length]!;
  const hours = draw.pick(HOURS);
  const slot_minutes = SLOTS[(Math.floor(SEED / ZONES.length) + n) % SLOTS.length]!;
  const settings = {
    time_zone,
    slot_minutes,
    turnaround_minutes: draw.pick(TURNAROUNDS),
    opening_hours: hours && slot_minutes < 1440 ? Object.fromEntries(WEEK.map((day) => [day, hours])) : null,
  };
  const [room, other] = [await newRoom(api, settings), await newRoom(api, settings)];
  const slug = `house-${randomUUID().slice(0, 8)}`;
  const embed_origins = draw.pick([[], ['https://www.harbour.example']]);
  await api.put('/v1/booking-page', { slug, embed_origins });
  const { site } = await newSite(api);
  const page = `${dev.baseUrl}/book/${slug}/rooms/${room.id}`;
  const change = nextChange(time_zone);
  const day = dayIn(time_zone, new Date(change));
  const free = await fetch(`${page}?day=${dayIn(time_zone, new Date(change + 4 * DAY_MS))}`);
  const [[own, link]] = [...guestTimes(await free.text(), room)] as [[Time, URL]];
  const [start_at, end_at] = own.split(' ') as [string, string];
  const { booking } = await confirmedBooking(api, { room_id: room.id, slot: { start_at, end_at } });
  const length = Number(link.searchParams.get('minutes'));
  return { workspace, api, session, home, room, other, site, page, day, booking, length };
}

type Scene = Awaited<ReturnType<typeof newScene>>;

/** The room's bookings other than the scene's own are cancelled, so their times are free again. */
async function clear({ api, room, booking, day }: Scene): Promise<void> {
  const range = `from=${dayAfter(day, -3)}T00:00:00Z&to=${dayAfter(day, 5)}T00:00:00Z`;
  const { body } = await api.get(`/v1/bookings?room_id=${room.id}&${range}&limit=100`);
  for (const { id, status } of body.data)
    if (id !== booking.id && (status === 'pending_payment' || status === 'confirmed'))
      await api.post(`/v1/bookings/${id}/cancel`);
}

/** The pages that offer times: their offers on a day, and how one is booked. Each returns what went wrong. */
const PAGES: Record<
  string,
  {
    read: (scene: Scene, day: Day, minutes: number) => Promise<{ html: string; times: Map<Time, URL> }>;
    book: (scene: Scene, link: URL) => Promise<string | null>;
  }
> = {
  'booking page, also in a frame': {
    read: async ({ page, room }, day, minutes) => {
      const html = await (await fetch(`${page}?day=${day}&minutes=${minutes}`)).text();
      return { html, times: guestTimes(html, room) };
    },
    book: async (_scene, link) => {
      const details = await fetch(link);
      const html = await details.text();
      const [form] = parseForms(html);
      if (details.status !== 200 || !form) return `${details.status} ${html.slice(-1_500)}`;
      const fields = form.toParams(false);
      fields.set('name', 'Grace Guest');
      fields.set('email', uniqueEmail());
      const booked = await post(new URL(form.action, dev.baseUrl), fields);
      return booked.status === 303 ? null : `${booked.status} ${(await booked.text()).slice(-1_500)}`;
    },
  },
  'move of the manage link': {
    read: async ({ booking, room }, day, minutes) => {
      const html = await (await openLink(`${booking.manage_url}/move?day=${day}&minutes=${minutes}`)).text();
      return { html, times: guestTimes(html, room) };
    },
    book: async ({ booking }, link) => {
      const asked = await openLink(`${booking.manage_url}/move${link.search}`);
      const html = await asked.text();
      const form = parseForms(html).find(({ action }) => action.endsWith('/move'));
      if (asked.status !== 200 || !form) return `${asked.status} ${html.slice(-1_500)}`;
      const moved = await post(`${booking.manage_url}/move`, form.toParams(false));
      const text = await moved.text();
      if (moved.status === 200 && text.includes('cs_')) {
        await post(`${booking.manage_url}/withdraw`, new URLSearchParams());
        return null;
      }
      return moved.status === 303 ? null : `${moved.status} ${text.slice(-1_500)}`;
    },
  },
  'new booking of the dashboard': {
    read: async ({ session, home, room }, day, minutes) => {
      const html = await session.getText(`${home}/book?room_id=${room.id}&day=${day}&minutes=${minutes}`);
      return { html, times: deskTimes(html) };
    },
    book: ({ session, home }, link) =>
      atDesk(session, link, `${home}/book`, { email: uniqueEmail(), name: 'Grace Guest' }),
  },
  'change of the dashboard': {
    read: async ({ session, home, room, booking }, day, minutes) => {
      const at = `${home}/bookings/${booking.id}/change`;
      const html = await session.getText(`${at}?room_id=${room.id}&day=${day}&minutes=${minutes}`);
      return { html, times: deskTimes(html) };
    },
    book: ({ session, home, booking }, link) =>
      atDesk(session, link, `${home}/bookings/${booking.id}/change`, {}),
  },
};

/** Submits a dashboard form that a link has filled in, and confirms it. */
async function atDesk(
  session: Scene['session'],
  link: URL,
  action: string,
  more: Record<string, string>,
): Promise<string | null> {
  const html = await session.getText(link.pathname + link.search);
  const form = parseForms(html).find((each) => each.action === action);
  if (!form) return `no form ${action}`;
  const fields = form.toParams(false);
  for (const [name, value] of Object.entries(more)) fields.set(name, value);
  const asked = await session.submitFields(action, fields);
  const text = await asked.clone().text();
  if (!text.includes('card confirmation')) return `${asked.status} ${text.slice(-3_000)}`;
  const done = await session.confirmForm(asked);
  return done.status === 302 ? null : `${done.status} ${(await done.text()).slice(-3_000)}`;
}

/** The API's free time for public guests, which is enough to know what can be booked on a day in a length. */
async function freeOn({ site, room }: Scene, day: Day, minutes: number) {
  const from = startOfDay(day, room.time_zone).getTime();
  const until = startOfDay(dayAfter(day), room.time_zone).getTime() + minutes * MINUTE_MS + DAY_MS;
  const range = `from=${new Date(from).toISOString()}&to=${new Date(until).toISOString()}`;
  const { status, body } = await site.get(`/v1/public/availability?room_id=${room.id}&${range}`);
  if (status !== 200) throw new Error(JSON.stringify(body));
  return body.free as { start_at: string; end_at: string }[];
}

async function check(t: ExecutionContext, scene: Scene, draw: Random): Promise<number> {
  const { room, day: changed, booking, site } = scene;
  let offered = 0;
  const before = dayIn(room.time_zone, new Date(startOfDay(changed, room.time_zone).getTime() - DAY_MS / 2));
  for (const day of [before, changed, dayAfter(changed)]) {
    const lengths = lengthsIn((await PAGES['booking page, also in a frame']!.read(scene, day, 60)).html);
    const minutes = draw.pick([lengths[0]!, scene.length, draw.pick(lengths)]);
    const can = bookable(await freeOn(scene, day, minutes), room, day, minutes);
    for (const [name, { read, book }] of Object.entries(PAGES)) {
      const what = `${name}: ${room.time_zone}, slots of ${room.slot_minutes}, ${minutes} minutes on ${day}`;
      const { times } = await read(scene, day, minutes);
      t.deepEqual([...times.keys()].toSorted(), can.toSorted(), `${what}: offered is what can be booked`);
      offered += times.size;
      if (times.size === 0) continue;
      const [time, link] = draw.pick([...times]);
      t.is(await book(scene, link), null, `${what}: ${time} is offered`);
      // The next steps find the times free.
      const { body: now } = await scene.api.get(`/v1/bookings/${booking.id}`);
      if (now.start_at !== booking.start_at || now.end_at !== booking.end_at)
        await scene.api.patch(`/v1/bookings/${booking.id}`, {
          start_at: booking.start_at,
          end_at: booking.end_at,
        });
      await clear(scene);
    }
    if (can.length === 0) continue;
    const [start_at, end_at] = draw.pick(can).split(' ');
    const { status, body } = await site.post(
      '/v1/public/bookings',
      publicBookingBody(room.id, { start_at, end_at }),
    );
    t.is(status, 201, `availability of the API: ${start_at} is free: ${JSON.stringify(body)}`);
    await clear(scene);
  }
  const own = dayIn(room.time_zone, new Date(booking.start_at));
  const elsewhere = { ...scene, room: scene.other };
  const { times } = await PAGES['change of the dashboard']!.read(elsewhere, own, scene.length);
  t.true(times.has(toTime(booking.start_at, Date.parse(booking.end_at))), 'the same time in another room');
  return offered;
}

for (let n = 0; n < ROOMS; n++)
  test(`every time that a page offers can be booked, and every bookable time is offered, around a clock change, room ${n + 1}`, async (t) => {
    const draw = Random.stream(SEED, `room ${n}`);
    const scene = await newScene(draw, n);
    t.log(
      scene.room.time_zone,
      scene.room.slot_minutes,
      JSON.stringify(scene.room.opening_hours?.mon),
      scene.day,
    );
    t.true((await check(t, scene, draw)) > 0, 'something is offered');
  });
