-- Returns an invoice with the documents that the accounting system must have, and those that it has, as an
-- `AccountingInvoice` of db/queries/accounting/invoice-view.ts: the invoice's own document, even before it is
-- issued, and its other documents. A credit note for an adjustment is settled by the adjustment's refunds, or
-- by the document that cancels it. A document without an amount is not sent.
CREATE OR REPLACE FUNCTION accounting_invoice(invoice text) RETURNS TABLE (
  id text, workspace_id text, number integer, status text, accounting_error text, currency text,
    accounting_reference text,
  expected json, known json, due_version bigint, is_first_attempt boolean
) LANGUAGE sql STABLE AS $$
  WITH documents AS (
    SELECT i.id AS source_id, 'invoice' AS kind, i.document_number AS number, coalesce(d.total_minor, (
        SELECT sum(l.net_minor + l.tax_minor) FROM invoice_lines l
        WHERE l.invoice_id = i.id AND l.payment_id IS NULL AND l.change_id IS NULL
      ), 0)::bigint AS total_minor, true AS settled, NULL::timestamptz AS at
    FROM invoices i LEFT JOIN invoice_documents d ON d.source_id = i.id WHERE i.id = invoice
    UNION ALL
    SELECT d.source_id, CASE d.kind WHEN 'supplement' THEN 'invoice' ELSE d.kind END, d.number, d.total_minor,
      a.id IS NULL
        OR coalesce((SELECT bool_and(r.status = 'succeeded') FROM payments r
          WHERE r.adjustment_id = a.id), false)
        OR is_cancelled(d),
      d.created_at
    FROM invoice_documents d LEFT JOIN adjustments a ON a.id = d.source_id
    WHERE d.invoice_id = invoice AND d.kind <> 'invoice'
  )
  SELECT i.id, i.workspace_id, i.number, i.status, i.accounting_error, i.currency, i.accounting_reference,
    (SELECT coalesce(json_agg(json_build_object('source_id', source_id, 'kind', kind, 'number', number,
              'total_minor', total_minor, 'settled', settled) ORDER BY at NULLS FIRST, number), '[]')
     FROM documents WHERE total_minor > 0),
    (SELECT coalesce(json_agg(json_build_object('source_id', source_id, 'kind', kind, 'number', number,
              'accounting_id', accounting_id, 'status', status, 'reference', reference, 'total_minor',
                total_minor,
              'outstanding_minor', outstanding_minor, 'credited_minor', credited_minor)), '[]')
     FROM accounting_documents WHERE invoice_id = invoice),
    due.version, due.first_attempt_until IS NOT NULL
  FROM invoices i LEFT JOIN accounting_due due ON due.invoice_id = i.id
  WHERE i.id = invoice
$$;
