import { LINE_KINDS, LINE_UNITS, presentLine } from '../../../domain/rates/price-lines.js';
import { nullable, number, oneOf } from '../../http/typed.js';
import * as s from '../shared/shapes.js';

/** A line of a booking's price. */
export const priceLine = s.presentedBy(
  presentLine,
  s.shape({
    kind: oneOf(LINE_KINDS).description(
      'What it charges: booked time (`time`) or an extra (`extra`), or what it takes off: a discount ' +
        'code (`discount`) or hour credits (`credit`).',
    ),
    description: s.anyText.description('What it is for, as on the invoice.'),
    quantity: number.description('How many units, with at most four decimals.'),
    unit: oneOf(LINE_UNITS).description('What is counted.'),
    unit_amount_minor: s.minor.description(
      'The price of one unit in minor units, without tax and before discounts.',
    ),
    net_minor: s.minor.description(
      "The amount without tax, in minor units. The discount of the member's tier is inside it. Below " +
        'zero for `discount` and `credit`.',
    ),
    tax_code: s.anyText.description('The tax code.'),
    tax_minor: s.minor.description('Its part of the tax, in minor units.'),
    rate_id: nullable(s.anyUuid).description("The rate that priced it. Null for the room's hourly price."),
    extra_id: nullable(s.anyUuid).description('The extra. Null for any other line.'),
    from: s.nullableInstant.description('The start of the time that it is for.'),
    to: s.nullableInstant.description('The end of the time that it is for.'),
  }),
);
