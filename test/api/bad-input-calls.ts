import { db } from '../support/stack.js';
import type { TestWorkspace } from '../support/workspaces.js';

export async function storedIn({ id }: TestWorkspace): Promise<number> {
  const [row] = await db.query(
    `SELECT (SELECT count(*) FROM bookings WHERE workspace_id = $1)
          + (SELECT count(*) FROM booking_requests WHERE workspace_id = $1)
          + (SELECT count(*) FROM checkouts WHERE workspace_id = $1) AS rows`,
    [id],
  );
  return row.rows;
}
