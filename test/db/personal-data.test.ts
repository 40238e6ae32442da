import test from '../support/suite.js';
import { ERASURE_RULES, erasureRule, PERSONAL_DATA } from '../../db/personal-data/rules.js';
import { COLUMNS } from '../../db/schema.js';

test('every column of a table with personal data is listed as kept, or can be erased', (t) => {
  // A new column that is not listed as kept appears here, if it can be null, or fails to load db/personal-data/.
  // Keep it there, or confirm here that it is erased.
  const changes = ERASURE_RULES.map(
    ({ table, values, reduced }) => [table, { ...values, ...reduced }] as const,
  );
  t.deepEqual(changes.map(([table, changed]) => [table, Object.keys(changed)]).toSorted(), [
    ['api_keys', ['name']],
    ['audit_log', ['details']],
    ['booking_changes', ['request', 'plan']],
    ['bookings', ['guest_email', 'guest_name', 'notes', 'manage_link_version']],
    ['card_setups', ['url']],
    ['events', ['body']],
    ['mails', ['attachment']],
    [
      'members',
      [
        'profile_id',
        'pending_tier',
        'pending_tier_at',
        'name',
        'email',
        'accepted_at',
        'next_statement_on',
        'status',
        'autopay',
      ],
    ],
    ['webhook_deliveries', ['response_excerpt']],
  ]);
});

test('every kept, replaced and reduced column exists, and so does the column that identifies the person', (t) => {
  for (const [table, treatment] of Object.entries(PERSONAL_DATA)) {
    if (typeof treatment === 'string') continue;
    const columns = Object.keys(COLUMNS[table as keyof typeof COLUMNS]);
    const named = [...treatment.kept, ...Object.keys({ ...treatment.replaced, ...treatment.reduced })];
    for (const name of [treatment.by[0], ...named]) t.true(columns.includes(name), `${table}.${name}`);
    t.is(new Set(named).size, named.length, table);
  }
});

test('an unlisted column is erased; an unlisted column that cannot be null is an error', (t) => {
  const { bookings } = PERSONAL_DATA;
  if (typeof bookings === 'string') return t.fail();
  const columns = { ...COLUMNS.bookings, phone: { type: 'text', nullable: true } as const };
  t.is(erasureRule('bookings', bookings as never, columns).values.phone, null);
  const required = { ...COLUMNS.bookings, phone: { type: 'text' } as const };
  t.throws(() => erasureRule('bookings', bookings as never, required), { message: /bookings\.phone/ });
});
