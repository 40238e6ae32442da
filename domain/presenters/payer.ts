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
  /** `YYYY-MM-DD`: when the next monthly statement is mailed; null for a payer who gets none. */
  next_statement_on: string | null;
  card: CardFacts | null;
}

const presentCard = ({ brand, last4, exp_month, exp_year }: CardFacts) => ({
  brand,
  last4,
  exp: `${exp_year}-${String(exp_month).padStart(2, '0')}`,
});

/** The fields of a payer as the API returns them (docs/rules/billing.md#payers). */
export function presentPayer(payer: PayerFacts) {
  const { payment_terms, credit_limit_minor, next_statement_on, autopay, card } = payer;
  return {
    payment_terms,
    credit_limit_minor,
    monthly_statement: next_statement_on !== null,
    autopay,
    card: card && presentCard(card),
  };
}
