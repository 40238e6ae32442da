import { array, number, object } from '../../http/typed.js';

export const percent = number.min(0).max(100).precision(2);

/** Refund steps of a room or an extra (docs/rules/rooms.md#refund-steps). */
export const refundSteps = array(
  object(
    {
      hours_before: number
        .min(0)
        .max(10_000)
        .description('The step applies to cancellations at least this many hours before the start.'),
      percent: percent.description('The part of the price that is refunded, in percent.'),
    },
    'hours_before',
    'percent',
  ).meta({ component: 'RefundStep' }),
).max(20);
