-- True for a credit adjustment without failed refunds.
CREATE OR REPLACE FUNCTION is_valid_credit(adjustment text) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT NOT EXISTS (SELECT FROM payments f WHERE f.adjustment_id = adjustment AND f.status = 'failed')
$$;
