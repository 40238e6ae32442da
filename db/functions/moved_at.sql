-- Returns when the money of a payment or refund moved (docs/rules/billing.md#dates-of-money): `settled_at`,
-- which is `paid_at` for a manual payment. If no money has moved, it is the time of its creation. Indexes
-- (`payments_moved_page` and others) use the expression itself, because its columns have a precision, which
-- the result of a function does not have.
CREATE OR REPLACE FUNCTION moved_at(p payments) RETURNS timestamptz LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT coalesce(p.settled_at, p.paid_at, p.created_at)
$$;
