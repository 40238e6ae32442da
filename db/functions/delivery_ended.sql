-- True if an event needs no further delivery attempt: a receiver has accepted it, or all retries were made
-- (RETRY_DELAYS_SECONDS of domain/events/webhook-schedule.ts).
CREATE OR REPLACE FUNCTION delivery_ended(event text) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT coalesce(bool_or(d.status_code BETWEEN 200 AND 299) OR count(*) > 9, false)
  FROM webhook_deliveries d WHERE d.event_id = event
$$;
