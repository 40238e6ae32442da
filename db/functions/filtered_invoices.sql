-- Returns the invoices of a filter, a `StoredFilter` of db/queries/invoices/invoice.ts. Missing fields do not
-- restrict the result. A member sees the invoices that they pay themselves, without drafts; with
-- `sees_bookings` also those of bookings and their adjustments.
CREATE OR REPLACE FUNCTION filtered_invoices(filter jsonb) RETURNS SETOF invoices LANGUAGE sql STABLE AS $$
  SELECT i.* FROM invoices i
  WHERE i.workspace_id = filter ->> 'workspace_id'
    AND (filter ->> 'status' IS NULL OR i.status = filter ->> 'status')
    AND (filter ->> 'company_id' IS NULL OR i.company_id = (filter ->> 'company_id')::uuid)
    AND (filter ->> 'member_id' IS NULL OR i.member_id = filter ->> 'member_id')
    AND (filter ->> 'booking_id' IS NULL OR i.booking_id = filter ->> 'booking_id')
    AND (filter ->> 'kind' IS NULL OR i.kind = filter ->> 'kind')
    AND (filter ->> 'adjusts' IS NULL OR i.adjusts = filter ->> 'adjusts')
    AND (filter ->> 'seen_by' IS NULL OR i.status <> 'draft' AND (
      i.member_id = filter ->> 'seen_by' AND i.company_id IS NULL
      OR (filter ->> 'sees_bookings')::boolean AND (i.booking_id IS NOT NULL
        OR EXISTS (SELECT FROM invoices a WHERE a.id = i.adjusts AND a.booking_id IS NOT NULL))))
    AND (filter -> 'search' IS NULL
      OR i.id = ANY (ARRAY(SELECT f.id FROM invoices_found(filter ->> 'workspace_id', filter -> 'search') f)))
    AND (filter -> 'typed' IS NULL
      OR i.id = ANY (ARRAY(SELECT f.id
        FROM invoices_numbered(filter ->> 'workspace_id', filter -> 'typed') f)))
    AND (filter -> 'reference_words' IS NULL OR i.id = ANY (ARRAY(
      SELECT f.id FROM invoices_with_reference(filter ->> 'workspace_id',
        texts_in(filter -> 'reference_words')) f)))
    AND has_metadata(i.metadata, filter -> 'metadata')
    AND (filter ->> 'from' IS NULL OR i.created_at >= (filter ->> 'from')::timestamptz)
    AND (filter ->> 'to' IS NULL OR i.created_at < (filter ->> 'to')::timestamptz)
    AND (filter ->> 'due_before' IS NULL OR i.status IN ('open', 'authorised')
      AND i.due_at < (filter ->> 'due_before')::timestamptz
      AND NOT EXISTS (SELECT FROM bookings b WHERE b.id = i.booking_id AND b.status = 'pending_payment'))
    AND (filter -> 'issued_only' IS DISTINCT FROM 'true' OR i.status NOT IN ('draft', 'cancelled')
      AND i.total_minor <> 0
      AND NOT EXISTS (SELECT FROM bookings b WHERE b.id = i.booking_id
        AND b.status IN ('pending_payment', 'expired')))
$$;
