import { whyNotCharge } from '../../../domain/processor/refusals.js';
import type { RefusedCharge } from '../../../domain/invoices/collection.js';
import { many } from '../../query.js';
import { Card, Collection } from '../../entities/collections.js';
import type { Tx } from '../../transaction.js';
import type { InvoiceRow } from './invoice.js';

export function findCollection(tx: Tx, invoiceId: string): Promise<Collection | null> {
  return tx.findOneBy(Collection, { invoice_id: invoiceId });
}

/** A collection to be checked. */
export type CollectionToNotify = Pick<Collection, 'invoice_id' | 'workspace_id' | 'notify_at'>;

/**
 * Returns the collections to be checked: a step is due, something has changed, or a run has not acted in time
 * and may be lost.
 */
export function findCollectionsToNotify(tx: Tx): Promise<CollectionToNotify[]> {
  return many<CollectionToNotify>(
    tx,
    `SELECT invoice_id, workspace_id, notify_at FROM collections WHERE notify_at <= now() ORDER BY notify_at
      LIMIT 200`,
  );
}

/** Lists the declined charges of invoices to a card on file, oldest first. */
export function listRefusedCharges(
  tx: Tx,
  invoiceIds: string[],
): Promise<(RefusedCharge & { invoice_id: string })[]> {
  return many<RefusedCharge & { invoice_id: string }>(
    tx,
    `SELECT invoice_id, created_at AS at, payment_method_id, refusal_code FROM checkouts
     WHERE invoice_id = ANY ($1) AND payment_method_id IS NOT NULL AND refusal_code IS NOT NULL
     ORDER BY created_at, id`,
    [invoiceIds],
  );
}

/** The payer: the company, otherwise the member. */
type PayerOfInvoice = Pick<InvoiceRow, 'company_id' | 'member_id'>;

const CHARGED_CARDS = {
  name: 'charged_cards',
  text: `SELECT k.* FROM cards k
   JOIN workspaces w ON w.id = k.workspace_id AND w.processor_account_id = k.account_id
     AND w.processor_status = 'active'
   LEFT JOIN companies c ON c.id = k.company_id
   LEFT JOIN members m ON m.id = k.member_id
   WHERE (k.company_id = ANY ($1) OR k.member_id = ANY ($2)) AND coalesce(c.autopay, m.autopay)`,
};

/**
 * The cards of payers that are charged automatically: the payer has autopay, and the workspace takes payments
 * on the account.
 */
export class ChargedCards {
  private constructor(private readonly byPayer: Map<string | null, Card>) {}

  static async of(tx: Tx, payers: PayerOfInvoice[]): Promise<ChargedCards> {
    const companies = payers.flatMap(({ company_id }) => company_id ?? []);
    const members = payers.flatMap(({ company_id, member_id }) => (company_id ? [] : (member_id ?? [])));
    const cards = await many<Card>(tx, CHARGED_CARDS, [companies, members]);
    return new ChargedCards(new Map(cards.map((card) => [card.company_id ?? card.member_id, card])));
  }

  /**
   * Returns the card to which an amount of an invoice may be charged; null if there is none, or the processor
   * does not accept the amount.
   */
  for(
    { company_id, member_id, currency }: PayerOfInvoice & { currency: string },
    amount_minor: number,
  ): Card | null {
    const card = this.byPayer.get(company_id ?? member_id) ?? null;
    return card && !whyNotCharge({ amount_minor, currency }) ? card : null;
  }
}

/** Returns the card to which an amount of an invoice may be charged, like `ChargedCards`. */
export async function findChargeableCard(
  tx: Tx,
  invoice: Pick<InvoiceRow, 'company_id' | 'member_id' | 'currency'>,
  amount_minor: number,
): Promise<Card | null> {
  return (await ChargedCards.of(tx, [invoice])).for(invoice, amount_minor);
}
