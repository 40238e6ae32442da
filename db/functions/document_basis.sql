-- Returns what is needed to issue documents of an invoice, as a `DocumentBasis` of
-- db/queries/invoices/due-document.ts. With `counted` it raises an exception if documents that are not known
-- here may have numbers. This happens in the statement that reads it, so that lost documents are in the same
-- snapshot.
CREATE OR REPLACE FUNCTION document_basis(invoice text,
  counted boolean) RETURNS json LANGUAGE sql STABLE AS $$
  SELECT row_to_json(basis) FROM (
    SELECT i.id AS invoice_id, i.workspace_id, i.document_number,
      (SELECT json_agg(line_of_document(l) ORDER BY l.position) FROM invoice_lines l
        WHERE l.invoice_id = i.id) AS lines,
      (SELECT coalesce(json_agg(json_build_object(
                'source_id', d.source_id, 'kind', d.kind, 'number', d.number, 'lines', d.lines)), '[]')
       FROM invoice_documents d WHERE d.invoice_id = i.id) AS issued,
      (SELECT coalesce(json_agg(line.value), '[]')
        FROM payments r, jsonb_array_elements(r.credit) AS line (value)
       WHERE r.invoice_id = i.id AND r.status = 'pending') AS reserved,
      ARRAY(SELECT d.number FROM invoice_documents d WHERE d.invoice_id = i.id
            UNION SELECT d.number FROM accounting_documents d WHERE d.invoice_id = i.id) AS taken,
      (SELECT coalesce(json_agg(json_build_object('suffix', l.suffix, 'total_minor', l.total_minor)
                ORDER BY length(l.suffix), l.suffix), '[]') FROM lost_documents l
                  WHERE l.invoice_id = i.id) AS lost,
      CASE WHEN counted THEN numbers_known(i.workspace_id) END AS numbers_known,
      json_build_object(
        'currency', i.currency, 'time_zone', coalesce(r.time_zone, w.time_zone), 'reference',
          i.accounting_reference,
        'booking', b.reference,
        'locale', coalesce(CASE WHEN i.company_id IS NULL THEN coalesce(m.locale, b.locale) END, w.locale),
        'parties', i.parties, 'due_at', i.due_at,
        'supplied', CASE
          WHEN b.id IS NOT NULL THEN json_build_object('from', b.start_at, 'to', b.end_at)
          WHEN i.period_start IS NOT NULL
            THEN json_build_object('from', i.period_start, 'to', i.period_end - 1) END,
        'paid', CASE WHEN i.status IN ('paid', 'refunded') THEN (
          SELECT coalesce(json_agg(json_build_object('method', p.method, 'amount_minor', p.amount_minor,
                   'at', moved_at(p)) ORDER BY moved_at(p), p.id), '[]')
          FROM payments p WHERE p.invoice_id = i.id AND p.kind IN ('charge', 'manual')
            AND p.status <> 'failed')
          ELSE '[]' END,
        'payment_instructions', CASE WHEN i.status IN ('open', 'authorised') THEN w.payment_instructions END
      ) AS terms
    FROM invoices i JOIN workspaces w ON w.id = i.workspace_id
      LEFT JOIN bookings b ON b.id = i.booking_id LEFT JOIN rooms r ON r.id = b.room_id
      LEFT JOIN members m ON m.id = i.member_id
    WHERE i.id = invoice) basis
$$;
