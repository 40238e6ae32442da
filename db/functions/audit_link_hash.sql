-- Returns the hash of a link of an audit log's chain. It must not change: the stored hashes have this form.
CREATE OR REPLACE FUNCTION audit_link_hash(previous bytea, link audit_links) RETURNS bytea
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT sha256(previous || int8send(link.position) || int8send(link.entry)
                || timestamptz_send(link.stored_at) || link.digest)
$$;
