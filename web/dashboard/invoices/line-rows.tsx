import type { ApiContext } from '../../../api/http/context.js';
import { inputOf } from '../shared/declared-fields.js';
import { lineSchema } from '../../../api/resources/invoices/shape.js';

const ROWS = 6;

/** The inputs of the lines of a new invoice. */
export function LineRows({ ctx, taxes }: { ctx: ApiContext; taxes: (readonly [string, string])[] }) {
  const submitted = (name: string, index: number): string | undefined =>
    [ctx.state.rejection?.submitted[name] ?? []].flat()[index];
  return (
    <table class="inputs lines">
      <thead>
        <tr>
          <th>Description</th>
          <th>Quantity</th>
          <th>Unit price, excluding tax</th>
          <th>Tax</th>
        </tr>
      </thead>
      <tbody>
        {Array.from({ length: ROWS }, (_, index) => (
          <tr key={index}>
            <td>
              <input
                {...inputOf(lineSchema, 'description')}
                required={false}
                id={index === 0 ? 'description' : undefined}
                aria-label={`Description ${index + 1}`}
                placeholder="Description"
                value={submitted('description', index)}
              />
            </td>
            <td>
              <input
                name="quantity"
                aria-label={`Quantity ${index + 1}`}
                inputMode="decimal"
                value={submitted('quantity', index) ?? '1'}
              />
            </td>
            <td>
              <input
                name="unit_amount_minor"
                id={index === 0 ? 'unit_amount_minor' : undefined}
                aria-label={`Unit price ${index + 1}`}
                placeholder="Unit price"
                inputMode="decimal"
                value={submitted('unit_amount_minor', index)}
              />
            </td>
            <td>
              <select name="tax_code" aria-label={`Tax ${index + 1}`}>
                {taxes.map(([code, label]) => (
                  <option key={code} value={code} selected={submitted('tax_code', index) === code}>
                    {label}
                  </option>
                ))}
              </select>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
