import type { DataSource } from 'typeorm';
import { insertSession } from '../../commands/access/sessions.js';
import { hashSecret, newSecret } from '../../api/http/secrets.js';
import type { DevJson } from '../../dev/launcher/stack.js';
import { REQUIRED_SETTINGS } from '../support/settings.js';
import { drive } from './measure.js';
import { aim, type Aim } from './print.js';
import { startServer, stopServer } from './reads.js';
import { storeHouse, type StoredHouse } from './stored.js';

/** All in one workspace. */
const BOOKINGS = 100_000;
const MEMBERS = 20_000;
const MOST_MS = 100;

/** Beside each booking an invoice with a payment, two events and an entry of the audit log. */
const FILL = [
  `UPDATE bookings SET guest_name = left(md5(id), 7) || ' ' || right(md5(id), 7),
          guest_email = right(id, 6) || '@example.com', member_id = NULL
   WHERE right(id, 1) <> '0'`,
  `UPDATE bookings SET member_id = 'mem_' || (1 + right(id, 6)::int % ${MEMBERS}) WHERE right(id, 1) = '0'`,
  `INSERT INTO invoices (id, workspace_id, number, kind, status, currency, net_minor, tax_minor, total_minor, due_at,
                         booking_id, accounting_reference, created_at, paid_at)
   SELECT 'inv' || substr(id, 3), workspace_id, row_number() OVER (ORDER BY start_at, id), 'booking', 'paid', 'GBP', 2500, 500,
          3000, start_at, id, 'Holdfast #' || row_number() OVER (ORDER BY start_at, id), start_at - interval '200 days', now()
   FROM bookings`,
  `INSERT INTO invoice_lines (invoice_id, position, description, quantity, unit_amount_minor, tax_code, tax_rate_bps,
                              net_minor, tax_minor)
   SELECT id, 0, 'Room', 1, 2500, 'STANDARD', 2000, 2500, 500 FROM invoices`,
  `UPDATE bookings SET invoice_id = 'inv' || substr(id, 3)`,
  `INSERT INTO payments (id, workspace_id, invoice_id, booking_id, kind, status, amount_minor, currency, method, account_id,
                         processor_payment_intent_id, paid_at, created_at)
   SELECT 'pay' || substr(id, 4), workspace_id, id, booking_id, 'charge', 'succeeded', 3000, 'GBP', 'card', 'acct_bench',
          'pi' || substr(id, 4), created_at, created_at FROM invoices`,
  `INSERT INTO events (id, workspace_id, type, object_id, sequence, body, created_at, position)
   SELECT 'evt_' || lpad(((n - 1) * ${BOOKINGS} + i.number)::text, 26, '0'), i.workspace_id,
          CASE n WHEN 1 THEN 'booking.created' ELSE 'booking.confirmed' END, i.booking_id, n, '{}', i.created_at,
          (n - 1) * ${BOOKINGS} + i.number
   FROM invoices i, generate_series(1, 2) n`,
  `INSERT INTO audit_log (workspace_id, at, action, actor, object, details)
   SELECT workspace_id, created_at, 'invoice.created', '{"system": "operator"}', id, '{}' FROM invoices`,
  `WITH people AS (
     INSERT INTO profiles (id, email) SELECT 'prof_' || n, 'person-' || n || '@example.org' FROM generate_series(1, ${MEMBERS}) n
     RETURNING id, email)
   INSERT INTO members (id, workspace_id, profile_id, name, email, role, tier, status, joined_at)
   SELECT 'mem_' || substr(id, 6), (SELECT workspace_id FROM invoices LIMIT 1), id, 'Person ' || substr(id, 6), email,
          'member', 'basic', 'active', now() - substr(id, 6)::int * interval '1 minute' FROM people`,
];

/** Each list, its filters and its searches, as paths after the workspace's. */
const PATHS = (invoice: string): Record<string, string> => ({
  overview: '',
  bookings: '/bookings',
  'bookings, one name': '/bookings?q=c0ffe&from=2000-01-01&to=2099-01-01',
  invoices: '/invoices',
  'invoices, open': '/invoices?status=open',
  'invoices, one payer': '/invoices?q=000042%40example.com',
  payments: '/payments',
  'payments, refunds': '/payments?kind=refund',
  'payments, one payer': '/payments?q=000042%40example.com',
  members: '/members',
  'members, one name': '/members?q=person+4242',
  'members, archived': '/members?status=archived',
  'audit log': '/audit-log',
  'audit log, rare action': '/audit-log?action=room.created',
  'audit log, by the owner': '/audit-log?actor=guest',
  events: '/events',
  'events, one type': '/events?type=member.deleted',
  'events, one object': `/events?q=bk${invoice.slice(3)}`,
  calendar: '/calendar',
  'search, a name': '/search?q=c0ffe',
  'search, nothing': '/search?q=nobody+at+all',
});

export interface PageResult {
  page: string;
  p50_ms: number;
  p95_ms: number;
}

/** A signed-in session of the workspace's owner. Returns its cookie. */
async function signIn(db: DataSource, workspaceId: string): Promise<string> {
  const [{ profile_id }] = await db.query(
    `SELECT profile_id FROM members WHERE workspace_id = $1 AND role = 'owner'`,
    [workspaceId],
  );
  const secret = newSecret();
  const id_hash = hashSecret(secret);
  await db.query(`UPDATE profiles SET verified_at = now() WHERE id = $1`, [profile_id]);
  await insertSession(db.manager, {
    id_hash,
    profile_id,
    return_to: '/dashboard',
    device: 'Chrome on Linux',
  });
  await db.query(`UPDATE sessions SET second_factor_at = now() WHERE id_hash = $1`, [id_hash]);
  return `holdfast=${secret}`;
}

/** A database with a workspace that has all of it. */
export async function storePages(server: string): Promise<StoredHouse> {
  const house = await storeHouse(server, BOOKINGS, BOOKINGS);
  for (const statement of FILL)
    await house.db.transaction(async (tx) => {
      await tx.query(`SET LOCAL session_replication_role = replica`);
      await tx.query(statement);
    });
  await house.db.query('VACUUM ANALYZE');
  return house;
}

/** Every list of the dashboard in a workspace with 100,000 bookings, one request at a time. */
export async function measurePages(
  dev: DevJson,
  seconds: number,
  say: (what: string) => void,
): Promise<PageResult[]> {
  say(`storing ${BOOKINGS} bookings with invoices, payments and events`);
  const house = await storePages(dev.databaseUrl);
  try {
    const { db, workspaceId } = house;
    const cookie = await signIn(db, workspaceId);
    const [{ id }] = await db.query(`SELECT id FROM invoices WHERE number = 42`);
    const env = {
      ...process.env,
      ...REQUIRED_SETTINGS,
      TEMPORAL_ADDRESS: dev.temporalAddress,
      DATABASE_URL: house.url,
      PORT: '0',
      HOST: '127.0.0.1',
      ALLOW_HTTP: 'true',
    };
    const server = await startServer('../../api/main.js', env, { cookie });
    try {
      const results: PageResult[] = [];
      for (const [page, path] of Object.entries(PATHS(id))) {
        say(page);
        const work = () => server.get(`/dashboard/${workspaceId}${path}`);
        await drive({ inFlight: 1, seconds: 0.3 }, work);
        const { latenciesMs } = await drive({ inFlight: 1, seconds: Math.min(seconds, 1) }, work);
        const sorted = latenciesMs.toSorted((a, b) => a - b);
        const at = (share: number) => sorted[Math.floor((sorted.length - 1) * share)]!;
        results.push({ page, p50_ms: at(0.5), p95_ms: at(0.95) });
      }
      return results;
    } finally {
      await stopServer(server);
    }
  } finally {
    await house.close();
  }
}

/** Targets for the pages. */
export const aimsOfPages = (results: PageResult[]): Aim[] => {
  const slowest = results.reduce((a, b) => (b.p50_ms > a.p50_ms ? b : a));
  return [
    aim(`p50 in ms of the slowest page of ${results.length}, ${slowest.page}`, slowest.p50_ms, {
      atMost: MOST_MS,
    }),
  ];
};

export function printPages(results: PageResult[]): void {
  console.log(`\nPages with ${BOOKINGS} bookings stored, ms     p50       p95`);
  for (const { page, p50_ms, p95_ms } of results)
    console.log(`  ${page.padEnd(36)}${p50_ms.toFixed(1).padStart(8)}${p95_ms.toFixed(1).padStart(10)}`);
}
