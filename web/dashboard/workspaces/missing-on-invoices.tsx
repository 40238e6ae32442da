import type { ComponentChildren } from 'preact';
import {
  hasNoWayToPay,
  missingOfSeller,
  SELLER_FIELDS,
  type PaymentInstructions,
  type SellerFacts,
} from '../../../domain/invoices/parties.js';
import type { ApiContext } from '../../../api/http/context.js';
import { listed } from '../../ui/formats.js';
import { CardPaymentsLink } from '../shared/card-payments.js';

/**
 * Warns about missing seller details and payment instructions on invoices. `children`: what to do, for one
 * field or several.
 */
export function MissingOnInvoices(props: {
  ctx: ApiContext;
  workspace: SellerFacts & PaymentInstructions;
  children?: (isOne: boolean) => ComponentChildren;
}) {
  const fields = missingOfSeller(props.workspace).map((field) => SELLER_FIELDS[field]);
  const ofSeller = fields.length > 0 && `Your invoices do not show your ${listed(fields, 'or')} yet.`;
  const unpayable = hasNoWayToPay(props.workspace) && (
    <>
      {ofSeller ? 'They' : 'Your invoices'} cannot be{' '}
      <CardPaymentsLink ctx={props.ctx}>paid online</CardPaymentsLink> and do not show how to pay.
    </>
  );
  if (!ofSeller && !unpayable) return null;
  return (
    <p class="alert">
      {ofSeller} {unpayable} {props.children?.(fields.length + (unpayable ? 1 : 0) === 1)}
    </p>
  );
}
