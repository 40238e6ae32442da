-- True if a webhook endpoint gets events of a type. `*` stands for EVENT_TYPES of domain/events/types.ts.
CREATE OR REPLACE FUNCTION is_subscribed(w webhook_endpoints,
  type text) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT type = ANY (w.event_types) OR ('*' = ANY (w.event_types)
    AND type IN ('booking.created', 'booking.confirmed',
    'booking.updated', 'booking.change_pending', 'booking.change_lapsed', 'booking.cancelled',
      'booking.expired',
    'booking.completed', 'booking.no_show', 'member.created', 'member.invited', 'member.activated',
      'member.updated',
    'member.tier_changed', 'member.role_changed', 'member.archived', 'member.deleted'))
$$;
