-- Returns the documents that an invoice must have according to its ledger, in the order of their numbers, and
-- those that it has (docs/rules/billing.md#documents), as `DueDocument`s of
-- db/queries/invoices/due-document.ts. A document is issued now, and not before the first document of its
-- invoice. Documents that are issued together with the first one have the times of what they are about.
-- Raises an exception like numbers_known, for supplements and credit notes that must be issued.
CREATE OR REPLACE FUNCTION due_documents(invoice text) RETURNS TABLE (
  source_id text, invoice_id text, kind text, amount_minor bigint, of_payment text, payment_id text,
    at timestamptz, lines json,
  credit jsonb, is_dispute boolean, reason text, number text, issued_minor bigint, is_cancelled boolean,
    basis json
) LANGUAGE sql STABLE AS $$
  WITH due AS (
    -- The invoice itself, recorded when it was opened, or paid at its checkout or the desk.
    SELECT i.id AS source_id, 'invoice' AS kind, 0::bigint AS amount_minor, NULL AS of_payment,
      NULL AS payment_id,
      coalesce((SELECT c.started_at FROM collections c WHERE c.invoice_id = i.id), (
        SELECT min(p.created_at) FROM payments p WHERE p.invoice_id = i.id AND p.kind <> 'refund'
          AND p.status <> 'failed'
          AND p.amount_minor > p.excess_minor), i.paid_at) AS at,
      (SELECT json_agg(line_of_document(l) ORDER BY l.position) FROM invoice_lines l
       WHERE l.invoice_id = i.id AND l.payment_id IS NULL AND l.change_id IS NULL) AS lines,
      NULL::jsonb AS credit, false AS is_dispute,
      (SELECT a.reason FROM adjustments a WHERE a.debit_invoice_id = i.id) AS reason, 0 AS part
    FROM invoices i WHERE i.id = invoice AND is_issued(i)
    UNION ALL
    SELECT p.id, 'supplement', 0, NULL, p.id, p.created_at,
      (SELECT json_agg(line_of_document(l) ORDER BY l.position) FROM invoice_lines l
       WHERE l.invoice_id = p.invoice_id AND l.payment_id = p.id AND (l.change_id IS NULL
         OR is_added_line(l))),
      NULL, false, NULL, 1
    FROM payments p WHERE p.invoice_id = invoice AND p.kind = 'top_up'
      AND EXISTS (SELECT FROM invoice_lines l WHERE l.invoice_id = p.invoice_id AND l.payment_id = p.id)
    UNION ALL
    -- What changes took off without a refund is credited; what they added without a payment is charged.
    SELECT change.id || CASE WHEN added THEN '-added' ELSE '' END,
      CASE WHEN added THEN 'supplement' ELSE 'credit_note' END, 0, NULL, NULL, now(),
      (SELECT json_agg(line_of_document(l) ORDER BY l.position) FROM invoice_lines l
       WHERE l.invoice_id = invoice AND l.change_id = change.id
         AND is_added_line(l) = added), NULL, false, NULL, 1
    FROM (SELECT DISTINCT l.change_id AS id, is_added_line(l) AS added FROM invoice_lines l
          WHERE l.invoice_id = invoice AND l.change_id IS NOT NULL AND (l.payment_id IS NULL
            OR NOT is_added_line(l))) change
    UNION ALL
    -- The refunds of a paid invoice, including what was refunded before it was paid, beyond what was paid in
    -- excess.
    SELECT r.id, 'credit_note',
      greatest(0, r.so_far - r.excess) - greatest(0, r.so_far - r.amount_minor - r.excess), r.refund_of, r.id,
      r.settled_at, NULL, r.credit, false, NULL, 2
    FROM (
      SELECT r.*, p.excess_minor AS excess,
             sum(r.amount_minor) OVER (PARTITION BY r.refund_of ORDER BY r.created_at, r.id) AS so_far
      FROM payments r JOIN payments p ON p.id = r.refund_of
      WHERE r.invoice_id = invoice AND r.kind = 'refund' AND r.status = 'succeeded'
    ) r JOIN invoices i ON i.id = r.invoice_id
    WHERE i.status IN ('paid', 'refunded')
      AND NOT EXISTS (SELECT FROM adjustments a WHERE a.id = r.adjustment_id AND is_valid_credit(a.id))
    UNION ALL
    -- What a bank withdrew for a dispute is credited; what it returned is charged again.
    SELECT id, CASE WHEN taken > 0 THEN 'credit_note'
      ELSE 'supplement' END, abs(taken), NULL, payment_id, created_at, NULL,
      NULL, true, NULL, 2
    FROM (
      SELECT m.id, m.payment_id, m.created_at,
             least(kept, greatest(0, gone)) - least(kept, greatest(0, gone + m.amount_minor)) AS taken
      FROM (
        SELECT m.*, p.amount_minor - p.excess_minor AS kept,
               -sum(m.amount_minor) OVER (PARTITION BY m.payment_id ORDER BY m.created_at, m.id) AS gone
        FROM dispute_movements m JOIN payments p ON p.id = m.payment_id WHERE p.invoice_id = invoice
      ) m
    ) m WHERE taken <> 0
    UNION ALL
    -- A credit includes its refunds. If one of them has failed, the others count as refunds.
    SELECT a.id, 'credit_note', 0, NULL, NULL, a.created_at, a.lines::json, NULL, false, a.reason, 2
    FROM adjustments a WHERE a.invoice_id = invoice AND a.kind = 'credit' AND is_valid_credit(a.id)
  )
  SELECT
    -- A document that is issued again after it was cancelled.
    CASE WHEN d.is_cancelled AND due.kind IS NOT NULL THEN d.source_id || '-again'
      ELSE coalesce(d.source_id, due.source_id) END, invoice, due.kind, due.amount_minor::bigint,
        due.of_payment, due.payment_id,
    greatest(CASE WHEN min(d.issued_at) OVER own IS NULL THEN due.at
      ELSE now() END, min(d.issued_at) OVER own,
      first_value(due.at) OVER (own ORDER BY due.part, due.at)),
    due.lines, due.credit, due.is_dispute, due.reason, CASE WHEN NOT d.is_cancelled THEN d.number END,
    CASE WHEN NOT d.is_cancelled THEN d.total_minor END, coalesce(d.is_cancelled, false),
    CASE WHEN d.number IS NULL OR (due.kind IS NULL) <> d.is_cancelled
      THEN document_basis(invoice, due.kind IS DISTINCT FROM 'invoice') END
  FROM due FULL JOIN (
    SELECT DISTINCT ON (due_source) d.* FROM (
      SELECT d.*, due_source(d) AS due_source, is_cancelled(d) AS is_cancelled
      FROM invoice_documents d WHERE d.invoice_id = invoice AND d.cancels IS NULL
    ) d ORDER BY due_source, is_cancelled, d.source_id DESC
  ) d ON d.due_source = due.source_id
  WINDOW own AS ()
  ORDER BY due.part, due.at, due.source_id
$$;
