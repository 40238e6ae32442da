import type { Client } from '@temporalio/client';
import type { DataSource } from 'typeorm';
import type { ProcessorEvent } from '../../../db/entities/payments.js';

export interface EventDependencies {
  db: DataSource;
  temporal: Client;
  taskQueue: string;
}

/**
 * How an event arrived: the registration whose secret signed it, or `pull` if it was read from the
 * processor's list.
 */
export type Via = ProcessorEvent['via'];

/** Returns the id of an object that an event contains, either as an id or expanded. */
export const referenceId = (reference: string | { id: string } | null | undefined): string | null =>
  typeof reference === 'string' ? reference : (reference?.id ?? null);
