import { Context } from '@temporalio/activity';
import type { DataSource } from 'typeorm';
import { listUnusedPictures, removeUnusedPicture } from '../../commands/rooms/pictures/pictures.js';
import type { PictureStore } from '../../commands/rooms/pictures/store.js';
import { deleteExpired, type DeletedRows } from '../../commands/retention/delete-expired.js';
import { transaction } from '../../db/transaction.js';
import { MINUTE_MS } from '../../domain/durations.js';
import { sweep } from '../sweep.js';
import { keptSince, RETAINED_KINDS, type RetainedKind } from '../../domain/retention/retention.js';

/** Rows per transaction, which takes some milliseconds. */
const STEP = 1_000;
/** Pictures per step: each one needs a request to the picture store. */
const PICTURES = 20;
/** An activity ends after this long, so that none runs for hours on a table that was never cleaned up. */
const TURN_MS = MINUTE_MS;

export interface ExpiredPage {
  deleted: number;
  /** Where the next turn continues; null at the end. */
  next: string | null;
}

/** The job that deletes rows whose retention period has ended (docs/security.md#retention). */
export function createRetentionActivities({
  db,
  pictures,
}: {
  db: DataSource;
  pictures: PictureStore | null;
}) {
  type DeletedStep = { before: Date; limit: number; after: string };

  async function deleteStep(kind: RetainedKind, step: DeletedStep): Promise<DeletedRows> {
    if (kind !== 'pictures') return transaction(db, (tx) => deleteExpired(tx, kind, step));
    const limit = PICTURES;
    if (!pictures) return { deleted: 0, next: null };
    const keys = await listUnusedPictures(db.manager, { ...step, limit });
    let deleted = 0;
    await sweep(keys, 'removing a picture', async (key) => {
      Context.current().heartbeat();
      if (await removeUnusedPicture(db, pictures, { key, before: step.before })) deleted++;
    });
    return { deleted, next: keys.length === limit ? keys.at(-1)! : null };
  }

  return {
    /**
     * Returns the kinds of rows in the order in which they are deleted. A run that is replayed keeps the
     * order with which it began.
     */
    async listRetainedKinds(): Promise<RetainedKind[]> {
      return RETAINED_KINDS;
    },

    /** Deletes expired rows of a kind for up to a minute, in small transactions. */
    async deleteExpiredRows(input: { kind: RetainedKind; after: string }): Promise<ExpiredPage> {
      const { cancellationSignal, heartbeat } = Context.current();
      const until = Date.now() + TURN_MS;
      const before = keptSince(input.kind, new Date());
      const page: ExpiredPage = { deleted: 0, next: input.after };
      while (page.next !== null && Date.now() < until && !cancellationSignal.aborted) {
        const step = { before, limit: STEP, after: page.next };
        const { deleted, next } = await deleteStep(input.kind, step);
        page.deleted += deleted;
        page.next = next;
        heartbeat();
      }
      return page;
    },
  };
}
