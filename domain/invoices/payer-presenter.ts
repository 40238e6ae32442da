export interface CardFacts {
  brand: string;
  last4: string;
  exp_month: number;
  exp_year: number;
}

/** The payer's fields of companies and members. Amounts in minor units of the workspace's currency. */
export interface PayerFacts {
  payment_terms: number | null;
  credit_limit_minor: number | null;
  autopay: boolean;
  /** `YYYY-MM-DD`: the day on which the next monthly statement is mailed; null for a payer who gets none. */
  next_statement_on: string | null;
  card: CardFacts | null;
}

const presentCard = ({ brand, last4, exp_month, exp_year }: CardFacts) => ({
  brand,
  last4,
  exp: `${exp_year}-${String(exp_month).padStart(2, '0')}`,
});

/** The fields for roles that may not read payers: neither terms nor card (docs/rules/members.md#roles). */
export const NO_PAYER_FACTS: PayerFacts = {
  payment_terms: null,
  credit_limit_minor: null,
  autopay: false,
  next_statement_on: null,
  card: null,
};

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
