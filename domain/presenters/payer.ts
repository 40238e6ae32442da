/** A card on file. */
export interface CardFacts {
  brand: string;
  last4: string;
  exp_month: number;
  exp_year: number;
}

/** What companies and members have as payers. Amounts in minor units of the workspace's currency. */
export interface PayerFacts {
  payment_terms: number | null;
  credit_limit_minor: number | null;
  autopay: boolean;
  card: CardFacts | null;
}

const presentCard = ({ brand, last4, exp_month, exp_year }: CardFacts) => ({
  brand,
  last4,
  exp: `${exp_year}-${String(exp_month).padStart(2, '0')}`,
});

/** The fields of a payer as the API returns them (docs/rules/billing.md#payers). */
export function presentPayer({ payment_terms, credit_limit_minor, autopay, card }: PayerFacts) {
  return { payment_terms, credit_limit_minor, autopay, card: card && presentCard(card) };
}
