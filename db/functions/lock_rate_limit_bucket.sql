-- Returns a bucket, locked until the transaction ends; it is created full if it does not exist.
CREATE OR REPLACE FUNCTION lock_rate_limit_bucket(bucket text) RETURNS rate_limit_buckets
  LANGUAGE plpgsql AS $$
DECLARE
  locked rate_limit_buckets;
BEGIN
  LOOP
    SELECT * INTO locked FROM rate_limit_buckets WHERE id = bucket FOR NO KEY UPDATE;
    IF FOUND THEN RETURN locked; END IF;
    INSERT INTO rate_limit_buckets (id, tokens, refilled_at) VALUES (bucket, 'Infinity', now())
    ON CONFLICT DO NOTHING;
  END LOOP;
END $$;
