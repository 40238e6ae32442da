-- The status of a received payment: disputed while a bank has money of it and after a loss, otherwise
-- by its successful refunds.
CREATE OR REPLACE FUNCTION payment_status(p payments) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT CASE WHEN p.disputed_minor > 0
      OR EXISTS (SELECT FROM disputes d WHERE d.payment_id = p.id AND d.status = 'lost') THEN 'disputed'
    ELSE status_by_refunds(p) END
$$;
