import type { InvoiceRow } from '../../../db/queries/invoices/invoice.js';
import { documentTitle } from '../../../domain/invoices/document.js';
import type { ApiContext } from '../../../api/http/context.js';
import { createFormats } from '../../ui/formats.js';
import { pathIn } from '../shared/paths.js';
import { Table } from '../shared/list.js';

export function DocumentTable({ ctx, invoice }: { ctx: ApiContext; invoice: InvoiceRow }) {
  const { amount, moment } = createFormats(ctx);
  const { id, documents, currency } = invoice;
  return (
    <>
      <h2>Documents</h2>
      <Table
        rows={documents.map((document) => ({ ...document, id: document.source_id }))}
        empty="No documents yet."
        columns={[
          {
            name: 'Document',
            show: (document) => (
              <>
                <a href={pathIn(ctx, `/invoices/${id}/documents/${document.number}.pdf`)}>
                  {documentTitle(document)}
                </a>
                {document.cancelled_at && (
                  <span class="soft">{document.kind === 'invoice' ? ' · void' : ' · cancelled'}</span>
                )}
              </>
            ),
          },
          { name: 'Issued', show: ({ issued_at }) => moment(new Date(issued_at)) },
          {
            name: 'Total',
            number: true,
            show: ({ total_minor }) => amount(total_minor, currency),
          },
        ]}
      />
    </>
  );
}
