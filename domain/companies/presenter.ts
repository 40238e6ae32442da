import { ApiError } from '../errors.js';
import type { Metadata, MetadataChange } from '../metadata.js';
import type { PayerChanges } from '../invoices/payer.js';
import { presentPayer, type PayerFacts } from '../invoices/payer-presenter.js';

/** The input of `presentCompany`. */
export interface CompanyFacts extends PayerFacts {
  id: string;
  name: string;
  billing_email: string | null;
  address: string | null;
  vat_number: string | null;
  metadata: Metadata;
}

/**
 * Where a company's invoices are sent, and the address on them. Changing either needs a fresh proof
 * (docs/rules/credentials.md#fresh-proof).
 */
export const BILLING_ADDRESS = ['billing_email', 'address'] as const;

/** A company as the API returns it (docs/rules/members.md#companies). */
export function presentCompany(company: CompanyFacts) {
  return {
    id: company.id,
    name: company.name,
    billing_email: company.billing_email,
    address: company.address,
    vat_number: company.vat_number,
    metadata: company.metadata,
    ...presentPayer(company),
  };
}

export type CompanyChanges = Partial<Omit<CompanyFacts, 'id' | 'metadata' | keyof PayerFacts>> &
  PayerChanges & { metadata?: MetadataChange };
export type NewCompany = CompanyChanges & { name: string };

/** Returns the error for a company that the workspace does not have. `param`: the field with its id. */
export const noSuchCompany = (param?: string): ApiError =>
  new ApiError('company_not_found', 'No such company.', { param });
