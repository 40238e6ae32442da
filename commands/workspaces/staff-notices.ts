import { noticesWith, type StaffNotices } from '../../domain/workspaces/staff-notices.js';
import { Workspace } from '../../db/entities/workspaces.js';
import { findLastPosition } from '../../db/queries/mail/staff-mail.js';
import type { Tx } from '../../db/transaction.js';
import { nextDigest } from '../mail/staff-mail.js';

/** Sets which mail about bookings staff get. The first daily mail reports what happens from now on. */
export async function setStaffNotices(
  tx: Tx,
  { id, digest_at, time_zone }: Pick<Workspace, 'id' | 'digest_at' | 'time_zone'>,
  notify_staff: StaffNotices,
): Promise<void> {
  const isDaily = noticesWith(notify_staff, 'daily').length > 0;
  const starts = isDaily && digest_at === null;
  await tx.update(
    Workspace,
    { id },
    {
      notify_staff,
      ...(!isDaily && { digest_at: null }),
      ...(starts && {
        digest_at: nextDigest(time_zone, new Date()),
        digest_position: await findLastPosition(tx, id),
      }),
    },
  );
}
