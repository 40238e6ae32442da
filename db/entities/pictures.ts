import { Column, Entity, PrimaryColumn } from 'typeorm';
import { NotPersonal } from '../personal-data/declarations.js';
import type { StoredKey } from '../../domain/rooms/picture.js';

/** A picture in the store, or a PDF with terms. */
@NotPersonal
@Entity('pictures')
export class Picture {
  @PrimaryColumn('text') key!: StoredKey;
  @Column('text') workspace_id!: string;
  @Column('integer') bytes!: number;
  @Column('timestamptz', { default: () => 'now()' }) created_at!: Date;
}
