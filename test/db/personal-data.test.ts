import test from 'ava';
import { TABLE_ERASURES, tableErasure, PERSONAL_DATA } from '../../db/personal-data/rules.js';
import { columnsOf, ENTITIES } from '../../db/entities.js';

test('every column of a table with personal data is listed as kept, or can be erased', (t) => {
  // A new column that is not listed as kept appears here, if it can be null, or fails to load db/personal-data/.
  // Keep it there, or confirm here that it is erased.
  const changes = TABLE_ERASURES.map(
    ({ table, values, redacted }) => [table, { ...values, ...redacted }] as const,
  );
  t.deepEqual(changes.map(([table, changed]) => [table, Object.keys(changed)]).toSorted(), [
    ['api_keys', ['name']],
    ['audit_log', ['details']],
    ['blackout_bookings', ['note']],
    ['booking_changes', ['client', 'request', 'plan']],
    ['booking_requests', ['stranger', 'client']],
    [
      'bookings',
      [
        'guest_email',
        'guest_address',
        'guest_name',
        'guest_billing',
        'answers',
        'locale',
        'notes',
        'remind_at',
        'manage_link_version',
      ],
    ],
    ['card_setups', ['url']],
    ['events', ['body']],
    ['invoice_documents', ['payer']],
    ['mails', ['attachment']],
    [
      'members',
      [
        'profile_id',
        'name',
        'email',
        'locale',
        'accepted_at',
        'next_statement_on',
        'pending_tier',
        'pending_tier_at',
        'status',
        'autopay',
      ],
    ],
    ['statements', ['payer']],
    ['webhook_deliveries', ['response_excerpt']],
  ]);
});

test('every kept, replaced and redacted column exists, and so does the column that identifies the person', (t) => {
  for (const [table, rule] of Object.entries(PERSONAL_DATA)) {
    if (typeof rule === 'string') continue;
    const columns = Object.keys(columnsOf(ENTITIES[table as keyof typeof ENTITIES]));
    const named = [...rule.kept, ...Object.keys({ ...rule.replaced, ...rule.redacted })];
    for (const name of [rule.by[0], ...named]) t.true(columns.includes(name), `${table}.${name}`);
    t.is(new Set(named).size, named.length, table);
  }
});

test('an unlisted column is erased; an unlisted column that cannot be null is an error', (t) => {
  const { bookings } = PERSONAL_DATA;
  const declared = columnsOf(ENTITIES.bookings);
  if (typeof bookings === 'string') return t.fail();
  const columns = { ...declared, phone: { type: 'text', nullable: true } as const };
  t.is(tableErasure('bookings', bookings as never, columns).values.phone, null);
  const required = { ...declared, phone: { type: 'text' } as const };
  t.throws(() => tableErasure('bookings', bookings as never, required), { message: /bookings\.phone/ });
});
