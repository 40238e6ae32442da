import type { EventType } from '../events/types.js';

/** What staff can be informed about by mail (docs/rules/mail.md#staff-mail). */
export const STAFF_NOTICES = ['created', 'changed', 'cancelled'] as const;
export type StaffNotice = (typeof STAFF_NOTICES)[number];

/** Never, each time, or once a day. */
export const STAFF_NOTICE_MODES = ['off', 'each', 'daily'] as const;
export type StaffNoticeMode = (typeof STAFF_NOTICE_MODES)[number];

/** As stored: a missing notice is off, but a workspace that has set none has the defaults. */
export type StaffNotices = { [N in StaffNotice]?: StaffNoticeMode };

/** The notices of a workspace that has set none. */
export const DEFAULT_STAFF_NOTICES: StaffNotices = { created: 'each', cancelled: 'each' };

/** The event that each notice is about. A hold that nobody pays is not reported. */
export const STAFF_NOTICE_EVENTS: Record<StaffNotice, EventType> = {
  created: 'booking.confirmed',
  changed: 'booking.updated',
  cancelled: 'booking.cancelled',
};

/** Returns all notices with their modes. */
export function presentStaffNotices(stored: StaffNotices): Record<StaffNotice, StaffNoticeMode> {
  const set = Object.keys(stored).length > 0 ? stored : DEFAULT_STAFF_NOTICES;
  return { created: 'off', changed: 'off', cancelled: 'off', ...set };
}

/** Returns the notices with a mode. */
export function noticesWith(stored: StaffNotices, mode: StaffNoticeMode): StaffNotice[] {
  const notices = presentStaffNotices(stored);
  return STAFF_NOTICES.filter((notice) => notices[notice] === mode);
}
