import type { ApiContext } from '../../../api/http/context.js';
import { addTax, findTaxRate, type PricesEntered } from '../../../domain/rates/entered-price.js';
import type { TaxCode } from '../../../domain/rates/price.js';
import { createFormats } from '../../ui/formats.js';

/** What prices that are entered in a way are called. */
export const TAX_WORDS: Record<PricesEntered, string> = { net: 'excluding tax', gross: 'including tax' };

const basis = (ctx: ApiContext): PricesEntered => ctx.state.membership!.prices_entered;

/** Formats stored prices of a room or an extra as people enter them: without tax, or with it. */
export function enteredPrice(
  ctx: ApiContext,
  taxCodes: TaxCode[],
  { tax_code, currency }: { tax_code: string; currency: string },
): (net_minor: number) => string {
  const { amount } = createFormats(ctx);
  const tax_bps = basis(ctx) === 'gross' ? (findTaxRate(taxCodes, tax_code) ?? 0) : 0;
  return (net_minor) => amount(addTax(net_minor, tax_bps, currency), currency);
}

/** `plus 20% tax`, or `including 20% tax`. */
export const describeTax = (ctx: ApiContext, taxCodes: TaxCode[], tax_code: string): string =>
  `${basis(ctx) === 'gross' ? 'including' : 'plus'} ${(findTaxRate(taxCodes, tax_code) ?? 0) / 100}% tax`;

/** `excluding tax`, or `including tax`: how people enter prices. */
export const taxWords = (ctx: ApiContext): string => TAX_WORDS[basis(ctx)];
