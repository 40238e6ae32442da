import test from 'ava';
import { DAY_MS } from '../../../domain/durations.js';
import { confirmedBooking } from '../../support/bookings.js';
import { openOffice, pageText } from '../../support/dashboard.js';
import { storeBookings } from '../../support/stored-bookings.js';
import { newRoom } from '../../support/workspaces.js';

const daysAgo = (days: number): Date => new Date(Date.UTC(2026, 0, 31, 10) - days * DAY_MS);

test('guests are listed once each with their visits and what they spent, and each has a page with their bookings', async (t) => {
  const { workspace, session, home } = await openOffice();
  const { api } = workspace;
  const room = await newRoom(api);
  const marie = { guest_name: 'Maria Skłodowska', guest_email: 'marie@example.com' };
  await storeBookings({ workspace_id: workspace.id, room_id: room.id }, [
    { start_at: daysAgo(3), ...marie },
    { start_at: daysAgo(2), ...marie, guest_name: 'Marie Curie', guest_email: 'Marie@Example.com' },
    { start_at: daysAgo(1), ...marie, no_show_at: new Date() },
    { start_at: daysAgo(0), ...marie, status: 'cancelled' },
    { start_at: daysAgo(9), guest_name: 'Otto Other', guest_email: 'otto@example.com' },
  ]);
  const guest = { email: 'MARIE@example.com', name: 'Marie Curie' };
  const { booking } = await confirmedBooking(api, { room_id: room.id, body: { booked_by: { guest } } });

  const list = async (query = ''): Promise<string> => {
    const html = await session.getText(`${home}/guests${query}`);
    return pageText(/<table[^]*<\/table>|<p class="empty">[^]*?<\/p>/.exec(html)![0]).trim();
  };
  t.regex(
    await list(),
    /^Name Bookings Visits Spent Marie Curie MARIE@example\.com 3 bookings 1 no-show last Thu 29 Jan( 2026)? next \w+ \d+ \w+( \d+)? £30\.00 Otto Other otto@example\.com 1 booking last Thu 22 Jan( 2026)? £0\.00$/,
  );
  // An earlier name finds the guest as well, with or without its accents.
  for (const q of ['sklodowska', 'Skłodowska', 'curie', 'marie@'])
    t.regex(await list(`?q=${encodeURIComponent(q)}`), /Marie Curie/, q);
  t.notRegex(await list('?q=curie'), /Otto/);
  t.is(await list('?q=nobody'), 'Nothing matches.');

  const page = `${home}/guests?email=marie%40example.com`;
  const shown = await session.getText(page);
  t.regex(
    pageText(shown),
    /Guest Email MARIE@example\.com Bookings 3 No-shows 1 Last visit Thu 29 Jan( 2026)? Next visit .* Spent £30\.00 /,
  );
  t.is(/<tbody>[^]*<\/tbody>/.exec(shown)![0].match(/<tr>/g)!.length, 5);
  t.true(
    (await session.getText(`${home}/bookings/${booking.id}`)).includes(
      `href="${home}/guests?email=MARIE%40example.com"`,
    ),
    'a booking leads to its guest',
  );
  const found = await session.getText(`${home}/search?q=curie`);
  t.true(found.includes(`href="${home}/guests?email=MARIE%40example.com"`), 'the search leads to the guest');

  // A refunded amount no longer counts as spent.
  await api.post(`/v1/bookings/${booking.id}/cancel`, { refund_policy: 'full' });
  t.regex(
    pageText(await session.getText(page)),
    /Bookings 2 No-shows 1 Last visit Thu 29 Jan( 2026)? Spent nothing yet/,
  );

  await api.post('/v1/guests/erase', { email: 'marie@example.com' });
  t.notRegex(await list(), /Marie|erased/);
  t.regex(pageText(await session.getText(page)), /No bookings with this email address/);
});

test('the list of guests continues on further pages, and an address with many bookings appears once', async (t) => {
  const { workspace, session, home } = await openOffice();
  const room = await newRoom(workspace.api);
  const rows = Array.from({ length: 90 }, (_, n) => ({
    start_at: daysAgo(n),
    guest_name: n % 3 === 0 ? 'Walk In' : `Guest ${n}`,
    guest_email: n % 3 === 0 ? 'walk.in@example.com' : `g${n}@example.com`,
  }));
  await storeBookings({ workspace_id: workspace.id, room_id: room.id }, rows);
  const seen: string[] = [];
  let pages = 0;
  for (let path: string | undefined = `${home}/guests`; path; pages++) {
    const html: string = await session.getText(path);
    seen.push(
      ...[...html.matchAll(/guests\?email=([^"]+)"/g)].map(([, email]) => decodeURIComponent(email!)),
    );
    path = /rel="next" href="([^"]+)"/.exec(html)?.[1]?.replaceAll('&amp;', '&');
  }
  t.is(pages, 3);
  t.is(seen.length, 61);
  t.is(new Set(seen).size, 61);
});
