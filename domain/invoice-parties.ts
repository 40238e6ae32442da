/** Who an invoice is from and for, as printed on it (docs/rules/billing.md#parties). */
export interface InvoiceParties {
  seller: { name: string; details: string | null };
  /** Null if a member or guest pays: a person's name is not copied, so that an erasure removes it. */
  payer: { name: string; address: string | null; vat_number: string | null } | null;
}

/** The payer as printed, in one or more lines. `name`: of a member or guest. */
export function billedTo({ payer }: InvoiceParties, name: string): string {
  if (!payer) return name;
  const { address, vat_number } = payer;
  return [payer.name, address, vat_number && `VAT number ${vat_number}`].filter(Boolean).join('\n');
}
