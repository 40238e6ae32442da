import type { RefundStep } from '../../../domain/bookings/refund-policy.js';
import type { ApiContext } from '../../../api/http/context.js';
import { numberEntered } from '../forms/fields.js';

const MIN_STEPS = 4;

/** The submitted values of a repeated field, if the form was rejected. */
export const submittedValues = (ctx: ApiContext, action: string, name: string): string[] | undefined =>
  ctx.state.rejection?.action === action ? [ctx.state.rejection.submitted[name] ?? []].flat() : undefined;

export const stepsEntered = ({ hours_before, percent }: { hours_before: string[]; percent: string[] }) =>
  hours_before
    .map((hours, index) => ({ hours_before: numberEntered(hours), percent: numberEntered(percent[index]) }))
    .filter((step) => step.hours_before !== null || step.percent !== null);

export function RefundRows(props: { ctx: ApiContext; action: string; steps: RefundStep[] }) {
  const { ctx, action } = props;
  const steps = props.steps.toSorted((a, b) => b.hours_before - a.hours_before);
  const hours = submittedValues(ctx, action, 'hours_before');
  const percents = submittedValues(ctx, action, 'percent');
  const rows = Math.max(MIN_STEPS, steps.length + 1);
  return (
    <>
      <table class="inputs plain">
        <thead>
          <tr>
            <th>Hours before the start</th>
            <th>Refund (%)</th>
          </tr>
        </thead>
        <tbody>
          {Array.from({ length: rows }, (_, index) => (
            <tr key={index}>
              <td data-label="Hours before the start">
                <input
                  name="hours_before"
                  aria-label={`Hours before the start, step ${index + 1}`}
                  inputMode="decimal"
                  value={hours?.[index] ?? steps[index]?.hours_before}
                />
              </td>
              <td data-label="Refund (%)">
                <input
                  name="percent"
                  aria-label={`Refund in percent, step ${index + 1}`}
                  inputMode="decimal"
                  value={percents?.[index] ?? steps[index]?.percent}
                />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <p class="hint">Empty rows are ignored. The row with 0 hours applies to all later cancellations.</p>
    </>
  );
}
