import { Column, Entity, PrimaryColumn } from 'typeorm';
import { Erased, ErasureKey, Kept, NotPersonal, Redacted } from '../personal-data/declarations.js';
import type { EventBody, EventType } from '../../domain/events/types.js';
import { eraseEvent } from '../../domain/members/erasure.js';
import { KEPT_COLUMNS } from '../personal-data/kept-columns.js';

/** Events, stored in the transaction that makes the change. */
@Entity('events')
export class Event {
  @PrimaryColumn('text') id!: string;
  @Kept @Column('text') workspace_id!: string;
  @Kept @Column('text') type!: EventType;
  @ErasureKey('objects') @Column('text') object_id!: string;
  /** Increases by one with each event of the same object. */
  @Kept @Column('integer') sequence!: number;
  /** json, not jsonb: an event is sent and shown byte for byte as it was stored. */
  @Redacted(({ body }: Event) => eraseEvent(body, KEPT_COLUMNS)) @Column('json') body!: EventBody;
  @Kept @Column('timestamptz', { default: () => 'now()' }) created_at!: Date;
  /** Assigned by the insert. Orders the events of one object. */
  @Column({ type: 'bigint', insert: false, update: false }) ordinal!: number;
  /**
   * Assigned after the commit, without gaps: an event that gets its position later comes after all those
   * already read.
   */
  @Kept @Column('bigint', { nullable: true }) position!: number | null;
}

@NotPersonal
@Entity('webhook_endpoints')
export class WebhookEndpoint {
  @PrimaryColumn('text') workspace_id!: string;
  @Column('text') id!: string;
  @Column('text') url!: string;
  @Column('text', { array: true }) event_types!: string[];
  @Column('text', { default: 'enabled' }) status!: 'enabled' | 'disabled';
  @Column('text', { nullable: true }) disabled_reason!: 'receiver_gone' | 'receiver_failing' | null;
  /** Encrypted, like the previous one; see db/encryption.ts. */
  @Column('bytea') secret!: Buffer;
  @Column('bytea', { nullable: true }) previous_secret!: Buffer | null;
  @Column('timestamptz', { nullable: true }) previous_secret_until!: Date | null;
  /** The position up to which every event was sent or is in webhook_retries. */
  @Column('bigint') sent_up_to!: number;
  @Column('timestamptz', { nullable: true }) failing_since!: Date | null;
  /**
   * The delivery workflow is sending and checks the queue again before it waits, so it does not need to be
   * notified.
   */
  @Column('boolean', { default: false }) is_delivering!: boolean;
  /** When the delivery workflow must be notified; null if there is nothing to send. */
  @Column('timestamptz', { nullable: true }) notify_at!: Date | null;
  /** Increases with each change that must stop a running delivery. */
  @Column('integer', { default: 0 }) revision!: number;
  @Column('timestamptz', { default: () => 'now()' }) created_at!: Date;
}

/** Events whose delivery failed, and later events of the same objects, which wait for them. */
@NotPersonal
@Entity('webhook_retries')
export class WebhookRetry {
  @PrimaryColumn('text') event_id!: string;
  @Column('text') workspace_id!: string;
  @Column('text') object_id!: string;
  @Column('bigint') position!: number;
  @Column('integer', { default: 0 }) attempts!: number;
  @Column('timestamptz', { default: () => 'now()' }) next_attempt_at!: Date;
}

/** Delivery attempts. The workspace is that of the event, which the foreign key guarantees. */
@Entity('webhook_deliveries')
export class WebhookDelivery {
  @ErasureKey('events') @PrimaryColumn('text') event_id!: string;
  @PrimaryColumn('integer') attempt!: number;
  @Kept @Column('text') workspace_id!: string;
  @Kept @Column('timestamptz') at!: Date;
  /** Null if there was no response. */
  @Kept @Column('integer', { nullable: true }) status_code!: number | null;
  @Kept @Column('integer') duration_ms!: number;
  @Kept @Column('text', { nullable: true }) error!: string | null;
  /** It may contain the event, if the receiver echoed it. */
  @Erased @Column('text', { nullable: true }) response_excerpt!: string | null;
}
