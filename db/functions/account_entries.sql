-- Returns the entries of a payer's account: documents, refunds, failed refunds, payments and movements by
-- banks.
CREATE OR REPLACE FUNCTION account_entries(workspace text, company uuid, member text) RETURNS TABLE (
  at timestamptz, kind text, number text, amount_minor bigint, currency text, invoice_id text
) LANGUAGE sql STABLE AS $$
  WITH own AS (
    SELECT i.id, coalesce(i.document_number, b.reference, i.accounting_reference) AS number, i.currency
    FROM invoices i LEFT JOIN bookings b ON b.id = i.booking_id
    WHERE i.workspace_id = workspace AND (i.company_id = company OR (i.company_id IS NULL
      AND i.member_id = member))
  ), refunds AS (
    SELECT CASE r.status WHEN 'succeeded' THEN r.settled_at
      ELSE coalesce(r.succeeded_at, d.issued_at) END AS at,
           CASE r.status WHEN 'failed'
             THEN r.settled_at END AS failed_at, own.number, r.amount_minor, own.currency, own.id
    FROM own JOIN payments r ON r.invoice_id = own.id AND r.kind = 'refund' AND r.status <> 'pending'
    LEFT JOIN invoice_documents d ON d.source_id = r.id
  )
  SELECT d.issued_at, d.kind, d.number, d.total_minor, own.currency, own.id
  FROM own JOIN invoice_documents d ON d.invoice_id = own.id
  UNION ALL
  SELECT at, 'refund', number, amount_minor, currency, id FROM refunds WHERE at IS NOT NULL
  UNION ALL
  SELECT failed_at, 'refund_failed', number, amount_minor, currency, id
  FROM refunds WHERE at IS NOT NULL AND failed_at IS NOT NULL
  UNION ALL
  SELECT moved_at(p), 'payment', own.number, p.amount_minor, own.currency, own.id
  FROM own JOIN payments p ON p.invoice_id = own.id AND p.kind <> 'refund'
    AND p.status NOT IN ('failed', 'pending')
  UNION ALL
  SELECT m.created_at, CASE WHEN m.amount_minor < 0 THEN 'refund'
    ELSE 'payment' END, own.number, abs(m.amount_minor),
         own.currency, own.id
  FROM own JOIN payments p ON p.invoice_id = own.id JOIN dispute_movements m ON m.payment_id = p.id
$$;
