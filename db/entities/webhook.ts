import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { DisabledReason } from '../../domain/webhook-schedule.js';

/** Where a workspace's events go. Its secrets are encrypted; `revision` rises when a delivery must heed a change. */
@Entity('webhook_endpoints')
export class WebhookEndpoint {
  @PrimaryColumn({ type: 'text' }) workspace_id!: string;
  @Column({ type: 'text' }) id!: string;
  @Column({ type: 'text' }) url!: string;
  @Column({ type: 'text', array: true }) event_types!: string[];
  @Column({ type: 'text' }) status!: 'enabled' | 'disabled';
  @Column({ type: 'text', nullable: true }) disabled_reason!: DisabledReason | null;
  @Column({ type: 'bytea' }) secret!: Buffer;
  @Column({ type: 'bytea', nullable: true }) previous_secret!: Buffer | null;
  @Column({ type: 'timestamptz', nullable: true }) previous_secret_until!: Date | null;
  /** The position up to which events were sent or wait for a retry. */
  @Column({ type: 'bigint' }) sent_up_to!: number;
  @Column({ type: 'timestamptz', nullable: true }) failing_since!: Date | null;
  @Column({ type: 'integer' }) revision!: number;
  @Column({ type: 'timestamptz' }) created_at!: Date;
}
