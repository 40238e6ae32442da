export interface SelfHealInput {
  /** All workspaces if absent. */
  workspaceId?: string;
  /** Where the previous run of the chain stopped. */
  resume?: { stage: SelfHealStage; after: string; summary: SelfHealSummary };
}

/** The stages of a self-heal job, in this order. */
export type SelfHealStage = 'slots' | 'bookings' | 'refunds' | 'disputes' | 'checkouts' | 'cards';

export interface SelfHealSummary {
  /** Checkouts looked up at the processor. */
  examined: number;
  /** Bookings that turned out to be paid. */
  confirmed: number;
  /** Late payments that are being refunded. */
  refunded: number;
  /** Checkouts that can no longer be paid. */
  closed: number;
  /** Bookings and refunds whose workflow was missing. */
  revived: number;
  /** Slots released from abandoned create requests. */
  released: number;
  /** Checkouts, bookings, refunds and slots that could not be processed this time. */
  failed: number;
  /** The first of their ids; absent if nothing failed. */
  left?: string[];
}
