import test from 'ava';
import { withScratchDatabase } from '../support/scratch-database.js';

/** References to rows of growing tables that no statement follows backwards. */
const NOT_FOLLOWED = [
  // An invoice names its booking.
  'bookings.invoice_id',
  // Among a workspace's bookings that are being created.
  'bookings.company_id',
  'card_setups.company_id',
  // The lines of an invoice are read together.
  'invoice_lines.payment_id',
  // Deleted by age.
  'sign_in_links.profile_id',
  // With the workspace, in an index of those that are not invoiced.
  'subscription_charges.company_id',
  'subscription_charges.member_id',
  'tier_changes.invoice_id',
];
const GROWING = [
  'adjustments',
  'bookings',
  'companies',
  'events',
  'invoices',
  'members',
  'payments',
  'profiles',
];

test('rows are found by their references without scanning their table', async (t) => {
  await withScratchDatabase(async (scratch) => {
    const references: { name: string }[] = await scratch.query(
      `SELECT c.conrelid::regclass || '.' || a.attname AS name
       FROM pg_constraint c
       JOIN pg_attribute a ON a.attrelid = c.conrelid AND a.attnum = ANY (c.conkey)
       WHERE c.contype = 'f' AND c.confrelid::regclass::text = ANY ($1) AND cardinality(c.conkey) = 1
         AND NOT EXISTS (SELECT FROM pg_index i WHERE i.indrelid = c.conrelid AND i.indkey[0] = a.attnum)`,
      [GROWING],
    );
    t.deepEqual(references.map(({ name }) => name).toSorted(), NOT_FOLLOWED.toSorted());
  });
});
