import joi from 'joi';
import { DAY_SECONDS } from '../../../domain/durations.js';
import { ApiError } from '../../../domain/errors.js';
import { text } from '../../../api/http/fields.js';
import { updateSchema } from '../../../api/resources/workspace/shape.js';
import { update } from '../../../api/resources/workspace/update.js';
import { apiForm, hiddenFields } from '../shared/api-form.js';
import { instantIn } from '../shared/local-time.js';
import type { FormRoute } from '../shared/section.js';
import { textFields } from '../shared/declared-fields.js';
import { declaredForm, type Entered } from '../shared/declared-form.js';

const changed = { handler: update, schema: updateSchema, to: () => '/settings' };

/** What payers see of the workspace. */
export const payersForm = declaredForm(updateSchema, {
  invoice_details: { label: 'Invoice details: legal name, address, tax number', rows: 4 },
  return_url: { label: 'Page that payers return to after checkout (URL, optional)', type: 'url' },
  booking_url: { label: 'Your booking page, for “Book again” links (URL, optional)', type: 'url' },
  contact_email: { label: 'Contact email shown to payers (optional)', type: 'email' },
});

interface SettingsForm extends Entered<typeof payersForm> {
  name: string;
  time_zone: string;
  currency: string;
  hold_minutes: string;
  refuse_overdue_payers?: 'on';
}

/** Errors: 422 on `hold_minutes`. */
function holdSeconds(minutes: string): number {
  const seconds = Math.round(Number(minutes) * 60);
  if (seconds >= 10 && seconds <= DAY_SECONDS) return seconds;
  const message = 'The hold must be between 10 seconds and 24 hours (1,440 minutes).';
  throw new ApiError('validation_failed', message, { param: 'hold_minutes' });
}

const settingsForm = apiForm<SettingsForm>({
  ...changed,
  body: ({ name, time_zone, currency, hold_minutes, refuse_overdue_payers, ...payers }) => ({
    name,
    time_zone,
    currency,
    checkout_hold_seconds: holdSeconds(hold_minutes),
    ...payersForm.body(payers),
    refuse_overdue_payers: refuse_overdue_payers === 'on',
  }),
  notice: () => 'Settings saved.',
});

const maintenanceForm = apiForm<{ starts_at: string; ends_at: string }>({
  ...changed,
  body({ starts_at, ends_at }, ctx) {
    const { time_zone } = ctx.state.membership!;
    return {
      maintenance: {
        starts_at: instantIn(starts_at, time_zone, 'starts_at').toISOString(),
        ends_at: instantIn(ends_at, time_zone, 'ends_at').toISOString(),
      },
    };
  },
  notice: () => 'Maintenance announced by email to the owner and in API responses.',
});

const endMaintenanceForm = apiForm({
  ...changed,
  body: () => ({ maintenance: null }),
  notice: () => 'Maintenance ended or cancelled. The API accepts requests.',
});

/** The forms of the workspace's page. */
export const settingsForms: FormRoute[] = [
  [
    '',
    {
      ...hiddenFields,
      ...textFields(updateSchema, 'name', 'time_zone', 'currency'),
      ...payersForm.fields,
      hold_minutes: text(20)
        .trim()
        .pattern(/^\d{1,5}(\.\d{1,4})?$/, 'a number')
        .required(),
      refuse_overdue_payers: joi.valid('on'),
    },
    settingsForm,
  ],
  [
    '/maintenance',
    { ...hiddenFields, starts_at: text(30).required(), ends_at: text(30).required() },
    maintenanceForm,
  ],
  ['/maintenance/end', hiddenFields, endMaintenanceForm],
];
