import { changeWorkspace } from '../../../api/resources/workspaces/operations.js';
import { HOUR_MS } from '../../../domain/durations.js';
import { wallClock } from '../../../domain/time-zone.js';
import { createFormats } from '../../ui/formats.js';
import { form } from '../forms/form.js';
import { note } from '../forms/inputs.js';
import type { PageProps } from '../forms/page.js';
import { Setting } from '../shared/setting.js';
import type { Settings } from './settings.js';

/** How far ahead maintenance must be announced, with a margin for filling in the form. */
const NOTICE_HOURS = 49;

/** The local time a number of hours after the earliest start of maintenance: `2026-11-24T10:00`. */
function localTimeAfter(hours: number, timeZone: string): string {
  const earliest = Math.ceil(Date.now() / HOUR_MS + NOTICE_HOURS) * HOUR_MS;
  return new Date(wallClock(earliest + hours * HOUR_MS, timeZone)).toISOString().slice(0, 16);
}

export const announceMaintenance = form(
  changeWorkspace,
  {
    about: note<Settings>(() => (
      <p class="hint">
        The API rejects requests with this workspace’s keys. The owner gets an email, and every API response
        announces it, at least 48 hours ahead.
      </p>
    )),
    'maintenance.starts_at': {
      label: 'From',
      initial: ({ workspace }) => localTimeAfter(0, workspace.time_zone),
    },
    'maintenance.ends_at': {
      label: 'Until',
      initial: ({ workspace }) => localTimeAfter(1, workspace.time_zone),
    },
  },
  {
    path: '/maintenance',
    summary: 'Announce maintenance',
    button: 'Announce maintenance',
    notice: () => 'Maintenance announced by email to the owner and in API responses.',
  },
);

export const endMaintenance = form(
  changeWorkspace,
  {},
  {
    path: '/maintenance/end',
    summary: 'End or cancel',
    button: 'End maintenance',
    hint: 'To schedule it again, announce it at least 48 hours ahead.',
    body: () => ({ maintenance: null }),
    notice: () => 'Maintenance ended or cancelled. The API accepts requests.',
  },
);

export function MaintenanceWindow({ page }: { page: PageProps<Settings> }) {
  const { maintenance } = page.data.workspace;
  const { moment } = createFormats(page.ctx);
  const ends = maintenance?.ends_at ? new Date(maintenance.ends_at) : null;
  const isAhead = ends !== null && ends > new Date();
  return (
    <Setting title="Maintenance">
      {isAhead && (
        <p>
          The API rejects requests from {moment(new Date(maintenance!.starts_at!))} until {moment(ends)}.
          Payer pages and existing bookings are not affected.
        </p>
      )}
      {isAhead ? (
        <endMaintenance.Drawer page={page} quiet />
      ) : (
        <announceMaintenance.Drawer page={page} quiet />
      )}
    </Setting>
  );
}
