import type { Refund } from '../../db/queries/billing/refund.js';
import { documentTitle, type ListedDocument } from '../../domain/invoice-document.js';
import { amountOf } from '../ui/parts.js';

interface Props {
  documents: Pick<ListedDocument, 'kind' | 'number'>[];
  refunds: Refund[];
  /** The path of the page. */
  path: string;
  currency: string;
}

/** What was issued to a payer, and the refunds of what was never billed, each as PDF. */
export function Documents({ documents, refunds, path, currency }: Props) {
  const unbilled = refunds.filter(({ credit_note }) => credit_note === null);
  if (documents.length + unbilled.length === 0) return null;
  return (
    <ul class="documents">
      {documents.map((document) => (
        <li key={document.number}>
          <a href={`${path}/documents/${document.number}.pdf`}>{documentTitle(document)} (PDF)</a>
        </li>
      ))}
      {unbilled.map(({ id, amount_minor }) => (
        <li key={id}>
          <a href={`${path}/refunds/${id}.pdf`}>Refund of {amountOf(amount_minor, currency)} (PDF)</a>
        </li>
      ))}
    </ul>
  );
}
