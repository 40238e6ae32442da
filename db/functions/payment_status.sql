-- Returns the status of a received payment: disputed while a bank has some of its money and after a loss,
-- otherwise according to its successful refunds.
CREATE OR REPLACE FUNCTION payment_status(p payments) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT CASE WHEN p.disputed_minor > 0
      OR EXISTS (SELECT FROM disputes d WHERE d.payment_id = p.id AND d.status = 'lost') THEN 'disputed'
    ELSE status_by_refunds(p) END
$$;
