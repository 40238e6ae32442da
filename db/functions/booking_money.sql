-- Returns the money of a booking, as the `BookingMoney` of db/queries/bookings/money.ts. Minor units.
CREATE OR REPLACE FUNCTION booking_money(b bookings) RETURNS TABLE (money jsonb) LANGUAGE sql STABLE AS $$
  SELECT jsonb_build_object(
    'currency', b.currency, 'price_minor', b.price_minor, 'hour_credits_used', b.hour_credits_used,
    'paid', (SELECT r.money FROM money_received(b.id, false) r), 'late', (SELECT r.money
      FROM money_received(b.id, true) r),
    'is_on_account', b.account_days IS NOT NULL,
    'methods', ARRAY(SELECT DISTINCT p.method FROM payments p
      WHERE p.booking_id = b.id AND p.kind <> 'refund' AND p.status <> 'failed' AND p.refusal IS NULL
        ORDER BY p.method),
    'owed_minor', (SELECT coalesce(sum(i.total_minor - paid_minor(i)), 0)::bigint FROM invoices i
      WHERE b.account_days IS NOT NULL
        AND i.id IN (SELECT b.invoice_id UNION ALL SELECT r.id FROM invoices r WHERE r.adjusts = b.invoice_id)
        AND i.status IN ('open', 'authorised')))
$$;
