import type { ComponentChildren } from 'preact';
import { missingOfSeller, SELLER_FIELDS, type SellerFacts } from '../../../domain/invoice-parties.js';
import { listed } from '../../ui/formats.js';

/**
 * What a tax invoice needs and a workspace has not entered; nothing if it has. `children`: what to do about it, of one field
 * or of several.
 */
export function MissingOnInvoices(props: {
  workspace: SellerFacts;
  children?: (isOne: boolean) => ComponentChildren;
}) {
  const missing = missingOfSeller(props.workspace);
  if (missing.length === 0) return null;
  const fields = missing.map((field) => SELLER_FIELDS[field]);
  return (
    <p class="alert">
      Your invoices do not show your {listed(fields, 'or')} yet. {props.children?.(fields.length === 1)}
    </p>
  );
}
