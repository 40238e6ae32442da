import joi from 'joi';
import type { RefundStep } from '../../../domain/bookings/refund-policy.js';
import { repeated, valueAt } from '../forms/fields.js';
import type { Input } from '../forms/inputs.js';
import { Choices } from '../shared/fields.js';
import { RefundRows, stepsEntered } from './refund-rows.js';

interface Steps {
  hours_before: string[];
  percent: string[];
}

export const refundSteps = <Data,>(): Input<Data> => ({
  fields: () => ({ hours_before: repeated, percent: repeated }),
  read: (name, form) => ({ [name]: stepsEntered(form as unknown as Steps) }),
  Show: ({ name, shown: { ctx, action, of } }) => (
    <RefundRows
      ctx={ctx}
      action={action}
      steps={(valueAt(of, name) as RefundStep[] | null | undefined) ?? []}
    />
  ),
  wide: () => true,
  called: () => ({}),
});

/** Refund terms: the room's, or own steps. */
export function ownRefundSteps<Data>(label: string): Input<Data> {
  const rows = refundSteps<Data>();
  return {
    ...rows,
    fields: (name, place) => ({
      refunds: joi.valid('room', 'own').default('room'),
      ...rows.fields(name, place),
    }),
    read: (name, form, at) => (form.refunds === 'own' ? rows.read(name, form, at) : { [name]: null }),
    Show: ({ name, shown }) => (
      <>
        <Choices
          type="radio"
          name="refunds"
          label={label}
          options={[
            ['room', 'on the room’s terms'],
            ['own', 'on its own terms'],
          ]}
          chosen={[valueAt(shown.of, name) ? 'own' : 'room']}
        />
        <div data-chooses="[name=refunds][value=own]">
          <rows.Show name={name} shown={shown} />
        </div>
      </>
    ),
  };
}
