import type { Refund } from '../../db/queries/payments/refund.js';
import type { ListedDocument } from '../../domain/invoices/document.js';
import { useWords } from '../ui/language.js';

interface Props {
  documents: Pick<ListedDocument, 'kind' | 'number'>[];
  refunds: Refund[];
  path: string;
  currency: string;
}

/** Documents that were issued to a payer, and confirmations of refunds that were never billed, as PDFs. */
export function Documents({ documents, refunds, path, currency }: Props) {
  const words = useWords();
  const unbilled = refunds.filter(({ credit_note }) => credit_note === null);
  if (documents.length + unbilled.length === 0) return null;
  return (
    <ul class="documents">
      {documents.map(({ kind, number }) => (
        <li key={number}>
          <a href={`${path}/documents/${number}.pdf`}>{words.say(`payer.document_${kind}`, { number })}</a>
        </li>
      ))}
      {unbilled.map(({ id, amount_minor }) => (
        <li key={id}>
          <a href={`${path}/refunds/${id}.pdf`}>
            {words.say('payer.refund_of', { amount: words.amount(amount_minor, currency) })}
          </a>
        </li>
      ))}
    </ul>
  );
}
