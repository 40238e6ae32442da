import type { ExecutionContext } from 'ava';
import { ACTIONS_OF_EVENT } from '../../db/queries/bookings/timeline.js';
import { DAY_MS } from '../../domain/durations.js';
import { compareBooks } from './books.js';
import type { Finding } from './finding.js';
import type { ProcessorLedger } from './ledgers.js';
import { checkReports } from './report-invariants.js';
import { served } from './served.js';
import { processorLedger } from './simulators.js';
import { db } from './stack.js';
import { until } from './until.js';
import type { TestWorkspace } from './workspaces.js';

/**
 * SQL: no bank has withdrawn a payment. The processor refuses to refund a withdrawn payment; a person decides
 * then.
 */
const NEVER_TAKEN = `NOT EXISTS (SELECT FROM dispute_movements m WHERE m.payment_id = p.id)`;

/**
 * SQL: the audit log has an entry about an event `e` of a booking, stored with it, by the
 * clocks of worker and database.
 */
const IS_AUDITED = `EXISTS (SELECT FROM audit_log a
  WHERE a.workspace_id = e.workspace_id AND a.object = e.object_id AND a.action = ANY (${ACTIONS_OF_EVENT})
    AND a.at BETWEEN e.created_at - interval '3 minutes' AND e.created_at + interval '3 minutes')`;

/** SQL over a document `d`: a credit note takes off. */
const SIGN = `CASE d.kind WHEN 'credit_note' THEN -1 ELSE 1 END`;

/** SQL over a document `d`: its invoice was neither adjusted nor disputed. */
const UNADJUSTED = `NOT EXISTS (SELECT FROM adjustments a
  WHERE a.invoice_id = d.invoice_id AND a.kind = 'credit')
      AND NOT EXISTS (SELECT FROM dispute_movements m JOIN payments p ON p.id = m.payment_id
        WHERE p.invoice_id = d.invoice_id)`;

/** SQL: net and tax of lines in JSON, by tax code and rate. */
const SUMMED = (lines: string): string =>
  `SELECT l.tax_code, l.tax_rate_bps, sum(l.net_minor) AS net_minor, sum(l.tax_minor) AS tax_minor
   FROM jsonb_to_recordset(${lines}) AS l(tax_code text, tax_rate_bps int, net_minor bigint, tax_minor bigint)
   GROUP BY 1, 2`;

/** SQL: what a booking `b` costs, by tax code and rate. */
const PRICED = SUMMED(`coalesce(b.pricing -> 'lines', jsonb_build_array(jsonb_build_object(
  'tax_code', b.tax_code, 'tax_rate_bps', b.tax_rate_bps, 'net_minor', b.net_minor, 'tax_minor',
  b.tax_minor)))`);

/** SQL: what the documents of bookings charge in total, by tax code and rate. */
const CHARGED = `SELECT i.booking_id, l.tax_code, l.tax_rate_bps, sum(${SIGN} * l.net_minor) AS net_minor,
  sum(${SIGN} * l.tax_minor) AS tax_minor
  FROM invoices i JOIN invoice_documents d ON d.invoice_id = i.id
    CROSS JOIN jsonb_to_recordset(d.lines::jsonb) AS l(tax_code text, tax_rate_bps int, net_minor bigint,
      tax_minor bigint)
  WHERE i.workspace_id = $1 AND ${UNADJUSTED} GROUP BY 1, 2, 3`;

/**
 * SQL: all refunds of a booking `b` were by its lines, and neither was its invoice adjusted nor has a bank
 * withdrawn any of its money.
 */
const ONLY_BY_LINES = `NOT EXISTS (SELECT FROM payments r WHERE r.booking_id = b.id AND r.kind = 'refund'
  AND r.status <> 'failed'
        AND r.credit IS NULL AND coalesce(r.purpose, '') NOT IN ('late', 'excess'))
      AND NOT EXISTS (SELECT FROM dispute_movements m JOIN payments p ON p.id = m.payment_id
        WHERE p.booking_id = b.id)
      AND NOT EXISTS (SELECT FROM adjustments a WHERE a.invoice_id = b.invoice_id AND a.kind = 'credit')`;

/** Invariants of a workspace. Each query finds rows that violate it. */
const INVARIANTS: Record<string, string> = {
  'no two live bookings overlap in a room': `
    SELECT a.id, b.id AS other FROM bookings a JOIN bookings b
      ON a.room_id = b.room_id AND a.id < b.id
        AND tstzrange(a.start_at, a.end_at) && tstzrange(b.start_at, b.end_at)
    WHERE a.workspace_id = $1 AND a.live_room_id IS NOT NULL AND b.live_room_id IS NOT NULL`,
  'no two live bookings overlap in rooms of which one includes the other or a part of it': `
    WITH RECURSIVE below AS (
      SELECT id AS room_id, id AS part FROM rooms WHERE workspace_id = $1
      UNION SELECT below.room_id, part.id FROM below
      JOIN rooms r ON r.id = below.part, unnest(r.parts) AS part (id)),
    pairs AS MATERIALIZED (
      SELECT DISTINCT x.room_id AS one, y.room_id AS other FROM below x
      JOIN below y ON y.part = x.part AND x.room_id < y.room_id),
    live AS MATERIALIZED (
      SELECT * FROM bookings WHERE workspace_id = $1 AND live_room_id IS NOT NULL
        AND room_id IN (SELECT one FROM pairs UNION SELECT other FROM pairs))
    SELECT a.id, b.id AS other FROM pairs JOIN live a ON a.room_id = one
    JOIN live b ON b.room_id = pairs.other
    WHERE tstzrange(a.start_at, a.end_at) && tstzrange(b.start_at, b.end_at)`,
  'rooms claim the rooms without parts below them, and a part itself': `
    WITH RECURSIVE below AS (
      SELECT id AS room_id, id AS part FROM rooms WHERE workspace_id = $1
      UNION SELECT below.room_id, part.id FROM below
      JOIN rooms r ON r.id = below.part, unnest(r.parts) AS part (id)),
    due AS (
      SELECT b.room_id, b.part AS leaf_id FROM below b
      JOIN rooms leaf ON leaf.id = b.part AND leaf.parts = '{}'
      WHERE b.room_id <> b.part OR EXISTS (SELECT FROM rooms o WHERE o.workspace_id = $1
        AND b.part = ANY (o.parts)))
    SELECT * FROM due
    FULL JOIN (SELECT l.* FROM room_leaves l JOIN rooms ON rooms.id = l.room_id AND workspace_id = $1) stored
      USING (room_id, leaf_id) WHERE due IS NULL OR stored IS NULL`,
  'a claim of a room has a claim of each of its leaves, unless its time is over': `
    SELECT c.booking_id, l.leaf_id FROM room_leaves l JOIN rooms r ON r.id = l.room_id
    JOIN slot_claims c ON c.room_id = r.id
    WHERE r.workspace_id = $1 AND upper(c.during) > now() AND NOT EXISTS (SELECT FROM part_claims p
      WHERE (p.booking_id, p.room_id, p.during, p.leaf_id) = (c.booking_id, c.room_id, c.during, l.leaf_id))`,
  'a live booking has its slot claim, an expired one none': `
    SELECT b.id FROM bookings b WHERE b.workspace_id = $1 AND (b.status IN ('pending_payment', 'confirmed'))
      <> EXISTS (SELECT FROM slot_claims c WHERE c.booking_id = b.id) AND b.status <> 'completed'`,
  'a hold never outlives the booked time, nor a pending change the new one': `
    SELECT b.id FROM bookings b WHERE b.workspace_id = $1 AND b.status = 'pending_payment'
      AND b.expires_at > b.end_at
    UNION ALL SELECT c.id FROM booking_changes c WHERE c.workspace_id = $1 AND c.state = 'pending'
      AND c.expires_at > to_timestamp((c.plan #>> '{move,end_at}')::bigint / 1000.0)`,
  'what somebody did to a booking is in the audit log': `
    SELECT e.id, e.type FROM events e WHERE e.workspace_id = $1 AND ${ACTIONS_OF_EVENT} IS NOT NULL
      AND NOT ${IS_AUDITED}`,
  'a published booking has its invoice, an unpublished one nothing': `
    SELECT b.id FROM bookings b WHERE b.workspace_id = $1
      AND (b.published_at IS NOT NULL) <> EXISTS (SELECT FROM invoices i WHERE i.booking_id = b.id)`,
  'a confirmed booking is paid, an expired one is void': `
    SELECT b.id, b.status, i.status FROM bookings b JOIN invoices i ON i.id = b.invoice_id
    WHERE b.workspace_id = $1 AND b.account_days IS NULL AND i.status <> ALL (CASE b.status
      WHEN 'pending_payment' THEN '{open,authorised}' WHEN 'expired' THEN '{void}'
      WHEN 'cancelled' THEN '{void,paid,refunded}' ELSE '{paid,refunded}' END::text[])`,
  'a booking on account is never pending, and its invoice is void only if it was cancelled, or voided once it was over': `
    SELECT b.id FROM bookings b JOIN invoices i ON i.id = b.invoice_id
    WHERE b.workspace_id = $1 AND b.account_days IS NOT NULL
      AND (b.status = 'pending_payment' OR (i.status = 'void' AND b.status <> 'cancelled'
        AND NOT (b.status = 'completed' AND EXISTS (SELECT FROM audit_log a WHERE a.object = i.id
          AND a.action = 'invoice.voided'))))`,
  'a booking without a change in progress has one slot claim': `
    SELECT b.id FROM bookings b WHERE b.workspace_id = $1 AND b.live_room_id IS NOT NULL
      AND (SELECT count(*) FROM slot_claims c WHERE c.booking_id = b.id) <> 1
      AND NOT EXISTS (SELECT FROM booking_changes c WHERE c.booking_id = b.id
        AND c.state IN ('charging', 'opening', 'pending'))`,
  'a change that waits for its payer has both slots and a checkout of its difference': `
    SELECT c.id FROM booking_changes c LEFT JOIN checkouts k ON k.change_id = c.id
    JOIN bookings b ON b.id = c.booking_id
    WHERE c.workspace_id = $1 AND c.state = 'pending'
      AND (k.state IS DISTINCT FROM 'open' OR b.status <> 'confirmed'
      OR k.amount_minor IS DISTINCT FROM (c.plan #>> '{move,difference,total_minor}')::bigint
      OR (SELECT count(*) FROM slot_claims s WHERE s.booking_id = b.id) <> CASE
        WHEN (c.plan #>> '{move,room_id}', c.plan #>> '{move,start_at}', c.plan #>> '{move,end_at}') =
          (b.room_id::text,
          (extract(epoch FROM b.start_at) * 1000)::bigint::text,
          (extract(epoch FROM b.end_at) * 1000)::bigint::text)
        THEN 1 ELSE 2 END)`,
  'bookings have at most the stock of an extra at a time, unless it was changed': `
    SELECT x.id FROM extras x WHERE x.workspace_id = $1
      AND x.stock < extra_taken(x.id, '(,)', '{}')
      AND NOT EXISTS (SELECT FROM audit_log a WHERE a.object = x.id::text AND a.action = 'extra.updated'
                      AND a.details -> 'after' ? 'stock')`,
  'a booking without a change in progress has claimed its extras, an expired or cancelled one none': `
    SELECT b.id FROM bookings b WHERE b.workspace_id = $1
      AND NOT EXISTS (SELECT FROM booking_changes c WHERE c.booking_id = b.id
        AND c.state IN ('charging', 'opening', 'pending'))
      AND (SELECT array_agg(row(c.extra_id, c.quantity)::text ORDER BY c.extra_id) FROM extra_claims c
        WHERE c.booking_id = b.id)
        IS DISTINCT FROM (SELECT array_agg(row(e.extra_id, e.quantity)::text ORDER BY e.extra_id)
          FROM jsonb_to_recordset(b.pricing -> 'extras') AS e (extra_id uuid, quantity integer)
          WHERE b.status IN ('pending_payment', 'confirmed', 'completed'))`,
  'a booking with a code has redeemed it, one that has ended unpaid has not': `
    SELECT b.id FROM bookings b LEFT JOIN discount_redemptions u ON u.booking_id = b.id
    WHERE b.workspace_id = $1
      -- A free one keeps the use only if the terms refund less than all of it.
      AND NOT (b.price_minor = 0 AND b.status = 'cancelled' AND b.confirmed_at IS NOT NULL)
      AND u.discount_id::text IS DISTINCT FROM CASE
      WHEN b.status = 'expired' OR b.status = 'cancelled' AND (b.confirmed_at IS NULL OR EXISTS (
        SELECT FROM invoices i WHERE i.id = b.invoice_id AND i.status = 'void'
          AND NOT EXISTS (SELECT FROM invoices kept WHERE kept.adjusts = i.id))) THEN NULL
      ELSE b.pricing #>> '{discount,discount_id}' END`,
  'a code is used at most as often as it can be, also by one payer, unless that was changed': `
    SELECT d.id FROM discounts d WHERE d.workspace_id = $1
      AND ((SELECT count(*) FROM discount_redemptions u WHERE u.discount_id = d.id) > d.max_uses
        OR EXISTS (SELECT FROM discount_redemptions u JOIN bookings b ON b.id = u.booking_id
          WHERE u.discount_id = d.id
          AND num_nonnulls(b.member_id, b.guest_email) > 0
          GROUP BY coalesce(b.member_id, b.guest_address, lower(b.guest_email))
          HAVING count(*) > d.max_uses_per_payer))
      AND NOT EXISTS (SELECT FROM audit_log a WHERE a.object = d.id::text AND a.action = 'discount.updated')
      AND NOT EXISTS (SELECT FROM audit_log a WHERE a.workspace_id = $1
        AND a.action = 'booking.guest_corrected')`,
  'the checkout of a change that has ended is paid unless the desk was, or is not open any more': `
    SELECT k.id, k.state, c.state FROM checkouts k JOIN booking_changes c ON c.id = k.change_id
      LEFT JOIN payments p ON p.id = c.outcome ->> 'payment_id'
    WHERE k.workspace_id = $1 AND c.state IN ('done', 'refused')
      AND (c.state = 'done' AND k.state <> 'paid' AND (p.id IS NULL OR p.account_id IS NOT NULL)
        OR k.state IN ('opening', 'open'))`,
  'a change that is charged has its charge, and none has a charge and a page that can be paid': `
    SELECT c.id, c.state, k.state AS charge, l.state AS link FROM booking_changes c
      LEFT JOIN checkouts k ON k.charged_change_id = c.id LEFT JOIN checkouts l ON l.change_id = c.id
    WHERE c.workspace_id = $1
      AND (c.state = 'charging' AND coalesce(k.state, 'lost') NOT IN ('opening', 'processing')
      OR k.state IN ('opening', 'processing') AND l.state IN ('opening', 'open')
      OR k.state = 'paid' AND l.state = 'paid' OR k.state IN ('open', 'abandoned'))`,
  'a change that was charged has a paid attempt, or a payment at the desk': `
    SELECT c.id FROM booking_changes c
    WHERE c.workspace_id = $1 AND (c.outcome ->> 'charged_minor')::bigint > 0
      AND NOT EXISTS (SELECT FROM payments p WHERE p.id = c.outcome ->> 'payment_id' AND p.account_id IS NULL
        AND p.amount_minor = (c.outcome ->> 'charged_minor')::bigint)
      AND NOT EXISTS (SELECT FROM checkouts k WHERE c.id IN (k.change_id, k.charged_change_id)
        AND k.state = 'paid'
        AND k.amount_minor = (c.outcome ->> 'charged_minor')::bigint)`,
  'no change is paid twice': `
    SELECT c.id FROM booking_changes c WHERE c.workspace_id = $1 AND c.state = 'done'
      AND (SELECT count(*) FROM payments p WHERE p.booking_id = c.booking_id AND p.kind = 'top_up') >
        (SELECT count(*) FROM booking_changes d WHERE d.booking_id = c.booking_id AND d.kind = 'change'
          AND d.outcome ->> 'payment_id' IS NOT NULL)`,
  'a paid invoice has its total': `
    SELECT i.id FROM invoices i WHERE i.workspace_id = $1 AND i.status IN ('paid', 'refunded')
      AND i.total_minor <>
      (SELECT coalesce(sum(p.amount_minor - p.excess_minor), 0) FROM payments p
       WHERE p.invoice_id = i.id AND p.kind <> 'refund' AND p.status <> 'failed')`,
  // Processors date money by the second, so it can seem to have come before a free booking was confirmed.
  'a paid invoice is paid when its latest money came': `
    SELECT i.id FROM invoices i, LATERAL (
      SELECT max(moved_at(p)) AS at FROM payments p WHERE p.invoice_id = i.id AND p.kind <> 'refund'
        AND p.status <> 'failed' AND p.amount_minor > p.excess_minor) money
    WHERE i.workspace_id = $1 AND i.status IN ('paid', 'refunded')
      AND i.paid_at NOT BETWEEN money.at AND money.at + interval '1 second'`,
  'no document is dated before its invoice': `
    SELECT d.number FROM invoice_documents d JOIN invoice_documents i ON i.source_id = d.invoice_id
    WHERE d.workspace_id = $1 AND d.issued_at < i.issued_at`,
  'a refused charge to a card on file has a failed payment, a successful one is paid': `
    SELECT c.id FROM checkouts c WHERE c.workspace_id = $1 AND c.payment_method_id IS NOT NULL AND
      (c.refusal_code IS NOT NULL) <> (c.state = 'closed')`,
  'a card is on file or to be detached': `
    SELECT c.setup_id FROM cards c JOIN removed_cards r USING (setup_id) WHERE c.workspace_id = $1`,
  'one charge or hosted page at a time': `
    SELECT c.invoice_id FROM checkouts c WHERE c.workspace_id = $1 AND c.invoice_id IS NOT NULL
      AND c.state IN ('opening', 'open', 'processing') GROUP BY c.invoice_id HAVING count(*) > 1`,
  'a collection is charging while its charge is in progress, otherwise it is looked at soon': `
    SELECT c.invoice_id, c.status, c.notify_at, k.state FROM collections c LEFT JOIN checkouts k
      ON k.invoice_id = c.invoice_id AND k.payment_method_id IS NOT NULL
        AND k.state IN ('opening', 'processing')
    WHERE c.workspace_id = $1 AND (c.status = 'charging') <> (k.id IS NOT NULL)
      AND NOT coalesce(c.notify_at < now() + interval '10 minutes', false)`,
  'the collection of an invoice that is settled ends soon, unless a bank decides about its charge': `
    SELECT c.invoice_id, c.status, i.status FROM collections c JOIN invoices i ON i.id = c.invoice_id
    WHERE c.workspace_id = $1 AND i.status NOT IN ('open', 'authorised')
      AND c.status NOT IN ('charging', 'ended')
      AND NOT coalesce(c.notify_at < now() + interval '10 minutes', false)`,
  'payments beyond the amount due are refunded': `
    SELECT p.id FROM payments p WHERE p.workspace_id = $1 AND p.kind <> 'refund'
      AND p.excess_minor > p.refunded_minor AND ${NEVER_TAKEN}`,
  'money that is kept has paid its invoice': `
    SELECT p.id FROM payments p LEFT JOIN invoices i ON i.id = p.invoice_id
    WHERE p.workspace_id = $1 AND p.kind <> 'refund' AND p.status <> 'failed' AND p.refusal IS NULL
      AND p.account_id IS NOT NULL AND p.amount_minor > p.excess_minor
      AND coalesce(i.status, '') NOT IN ('paid', 'refunded')`,
  'the refunded amount of a payment is the sum of its refunds and at most its amount': `
    SELECT p.id FROM payments p WHERE p.workspace_id = $1 AND p.kind <> 'refund' AND p.refunded_minor <>
      (SELECT coalesce(sum(r.amount_minor), 0) FROM payments r
        WHERE r.refund_of = p.id AND r.status <> 'failed')`,
  'what banks have taken of a payment is what its disputes moved': `
    SELECT p.id FROM payments p WHERE p.workspace_id = $1 AND p.disputed_minor <>
      (SELECT coalesce(-sum(m.amount_minor), 0) FROM dispute_movements m WHERE m.payment_id = p.id)`,
  'a payment is disputed while a bank has its money and after a loss': `
    SELECT p.id FROM payments p WHERE p.workspace_id = $1 AND (p.status = 'disputed') <> (p.disputed_minor > 0
      OR EXISTS (SELECT FROM disputes d WHERE d.payment_id = p.id AND d.status = 'lost'))`,
  'an invoice is the sum of its lines': `
    SELECT i.id FROM invoices i WHERE i.workspace_id = $1 AND (i.net_minor, i.tax_minor) IS DISTINCT FROM
      (SELECT (sum(l.net_minor)::bigint, sum(l.tax_minor)::bigint) FROM invoice_lines l
        WHERE l.invoice_id = i.id)`,
  'documents that are credited in full are credited per tax code exactly as charged': `
    SELECT d.invoice_id, l.tax_code FROM invoice_documents d
      CROSS JOIN jsonb_to_recordset(d.lines::jsonb) AS l(tax_code text, tax_rate_bps int, net_minor bigint,
        tax_minor bigint)
    WHERE d.workspace_id = $1
      AND (SELECT sum(CASE kind WHEN 'credit_note' THEN -total_minor ELSE total_minor END)
        FROM invoice_documents a
           WHERE a.invoice_id = d.invoice_id) = 0
      AND NOT EXISTS (SELECT FROM adjustments a WHERE a.invoice_id = d.invoice_id AND a.kind = 'credit')
      AND NOT EXISTS (SELECT FROM dispute_movements m JOIN payments p ON p.id = m.payment_id
        WHERE p.invoice_id = d.invoice_id)
    GROUP BY d.invoice_id, l.tax_code, l.tax_rate_bps
    HAVING sum(CASE d.kind WHEN 'credit_note' THEN -l.net_minor ELSE l.net_minor END) <> 0
      OR sum(CASE d.kind WHEN 'credit_note' THEN -l.tax_minor ELSE l.tax_minor END) <> 0`,
  'no tax code is credited more than was charged': `
    SELECT d.invoice_id, l.tax_code FROM invoice_documents d
      CROSS JOIN jsonb_to_recordset(d.lines::jsonb) AS l(tax_code text, tax_rate_bps int, net_minor bigint,
        tax_minor bigint)
    WHERE d.workspace_id = $1 AND ${UNADJUSTED}
    GROUP BY d.invoice_id, l.tax_code, l.tax_rate_bps
    HAVING sum(${SIGN} * l.net_minor) < 0 OR sum(${SIGN} * l.tax_minor) < 0`,
  'the documents of a paid invoice are the money that is kept for it': `
    SELECT i.id FROM invoices i JOIN invoice_documents d ON d.invoice_id = i.id
    WHERE i.workspace_id = $1 AND i.status IN ('paid', 'refunded') AND ${UNADJUSTED}
      AND NOT EXISTS (SELECT FROM payments r WHERE r.invoice_id = i.id AND r.kind = 'refund'
        AND r.status = 'pending')
    GROUP BY i.id HAVING sum(${SIGN} * d.total_minor) <> (
      SELECT sum(p.amount_minor - greatest(p.excess_minor, p.refunded_minor)) FROM payments p
      WHERE p.invoice_id = i.id AND p.kind <> 'refund' AND p.status <> 'failed')`,
  'the documents of a booking charge at least what it has, by tax code, unless a refund was of no lines': `
    WITH charged AS (${CHARGED})
    SELECT b.id, has.* FROM bookings b CROSS JOIN LATERAL (${PRICED}) has
      LEFT JOIN charged c ON (c.booking_id, c.tax_code, c.tax_rate_bps) = (b.id, has.tax_code,
        has.tax_rate_bps)
    WHERE b.workspace_id = $1 AND b.status IN ('confirmed', 'completed') AND b.account_days IS NULL
      AND has.net_minor + has.tax_minor > coalesce(c.net_minor + c.tax_minor, 0) AND ${ONLY_BY_LINES}`,
  'documents that charge no more than a booking costs charge its net and tax, by tax code, unless a refund was of no lines': `
    WITH charged AS (${CHARGED})
    SELECT b.id FROM bookings b
    WHERE b.workspace_id = $1 AND b.status IN ('confirmed', 'completed') AND b.account_days IS NULL
      AND ${ONLY_BY_LINES}
      AND b.price_minor = (SELECT sum(c.net_minor + c.tax_minor) FROM charged c WHERE c.booking_id = b.id)
      AND EXISTS (SELECT * FROM (${PRICED}) has WHERE (has.net_minor, has.tax_minor) <> (0, 0)
                  EXCEPT SELECT c.tax_code, c.tax_rate_bps, c.net_minor, c.tax_minor FROM charged c
                    WHERE c.booking_id = b.id)`,
  'a credit note takes off what its refund does, by tax code, unless another refund was of no lines': `
    SELECT r.id FROM payments r JOIN invoice_documents d ON d.source_id = r.id
    JOIN bookings b ON b.id = r.booking_id
    WHERE r.workspace_id = $1 AND r.credit IS NOT NULL AND d.total_minor = r.amount_minor AND ${ONLY_BY_LINES}
      AND EXISTS (${SUMMED('r.credit')} EXCEPT ${SUMMED('d.lines::jsonb')})`,
  'the lines of a booking with rates or extras sum to its price': `
    SELECT b.id FROM bookings b WHERE b.workspace_id = $1 AND b.pricing IS NOT NULL
      AND (b.net_minor, b.tax_minor) IS DISTINCT FROM (SELECT (sum(l.net_minor)::bigint,
        sum(l.tax_minor)::bigint)
        FROM jsonb_to_recordset(b.pricing -> 'lines') AS l(net_minor bigint, tax_minor bigint))`,
  'invoice numbers have no gaps but the recorded ones': `
    SELECT n FROM generate_series(1, (SELECT max(number) FROM invoices WHERE workspace_id = $1)) n
    WHERE (SELECT count(*) FROM invoices i WHERE i.workspace_id = $1 AND i.number = n)
        + (SELECT count(*) FROM invoice_number_gaps g
           WHERE g.workspace_id = $1 AND n BETWEEN g.first_number AND g.last_number) <> 1`,
  'document numbers have no gaps but the recorded ones: each is that of a document, or of an invoice that ended without one': `
    SELECT n, i.id, i.document_number FROM generate_series(1, (
      SELECT max(last_document_number) FROM invoice_counters WHERE workspace_id = $1)) n
    LEFT JOIN invoices i ON i.workspace_id = $1 AND i.document_ordinal = n
    WHERE CASE WHEN i.id IS NULL
      THEN NOT EXISTS (SELECT FROM document_number_gaps g
        WHERE g.workspace_id = $1 AND n BETWEEN g.first_number AND g.last_number)
      ELSE i.document_number !~ ('^[A-Z0-9]{1,8}-' || n || '$')
        OR NOT EXISTS (SELECT FROM invoice_documents d WHERE d.invoice_id = i.id
          AND starts_with(d.number, i.document_number))
          AND i.status NOT IN ('void', 'cancelled')
          AND NOT EXISTS (SELECT FROM accounting_documents a WHERE a.source_id = i.id) END`,
  'an invoice has its document number from when it is issued or sent to the books, and its document has it': `
    SELECT i.id, i.document_number, d.number FROM invoices i
    LEFT JOIN invoice_documents d ON d.source_id = i.id
    WHERE i.workspace_id = $1 AND (d.number <> i.document_number OR i.document_number IS NULL
      AND (d.number IS NOT NULL
      OR EXISTS (SELECT FROM accounting_documents a WHERE a.source_id = i.id)))`,
  'refused payments are refunded in full': `
    SELECT p.id FROM payments p WHERE p.workspace_id = $1 AND p.refusal IS NOT NULL AND ${NEVER_TAKEN}
      AND p.amount_minor <>
      (SELECT coalesce(sum(r.amount_minor), 0) FROM payments r
        WHERE r.refund_of = p.id AND r.status <> 'failed')`,
  'the events of a booking match its status': `
    SELECT b.id FROM bookings b WHERE b.workspace_id = $1 AND b.published_at IS NOT NULL AND
      (SELECT array_agg(e.type ORDER BY e.sequence) FROM events e
       WHERE e.object_id = b.id AND e.type NOT IN ('booking.updated', 'booking.no_show',
         'booking.change_pending', 'booking.change_lapsed')) <> CASE b.status
        WHEN 'pending_payment' THEN '{booking.created}'
        WHEN 'expired' THEN '{booking.created,booking.expired}'
        WHEN 'cancelled' THEN CASE WHEN b.confirmed_at IS NULL THEN '{booking.created,booking.cancelled}'
                              ELSE '{booking.created,booking.confirmed,booking.cancelled}' END
        WHEN 'confirmed' THEN '{booking.created,booking.confirmed}'
        WHEN 'completed' THEN '{booking.created,booking.confirmed,booking.completed}' ELSE '{}' END::text[]`,
};

/** Reconciles the last month of a workspace, which settles what the ledger lacks, and returns the report. */
export function reconcile({ api }: TestWorkspace) {
  const [from, to] = [-30, 1].map((days) => new Date(Date.now() + days * DAY_MS).toISOString());
  // 202 while it is running.
  return until(async () => {
    const { status, body } = await served(() => api.get(`/v1/reconciliation?from=${from}&to=${to}`));
    return status === 200 && body;
  });
}

/** Checks the invariants of a workspace in a database, and compares it with processor and books. */
export async function* checkInvariants(workspace: TestWorkspace, database = db): AsyncGenerator<Finding> {
  for (const [invariant, query] of Object.entries(INVARIANTS))
    yield { invariant, found: await database.query(query, [workspace.id]), expected: [] };
  if (workspace.accountId) yield* checkMoney(workspace, database);
  const { waiting, different } = await compareBooks(workspace.id, database);
  yield { invariant: 'the books have settled', found: waiting, expected: [] };
  yield {
    invariant: 'the books are the documents, by tax type, and have their money by month',
    found: different,
    expected: [],
  };
}

/** Compares the payments of a workspace with the processor's charges. */
async function* checkMoney(workspace: TestWorkspace, database: typeof db): AsyncGenerator<Finding> {
  const { charges, refunds } = await processorLedger(workspace);
  yield { invariant: 'for each purpose at most one charge is kept', found: keptTwice(charges), expected: [] };
  yield { invariant: 'no refund is made twice', found: refundedTwice(refunds), expected: [] };
  const theirs = charges
    .filter((charge) => charge.status === 'succeeded')
    .map((charge) => [charge.payment_intent, charge.amount, charge.amount_refunded])
    .sort();
  const ours = await database.query(
    `SELECT processor_payment_intent_id, amount_minor,
            (SELECT coalesce(sum(r.amount_minor), 0)::bigint FROM payments r
              WHERE r.refund_of = p.id AND r.status <> 'failed')
              AS refunded
     FROM payments p WHERE workspace_id = $1 AND kind <> 'refund' AND account_id IS NOT NULL
       AND status <> 'failed'`,
    [workspace.id],
  );
  const ledger = ours
    .map((row: { processor_payment_intent_id: string; amount_minor: number; refunded: number }) => [
      row.processor_payment_intent_id,
      row.amount_minor,
      row.refunded,
    ])
    .sort();
  yield { invariant: "our ledger equals the processor's", found: ledger, expected: theirs };
  const report = await reconcile(workspace);
  yield { invariant: 'the reconciliation finds nothing', found: report.differences, expected: [] };
  yield* checkReports(workspace, database);
}

type Charges = ProcessorLedger['charges'];

/** The values that a list contains more than once. */
const repeated = (values: (string | null)[]): string[] =>
  values.filter((value, n) => value !== null && values.indexOf(value) !== n) as string[];

/** The purposes of more than one charge: a booking, a change to one, or an invoice. */
export const repeatedPurposes = (charges: Charges): string[] =>
  repeated(
    charges
      .filter(({ status }) => status === 'succeeded')
      .map(({ metadata }) => metadata.change_id ?? metadata.invoice_id ?? metadata.booking_id ?? null),
  );

/** The purposes for which the processor has more than one charge. */
const keptTwice = (charges: Charges): string[] =>
  repeatedPurposes(charges.filter(({ amount, amount_refunded }) => amount_refunded < amount));

/**
 * Our refunds that the processor has made more than once: same payment, purpose, amount, ordinal and request.
 */
const refundedTwice = (refunds: ProcessorLedger['refunds']): string[] =>
  repeated(
    refunds
      .filter(({ status }) => status !== 'failed' && status !== 'canceled')
      .map(({ payment_intent, amount, metadata }) =>
        metadata?.ordinal
          ? [payment_intent, metadata.purpose, amount, metadata.ordinal, metadata.request].join(' ')
          : null,
      ),
  );

/** Requires that the invariants of a workspace hold, in the stack's database unless another is given. */
export async function sweep(t: ExecutionContext, workspace: TestWorkspace, database = db): Promise<void> {
  for await (const { invariant, found, expected } of checkInvariants(workspace, database))
    t.deepEqual(found, expected, invariant);
}
