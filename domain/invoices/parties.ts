import type { ProcessorStatus } from '../states.js';
import type { Words } from '../words/words.js';

/** The seller and the payer of an invoice, as printed on it (docs/rules/billing.md#parties). */
export interface InvoiceParties {
  seller: {
    name: string;
    /** Additional text of the workspace. */
    details: string | null;
    legal_name?: string | null;
    address?: string | null;
    tax_number?: string | null;
    /** The name of the tax: `VAT`. */
    tax_name?: string;
  };
  /** Null if a member or guest pays: people are stored separately, where an erasure finds them. */
  payer: { name: string; address: string | null; vat_number: string | null } | null;
}

/** The fields of a workspace that documents print about the seller. */
export interface SellerFacts {
  legal_name: string | null;
  legal_address: string | null;
  tax_number: string | null;
  tax_codes: { rate_bps: number }[];
  /** Additional text, which may contain the legal name. */
  invoice_details: string | null;
}

export const SELLER_FIELDS = {
  legal_name: 'legal name',
  legal_address: 'address',
  tax_number: 'tax number',
} as const;

/**
 * Free texts on documents, which can say where to pay. Changing one needs a fresh proof
 * (docs/rules/credentials.md#fresh-proof).
 */
export const SELLER_TEXTS = ['legal_address', 'payment_instructions', 'invoice_details'] as const;
export type SellerText = (typeof SELLER_TEXTS)[number];

/**
 * Returns the fields about the seller that are missing on documents. A tax number only matters to sellers who
 * charge tax. The additional text is not searched: it counts neither as an address nor as a tax number.
 */
export function missingOfSeller(workspace: SellerFacts): (keyof typeof SELLER_FIELDS)[] {
  const { legal_name, legal_address, tax_number, tax_codes, invoice_details } = workspace;
  const chargesTax = tax_codes.some(({ rate_bps }) => rate_bps > 0);
  const missing = {
    legal_name: !legal_name && !invoice_details,
    legal_address: !legal_address,
    tax_number: !tax_number && chargesTax,
  };
  return (['legal_name', 'legal_address', 'tax_number'] as const).filter((field) => missing[field]);
}

/** The facts that decide how invoices of a workspace can be paid. */
export interface PaymentInstructions {
  payment_instructions: string | null;
  processor_status: ProcessorStatus;
}

/**
 * True if invoices cannot be paid online and do not say how else to pay (docs/rules/billing.md#documents).
 */
export const hasNoWayToPay = ({ payment_instructions, processor_status }: PaymentInstructions): boolean =>
  !payment_instructions && processor_status !== 'active';

/** Returns the name of the tax on documents. */
export const taxName = ({ seller }: InvoiceParties): string => seller.tax_name ?? 'VAT';

const lines = (of: (string | false | null | undefined)[]): string => of.filter(Boolean).join('\n');

const taxNumber = (words: Words, tax = 'VAT', number: string): string =>
  words.say('documents.tax_number', { tax, number });

/** Returns the text below the seller's name; it can be empty or have several lines. */
export const formatSeller = (
  words: Words,
  { legal_name, address, tax_number, tax_name, details }: InvoiceParties['seller'],
): string => lines([legal_name, address, tax_number && taxNumber(words, tax_name, tax_number), details]);

/** Returns the payer as printed, in one or more lines. `name`: of a member or guest. */
export function billedTo(words: Words, { payer, seller }: InvoiceParties, name: string): string {
  if (!payer) return name;
  const { address, vat_number } = payer;
  return lines([payer.name, address, vat_number && taxNumber(words, seller.tax_name, vat_number)]);
}
