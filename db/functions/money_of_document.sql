-- Returns the money that settled a document of an invoice, which may not have been issued (`d` null): the
-- payments that paid the invoice, without what was returned; the refunds of a credit; otherwise the payment
-- or refund that the document is about, or what a bank moved.
CREATE OR REPLACE FUNCTION money_of_document(invoice text, d invoice_documents)
  RETURNS TABLE (source_id text, amount_minor bigint, at timestamptz) LANGUAGE sql STABLE AS $$
  SELECT p.id, p.amount_minor - p.excess_minor, moved_at(p) FROM payments p
  WHERE coalesce(d.kind, 'invoice') = 'invoice' AND p.invoice_id = invoice AND p.kind <> 'refund'
    AND p.status <> 'failed'
    AND p.amount_minor > p.excess_minor
    AND NOT EXISTS (SELECT FROM invoice_lines l WHERE l.invoice_id = invoice AND l.payment_id = p.id)
  UNION ALL
  SELECT r.id, r.amount_minor, r.settled_at FROM payments r
  WHERE d.kind = 'credit_note' AND r.adjustment_id = d.source_id AND r.status = 'succeeded'
  UNION ALL
  SELECT p.id, d.total_minor, coalesce(p.succeeded_at, moved_at(p)) FROM payments p
  WHERE d.kind <> 'invoice' AND p.id = d.source_id
  UNION ALL
  SELECT m.id, d.total_minor, m.created_at FROM dispute_movements m WHERE d.kind <> 'invoice'
    AND m.id = d.source_id
$$;
