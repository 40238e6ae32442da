import { groupBy } from '../group-by.js';

export const PAYOUT_STATUSES = ['pending', 'in_transit', 'paid', 'failed', 'canceled'] as const;
export type PayoutStatus = (typeof PAYOUT_STATUSES)[number];

/** What an entry of a payout is about. */
export const PAYOUT_ENTRY_KINDS = ['payment', 'refund', 'dispute', 'fee', 'other'] as const;
export type PayoutEntryKind = (typeof PAYOUT_ENTRY_KINDS)[number];

/** What moved, the processor's fee for it, and the difference. Minor units of the payout's currency. */
export interface PaidOut {
  gross_minor: number;
  fee_minor: number;
  net_minor: number;
}

/** The entries of one kind together. */
export interface KindTotals extends PaidOut {
  kind: PayoutEntryKind;
  count: number;
}

/** A payout with the sums of its entries. */
export interface PayoutFacts {
  /** The processor's id. */
  id: string;
  status: PayoutStatus;
  /** False for one that somebody requested at the processor, which does not say what is in it. */
  automatic: boolean;
  currency: string;
  /** What the bank receives; below zero if it is debited. */
  amount_minor: number;
  /** `YYYY-MM-DD`. */
  arrives_on: string;
  /** The processor's code. */
  failure_code: string | null;
  created_at: Date;
  /** When its entries were read; null while they are not known. */
  entries_read_at: Date | null;
  kinds: KindTotals[];
}

/** An entry with what it is about here; null for what the service does not know. */
export interface PayoutEntryFacts extends PaidOut {
  id: string;
  kind: PayoutEntryKind;
  created_at: Date;
  payment_id: string | null;
  invoice_id: string | null;
  invoice_number: string | null;
  booking_id: string | null;
  booking_reference: string | null;
}

/** Returns the sums of payouts by currency: what they contain and the fees. */
function sumPaidOut(payouts: PayoutFacts[]): (PaidOut & { currency: string })[] {
  return [...groupBy(payouts, ({ currency }) => currency)].map(([currency, of]) => {
    const sum = (field: keyof PaidOut): number =>
      of.flatMap(({ kinds }) => kinds).reduce((total, kind) => total + kind[field], 0);
    return {
      currency,
      gross_minor: sum('gross_minor'),
      fee_minor: sum('fee_minor'),
      net_minor: sum('net_minor'),
    };
  });
}

/** A payout as the API returns it. */
export const presentPayout = (payout: PayoutFacts) => {
  const [sums] = sumPaidOut([payout]);
  return {
    id: payout.id,
    status: payout.status,
    automatic: payout.automatic,
    currency: payout.currency,
    amount_minor: payout.amount_minor,
    arrives_on: payout.arrives_on,
    failure_code: payout.failure_code,
    contents_known: payout.entries_read_at !== null,
    gross_minor: sums!.gross_minor,
    fee_minor: sums!.fee_minor,
    contents: PAYOUT_ENTRY_KINDS.flatMap((kind) => payout.kinds.filter((of) => of.kind === kind)),
    created_at: payout.created_at.toISOString(),
  };
};

/** An entry of a payout as the API returns it. */
export const presentPayoutEntry = (entry: PayoutEntryFacts) => ({
  id: entry.id,
  kind: entry.kind,
  gross_minor: entry.gross_minor,
  fee_minor: entry.fee_minor,
  net_minor: entry.net_minor,
  payment_id: entry.payment_id,
  invoice_id: entry.invoice_id,
  invoice_number: entry.invoice_number,
  booking_id: entry.booking_id,
  booking_reference: entry.booking_reference,
  created_at: entry.created_at.toISOString(),
});
