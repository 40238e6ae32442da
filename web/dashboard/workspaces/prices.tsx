import joi from 'joi';
import { toChildArray } from 'preact';
import type { ApiContext } from '../../../api/http/context.js';
import { text } from '../../../api/http/fields.js';
import { changeWorkspace, MAX_TAX_CODES } from '../../../api/resources/workspaces/operations.js';
import { countPaidFor, type PaidForMembers } from '../../../db/queries/subscriptions/subscription.js';
import { presentedWorkspace } from '../../../db/queries/workspaces/presented-workspace.js';
import { dayIn, startOfDay, type Day } from '../../../domain/cycle.js';
import { ApiError } from '../../../domain/errors.js';
import { membershipTaxCode, MONTHLY_HOUR_CREDITS } from '../../../domain/members/tiers.js';
import { PRICES_ENTERED, findTaxRate } from '../../../domain/rates/entered-price.js';
import { hasForeignTaxes, TIERS, type TaxCode, type Tier } from '../../../domain/rates/price.js';
import { createFormats, sentenceCase } from '../../ui/formats.js';
import { form } from '../forms/form.js';
import { together, type Input } from '../forms/inputs.js';
import { page, type PageProps } from '../forms/page.js';
import { TAX_WORDS } from '../shared/entered-price.js';
import { pathIn } from '../shared/paths.js';
import { Setting } from '../shared/setting.js';

const EMPTY_ROWS = 2;

interface Prices {
  workspace: Awaited<ReturnType<typeof presentedWorkspace>>;
  paidFor: PaidForMembers[];
}

function TaxRows({ ctx, taxCodes }: { ctx: ApiContext; taxCodes: TaxCode[] }) {
  const { rejection } = ctx.state;
  const submitted = (name: string, index: number) =>
    rejection?.action === pathIn(ctx, '/prices/taxes')
      ? [rejection.submitted[name] ?? []].flat()[index]
      : undefined;
  const cell = (name: string, label: string, index: number, value: string | undefined) => (
    <td data-label={label}>
      <input
        name={name}
        id={index === 0 ? name : undefined}
        aria-label={`${label} ${index + 1}`}
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
          <th>Xero tax type</th>
        </tr>
      </thead>
      <tbody>
        {Array.from({ length: taxCodes.length + EMPTY_ROWS }, (_, index) => {
          const tax = taxCodes[index];
          return (
            <tr key={index}>
              {cell('code', 'Code', index, tax?.code)}
              {cell('rate', 'Rate (%)', index, tax && String(tax.rate_bps / 100))}
              {cell('accounting_tax_type', 'Xero tax type', index, tax?.accounting_tax_type)}
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

/** Who pays the price of a plan, and from when. */
function whoPays(ctx: ApiContext, price_minor: number, paid: PaidForMembers | undefined): string {
  if (!paid) return 'No member is billed for it.';
  const { members, first, last } = paid;
  const who = members === 1 ? '1 member is billed for it' : `${members} members are billed for it`;
  if (price_minor === 0) return `${who}, and nothing is invoiced.`;
  if (!first || !last) return `${who}, from the month in which their trial ends.`;
  const { time_zone } = ctx.state.membership!;
  const today = dayIn(time_zone, new Date());
  const shown = (day: Day): string =>
    day > today ? `on ${createFormats(ctx).day(startOfDay(day, time_zone))}` : 'today';
  const [from, until] = [shown(first), shown(last)];
  const start = from === until ? from : `${from} at the earliest and ${until} at the latest`;
  return `${who}: they pay this price from their next month, which begins ${start}.`;
}

/** A rate in basis points: `20` → 2000. Errors: 422 on `rate`. */
function basisPoints(rate: string): number {
  if (/^\d{1,3}([.,]\d{1,2})?$/.test(rate)) return Math.round(Number(rate.replace(',', '.')) * 100);
  throw new ApiError('validation_failed', 'Enter each rate as a percentage, such as 20 or 5.5.', {
    param: 'rate',
  });
}

const column = joi
  .array()
  .items(text(50).allow(''))
  .single()
  .max(MAX_TAX_CODES + EMPTY_ROWS)
  .default([]);

/** The tax codes, in rows. Those without a code are ignored. */
const taxCodes: Input<Prices> = {
  fields: () => ({ code: column, rate: column, accounting_tax_type: column }),
  read(name, form) {
    const { code, rate, accounting_tax_type } = form as Record<string, string[]>;
    return {
      [name]: code!
        .map((each, index) => ({
          code: each.trim(),
          rate: (rate![index] ?? '').trim(),
          accounting_tax_type: (accounting_tax_type![index] ?? '').trim(),
        }))
        .filter((tax) => tax.code !== '')
        .map(({ rate, ...tax }) => ({ ...tax, rate_bps: basisPoints(rate) })),
    };
  },
  Show: ({ shown: { ctx, data } }) => <TaxRows ctx={ctx} taxCodes={data.workspace.tax_codes} />,
  wide: () => true,
  called: () => ({}),
};

/** The price, the name and the hours of a plan, with who pays it. */
const planInput = (tier: Tier): Input<Prices> =>
  together(
    {
      [`tier_prices.${tier}`]: { label: 'Monthly price {tax} ({currency})', kind: 'money' },
      [`plans.${tier}.name`]: { label: 'Name', placeholder: sentenceCase(tier) },
      [`plans.${tier}.monthly_hours`]: {
        label: 'Hours a month',
        placeholder: String(MONTHLY_HOUR_CREDITS[tier]),
      },
    },
    ({ shown: { ctx, data }, children }) => (
      <fieldset>
        <legend>{sentenceCase(tier)}</legend>
        <div class="grid">
          {toChildArray(children).map((child, index) => (
            <div key={index}>{child}</div>
          ))}
        </div>
        <p class="hint">
          {whoPays(
            ctx,
            data.workspace.tier_prices[tier],
            data.paidFor.find((of) => of.tier === tier),
          )}
        </p>
      </fieldset>
    ),
  );

const savePlans = form(changeWorkspace, Object.fromEntries(TIERS.map((tier) => [tier, planInput(tier)])), {
  path: '/tiers',
  taxRate: ({ workspace: { tax_codes } }) => findTaxRate(tax_codes, membershipTaxCode(tax_codes)),
  button: 'Save plans',
  of: ({ workspace }) => workspace,
  wide: true,
  hint: 'Changed hours apply from each member’s next month, and to members who join or upgrade.',
  notice: () => 'Plans saved. Each plan shows who pays its price and from when.',
});

const saveTaxes = form(
  changeWorkspace,
  { tax_codes: taxCodes },
  {
    path: '/taxes',
    button: 'Save tax codes',
    wide: true,
    of: ({ workspace }) => workspace,
    hint: 'A code in use cannot be removed.',
    notice: () => 'Tax codes saved.',
  },
);

const saveEntered = form(
  changeWorkspace,
  {
    prices_entered: {
      label: 'Enter prices',
      options: PRICES_ENTERED.map((each) => [each, sentenceCase(TAX_WORDS[each])]),
      radio: true,
    },
  },
  {
    path: '/entered',
    button: 'Save',
    part: true,
    of: ({ workspace }: Prices) => workspace,
    notice: ({ prices_entered }) => `Prices are now entered ${TAX_WORDS[prices_entered]}.`,
  },
);

function PricesPage(props: PageProps<Prices>) {
  const { ctx, data } = props;
  return (
    <>
      <Setting title="Plans" hint="Invoiced months do not change. Plans priced at 0 are not invoiced.">
        <savePlans.Open page={props} />
      </Setting>
      <Setting
        title="Entering prices"
        id="entered"
        hint="In forms for rooms, rates, extras, plans and invoices. Saved prices do not change."
      >
        <saveEntered.Open page={props} />
      </Setting>
      <Setting
        title="Tax codes"
        id="taxes"
        wide
        hint={
          <>
            Plans use STANDARD, or the first code. Existing invoices and bookings keep their rate. Tax types
            can be chosen under <a href={pathIn(ctx, '/accounting')}>Accounting</a>.
          </>
        }
      >
        <saveTaxes.Open page={props}>
          {hasForeignTaxes(data.workspace) && (
            <p class="alert">These are the default UK rates. Enter your country’s rates.</p>
          )}
        </saveTaxes.Open>
      </Setting>
    </>
  );
}

export const pricesPage = page({
  path: '/prices',
  capability: 'write_workspace',
  title: 'Prices and taxes',
  async load({ caller: { workspace_id } }, { db: { manager } }): Promise<Prices> {
    const [workspace, paidFor] = await Promise.all([
      presentedWorkspace(manager, workspace_id),
      countPaidFor(manager, workspace_id),
    ]);
    return { workspace, paidFor };
  },
  view: PricesPage,
  forms: [savePlans, saveEntered, saveTaxes],
});
