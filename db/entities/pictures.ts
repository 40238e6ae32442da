import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { PictureKey } from '../../domain/picture.js';

/** A picture in the store. */
@Entity('pictures')
export class Picture {
  @PrimaryColumn('text') key!: PictureKey;
  @Column('text') workspace_id!: string;
  @Column('integer') bytes!: number;
  @Column('timestamptz', { default: () => 'now()' }) created_at!: Date;
}
