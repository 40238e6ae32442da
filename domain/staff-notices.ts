import type { EventType } from './events.js';

/** What staff can be told of by mail (docs/rules/mail.md#staff-mail). */
export const STAFF_NOTICES = ['created', 'changed', 'cancelled'] as const;
export type StaffNotice = (typeof STAFF_NOTICES)[number];

/** Never, each time, or once a day. */
export const STAFF_NOTICE_MODES = ['off', 'each', 'daily'] as const;
export type StaffNoticeMode = (typeof STAFF_NOTICE_MODES)[number];

/** As stored: what is missing is off. */
export type StaffNotices = { [N in StaffNotice]?: StaffNoticeMode };

/** What a workspace has until it says otherwise. */
export const DEFAULT_STAFF_NOTICES: StaffNotices = { created: 'each', cancelled: 'each' };

/** The event that each is about. A hold that nobody pays is no news. */
export const STAFF_NOTICE_EVENTS: Record<StaffNotice, EventType> = {
  created: 'booking.confirmed',
  changed: 'booking.updated',
  cancelled: 'booking.cancelled',
};

/** Complete. */
export const presentStaffNotices = (notices: StaffNotices): Record<StaffNotice, StaffNoticeMode> =>
  Object.fromEntries(STAFF_NOTICES.map((notice) => [notice, notices[notice] ?? 'off'])) as Record<
    StaffNotice,
    StaffNoticeMode
  >;

/** The notices with a mode. */
export const noticesWith = (notices: StaffNotices, mode: StaffNoticeMode): StaffNotice[] =>
  STAFF_NOTICES.filter((notice) => (notices[notice] ?? 'off') === mode);
