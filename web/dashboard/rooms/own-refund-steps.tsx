import joi from 'joi';
import { repeated, valueAt } from '../forms/fields.js';
import type { Input } from '../forms/inputs.js';
import { Choices } from '../shared/fields.js';
import { RefundRows, stepsEntered } from './refund-rows.js';

/** Terms of refunds: those of the room, or steps of its own. */
export function ownRefundSteps<Data>(label: string): Input<Data> {
  return {
    fields: () => ({
      refunds: joi.valid('room', 'own').default('room'),
      hours_before: repeated,
      percent: repeated,
    }),
    read: (name, form) => ({
      [name]:
        form.refunds === 'own' ? stepsEntered(form as { hours_before: string[]; percent: string[] }) : null,
    }),
    Show: ({ name, shown: { ctx, action, of } }) => {
      const steps = valueAt(of, name) as { hours_before: number; percent: number }[] | null | undefined;
      return (
        <>
          <Choices
            type="radio"
            name="refunds"
            label={label}
            options={[
              ['room', 'by the terms of the room'],
              ['own', 'by terms of its own'],
            ]}
            chosen={[steps ? 'own' : 'room']}
          />
          <div data-chooses="[name=refunds][value=own]">
            <RefundRows ctx={ctx} action={action} steps={steps ?? []} />
          </div>
        </>
      );
    },
    wide: () => true,
    called: () => ({}),
  };
}
