import { Column, Entity, PrimaryColumn } from 'typeorm';
import { NotPersonal } from '../personal-data/declarations.js';
import type { PageTerms, PageTheme, Question } from '../../domain/booking-page/booking-page.js';
import type { TermsKey } from '../../domain/rooms/picture.js';
import type { Language } from '../../domain/words/languages.js';

/** An address that the page of a workspace has or had. It stays reserved for the workspace. */
@NotPersonal
@Entity('booking_page_addresses')
export class BookingPageAddress {
  @PrimaryColumn('text') slug!: string;
  @Column('text') workspace_id!: string;
  @Column('timestamptz', { default: () => 'now()' }) created_at!: Date;
}

/**
 * A version of the terms of a booking page: a text, or a PDF in the store. It stays as it is, so that the
 * terms which a booking has accepted can be read.
 */
@NotPersonal
@Entity('booking_page_terms')
export class BookingPageTerms {
  @PrimaryColumn('text') workspace_id!: string;
  @PrimaryColumn('text') version!: string;
  @Column('text', { nullable: true }) text!: string | null;
  @Column('text', { nullable: true }) file_key!: TermsKey | null;
  @Column('timestamptz', { default: () => 'now()' }) created_at!: Date;
}

/** The page on which public guests book rooms of a workspace (docs/rules/booking-page.md). */
@NotPersonal
@Entity('booking_pages')
export class BookingPage {
  @PrimaryColumn('text') workspace_id!: string;
  /** The last part of its URL; unique in the service. */
  @Column('text') slug!: string;
  @Column('boolean') enabled!: boolean;
  /** Null for all rooms that guests can book. */
  @Column('uuid', { array: true, nullable: true }) room_ids!: string[] | null;
  @Column('text', { array: true }) embed_origins!: string[];
  @Column('jsonb') questions!: Question[];
  @Column('jsonb', { nullable: true }) terms!: PageTerms | null;
  @Column('jsonb') theme!: PageTheme;
  @Column('text', { array: true }) languages!: Language[];
  @Column('integer') guest_hold_seconds!: number;
  @Column('text', { nullable: true }) notice!: string | null;
  @Column('timestamptz', { default: () => 'now()' }) created_at!: Date;
  @Column('timestamptz', { default: () => 'now()' }) updated_at!: Date;
}
