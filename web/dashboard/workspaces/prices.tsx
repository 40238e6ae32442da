import joi from 'joi';
import { countPaidFor, type PaidForMembers } from '../../../db/queries/subscriptions/subscription.js';
import { dayIn, startOfDay, type Day } from '../../../domain/cycle.js';
import { hasForeignTaxes, TIERS, type TaxCode, type Tier } from '../../../domain/rates/price.js';
import { MONTHLY_HOUR_CREDITS } from '../../../domain/members/tiers.js';
import type { ApiDependencies } from '../../../api/dependencies.js';
import { ApiError } from '../../../domain/errors.js';
import type { ApiContext, Handler } from '../../../api/http/context.js';
import { text } from '../../../api/http/fields.js';
import { presentedWorkspace } from '../../../api/resources/workspaces/read.js';
import { MAX_TAX_CODES, updateSchema } from '../../../api/resources/workspaces/shape.js';
import { update } from '../../../api/resources/workspaces/update.js';
import { apiForm, hiddenFields, pathIn } from '../shared/api-form.js';
import { inputOf } from '../shared/declared-fields.js';
import { numberEntered } from '../shared/declared-form.js';
import { TextField } from '../shared/fields.js';
import { Form } from '../shared/form.js';
import { formatsOf, sentenceCase } from '../../ui/formats.js';
import { amountEntered, amountInput } from '../shared/money-field.js';
import type { FormRoute } from '../shared/section.js';
import { showSection } from '../shared/workspace.js';

const EMPTY_ROWS = 2;

function TaxRows({ ctx, taxCodes }: { ctx: ApiContext; taxCodes: TaxCode[] }) {
  const { rejection } = ctx.state;
  const submitted = (name: string, index: number) =>
    rejection?.action === pathIn(ctx, '/prices/taxes')
      ? [rejection.submitted[name] ?? []].flat()[index]
      : undefined;
  const cell = (name: string, label: string, index: number, value: string | undefined) => (
    <td>
      <input
        name={name}
        id={index === 0 ? name : undefined}
        aria-label={`${label} ${index + 1}`}
        placeholder={label}
        value={submitted(name, index) ?? value}
        maxLength={50}
      />
    </td>
  );
  return (
    <table class="inputs">
      <thead>
        <tr>
          <th>Code</th>
          <th>Rate (%)</th>
          <th>Tax type in Xero, such as OUTPUT2</th>
        </tr>
      </thead>
      <tbody>
        {Array.from({ length: taxCodes.length + EMPTY_ROWS }, (_, index) => {
          const tax = taxCodes[index];
          return (
            <tr key={index}>
              {cell('code', 'Code', index, tax?.code)}
              {cell('rate', 'Rate (%)', index, tax && String(tax.rate_bps / 100))}
              {cell('accounting_tax_type', 'Tax type', index, tax?.accounting_tax_type)}
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

/** Who pays the price of a plan, and from which of their months on. */
function whoPays(ctx: ApiContext, price_minor: number, paid: PaidForMembers | undefined): string {
  if (!paid) return 'No member is billed for it.';
  const { members, first, last } = paid;
  const who = members === 1 ? '1 member is billed for it' : `${members} members are billed for it`;
  if (price_minor === 0) return `${who}, and nothing is invoiced.`;
  if (!first || !last) return `${who}, from the month in which their trial ends.`;
  const { time_zone } = ctx.state.membership!;
  const today = dayIn(time_zone, new Date());
  const shown = (day: Day): string =>
    day > today ? `on ${formatsOf(ctx).day(startOfDay(day, time_zone))}` : 'today';
  const [from, until] = [shown(first), shown(last)];
  const start = from === until ? from : `${from} at the earliest and ${until} at the latest`;
  return `${who}: they pay this price from their next month, which begins ${start}.`;
}

/** `GET /dashboard/:workspace/prices`: the prices of the tiers, and the tax codes. */
export function showPrices({ db }: ApiDependencies): Handler {
  return async (ctx) => {
    const { workspace_id } = ctx.state.membership!;
    const [{ tier_prices, plans, tax_codes, currency }, paidFor] = await Promise.all([
      presentedWorkspace(db.manager, workspace_id),
      countPaidFor(db.manager, workspace_id),
    ]);
    showSection(ctx, {
      title: 'Prices and taxes',
      at: '/prices',
      children: (
        <>
          <h2>Plans</h2>
          <Form class="card" ctx={ctx} action={pathIn(ctx, '/prices/tiers')} once>
            <div class="grid">
              {TIERS.map((tier) => (
                <fieldset key={tier}>
                  <legend>{sentenceCase(tier)}</legend>
                  <TextField
                    name={tier}
                    label={`Price a month (${currency}, excluding tax)`}
                    inputMode="decimal"
                    required
                    value={amountInput({ amount_minor: tier_prices[tier], currency })}
                  />
                  <TextField
                    {...inputOf(updateSchema, `plans.${tier}.name`)}
                    name={`${tier}_name`}
                    label="Name (optional)"
                    placeholder={sentenceCase(tier)}
                    value={plans[tier].name ?? ''}
                  />
                  <TextField
                    {...inputOf(updateSchema, `plans.${tier}.monthly_hours`)}
                    name={`${tier}_monthly_hours`}
                    label="Hours included a month"
                    placeholder={String(MONTHLY_HOUR_CREDITS[tier])}
                    value={plans[tier].monthly_hours ?? ''}
                  />
                  <p class="hint">
                    {whoPays(
                      ctx,
                      tier_prices[tier],
                      paidFor.find((of) => of.tier === tier),
                    )}
                  </p>
                </fieldset>
              ))}
            </div>
            <p class="hint">
              Months that are invoiced already stay as they are. Plans priced at 0 are not invoiced. Members,
              invites and invoices show the name; without one, the heading above. Changed hours apply from
              each member’s next month, and to those who join or upgrade.
            </p>
            <button>Save plans</button>
          </Form>
          <h2 id="taxes">Tax codes</h2>
          <Form class="card wide" ctx={ctx} action={pathIn(ctx, '/prices/taxes')} once>
            <p>
              Plans use the tax code STANDARD, or the first code if there is no STANDARD. Existing invoices
              and bookings keep their rate. To choose tax types from your organisation, go to{' '}
              <a href={pathIn(ctx, '/accounting')}>Accounting</a>.
            </p>
            {hasForeignTaxes({ currency, tax_codes }) && (
              <p class="alert">
                These are the rates of the United Kingdom, which a new workspace has. Enter those of your
                country.
              </p>
            )}
            <TaxRows ctx={ctx} taxCodes={tax_codes} />
            <p class="hint">Rows without a code are ignored. A code in use cannot be removed.</p>
            <button>Save tax codes</button>
          </Form>
        </>
      ),
    });
  };
}

const changed = { handler: update, schema: updateSchema, to: () => '/prices' };

type PlansForm = Record<Tier, string> & Partial<Record<`${Tier}_name` | `${Tier}_monthly_hours`, string>>;

const tiersForm = apiForm<PlansForm>({
  ...changed,
  async body(form, ctx, deps) {
    const { currency } = await presentedWorkspace(deps.db.manager, ctx.state.membership!.workspace_id);
    const prices = TIERS.map((tier) => [tier, amountEntered(form[tier], currency, tier) ?? 0]);
    const plans = TIERS.map((tier) => {
      const name = form[`${tier}_name`]?.trim() || null;
      return [tier, { name, monthly_hours: numberEntered(form[`${tier}_monthly_hours`]) }];
    });
    return { tier_prices: Object.fromEntries(prices), plans: Object.fromEntries(plans) };
  },
  notice: () => 'Plans saved. Each plan says who pays its price, and from when.',
});

interface TaxForm {
  code: string[];
  rate: string[];
  accounting_tax_type: string[];
}

/** A rate in basis points: `20` → 2000. Errors: 422 on `rate`. */
function basisPoints(rate: string): number {
  if (/^\d{1,3}([.,]\d{1,2})?$/.test(rate)) return Math.round(Number(rate.replace(',', '.')) * 100);
  throw new ApiError('validation_failed', 'Enter each rate as a percentage, such as 20 or 5.5.', {
    param: 'rate',
  });
}

const taxesForm = apiForm<TaxForm>({
  ...changed,
  body: ({ code, rate, accounting_tax_type }) => ({
    tax_codes: code
      .map((each, index) => ({
        code: each.trim(),
        rate: (rate[index] ?? '').trim(),
        accounting_tax_type: (accounting_tax_type[index] ?? '').trim(),
      }))
      .filter((tax) => tax.code !== '')
      .map(({ rate, ...tax }) => ({ ...tax, rate_bps: basisPoints(rate) })),
  }),
  notice: () => 'Tax codes saved.',
});

const column = joi
  .array()
  .items(text(50).allow(''))
  .single()
  .max(MAX_TAX_CODES + EMPTY_ROWS)
  .default([]);

/** The forms of the page of prices. */
export const priceForms: FormRoute[] = [
  [
    '/tiers',
    {
      ...hiddenFields,
      ...Object.fromEntries(
        TIERS.flatMap((tier) => [
          [tier, text(30).required()],
          [`${tier}_name`, text(200).allow('')],
          [`${tier}_monthly_hours`, text(30).allow('')],
        ]),
      ),
    },
    tiersForm,
  ],
  ['/taxes', { ...hiddenFields, code: column, rate: column, accounting_tax_type: column }, taxesForm],
];
