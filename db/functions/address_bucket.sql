-- Returns the rate limit bucket of an address. An IPv6 client is identified by its /64.
CREATE OR REPLACE FUNCTION address_bucket(address inet) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT network(set_masklen(address, CASE family(address) WHEN 4 THEN 32 ELSE 64 END))::text
$$;
