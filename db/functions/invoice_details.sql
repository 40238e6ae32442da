-- Returns what an invoice has in addition to its row: the amount paid towards it, its collection, whether its
-- payer has a card on file, its lines, its documents as lists show them, and the statements that list it.
CREATE OR REPLACE FUNCTION invoice_details(i invoices) RETURNS TABLE (
  paid_minor bigint, collection json, has_card boolean, lines json, documents json, statements json
) LANGUAGE sql STABLE AS $$
  SELECT paid_minor(i),
    (SELECT json_build_object('status', c.status, 'next_at', c.next_at, 'attempts', c.attempts,
      'mailed_at', c.mailed_at)
     FROM collections c WHERE c.invoice_id = i.id),
    EXISTS (SELECT FROM cards k JOIN workspaces w ON w.id = k.workspace_id
      AND w.processor_account_id = k.account_id
      WHERE k.workspace_id = i.workspace_id
        AND (k.company_id = i.company_id OR (i.company_id IS NULL AND k.member_id = i.member_id))),
    (SELECT json_agg(l ORDER BY l.position) FROM invoice_lines l WHERE l.invoice_id = i.id),
    (SELECT coalesce(json_agg(json_build_object(
              'source_id', d.source_id, 'kind', d.kind, 'number', d.number, 'issued_at', d.issued_at,
              'net_minor', d.net_minor, 'tax_minor', d.tax_minor, 'total_minor', d.total_minor,
              'payment_id', d.payment_id, 'accounting_id', a.accounting_id, 'cancelled_at', c.issued_at)
            ORDER BY d.kind <> 'invoice', d.created_at, d.issued_at, d.number), '[]')
     FROM invoice_documents d LEFT JOIN accounting_documents a ON a.source_id = d.source_id
       LEFT JOIN invoice_documents c ON c.cancels = d.source_id AND c.invoice_id = i.id
         WHERE d.invoice_id = i.id),
    (SELECT coalesce(json_agg(json_build_object('number', s.number, 'issued_at', s.issued_at, 'total_minor', (
              SELECT coalesce(sum((o ->> 'total_minor')::bigint - (o ->> 'paid_minor')::bigint), 0)
              FROM jsonb_array_elements(s.content -> 'open') o WHERE o ->> 'currency' = i.currency))
            ORDER BY s.issued_at, s.id), '[]')
     FROM statement_invoices l JOIN statements s ON s.id = l.statement_id WHERE l.invoice_id = i.id)
$$;
