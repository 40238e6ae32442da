/** A request to put a card on file on the hosted page. */
export interface CardSetupRequest {
  /** The id of our row: used as idempotency key and in the session's metadata. */
  id: string;
  account_id: string;
  session_expires_at: Date;
  created_at: Date;
}

export interface SavedCard {
  customer_id: string;
  payment_method_id: string;
  brand: string;
  last4: string;
  exp_month: number;
  exp_year: number;
}

/** The processor's state of a request to put a card on file. */
export type CardSetupStatus = { kind: 'open' } | { kind: 'closed' } | { kind: 'saved'; card: SavedCard };

/** Cards on file, which are saved on a hosted page and detached later. */
export interface CardSetupCalls {
  openCardSetup(request: CardSetupRequest): Promise<{ id: string; url: string }>;
  lookUpCardSetup(accountId: string, sessionId: string): Promise<CardSetupStatus>;
  /** Closes an open session. Returns the state of a session that is no longer open. */
  closeCardSetup(accountId: string, sessionId: string): Promise<CardSetupStatus>;
  /**
   * Detaches a card from its customer, so that nobody can charge it. Does nothing if it is already detached
   * or deleted.
   */
  detachCard(accountId: string, paymentMethodId: string): Promise<void>;
}
