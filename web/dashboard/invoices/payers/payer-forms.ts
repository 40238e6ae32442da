import joi from 'joi';
import type { Capability } from '../../../../domain/policies.js';
import type { ApiDependencies } from '../../../../api/dependencies.js';
import type { ApiContext, Handler } from '../../../../api/http/context.js';
import type { Typed } from '../../../../api/http/typed.js';
import { apiForm, hiddenFields } from '../../shared/api-form.js';
import { formatsOf } from '../../../ui/formats.js';
import { amountEntered } from '../../shared/money-field.js';
import type { FormRoute } from '../../shared/section.js';
import { textFields } from '../../shared/declared-fields.js';

interface TermsForm {
  payment_terms?: string;
  credit_limit_minor?: string;
  monthly_statement?: 'on';
  autopay?: 'on';
}

/** The operations of a company or of a member that its page uses. */
interface PayerOperations {
  update: (deps: ApiDependencies) => Handler<never>;
  schema: joi.ObjectSchema & Typed<unknown>;
  setUpCard: (deps: ApiDependencies) => Handler;
  removeCard: (deps: ApiDependencies) => Handler;
  /** What a role needs for the card of a payer. */
  ownCard: Capability;
  to: (ctx: ApiContext) => string;
}

/** The forms of a payer's page: terms of payment, and a card on file (docs/rules/billing.md#payers). */
export const payerForms = ({
  update,
  schema,
  setUpCard,
  removeCard,
  ownCard,
  to,
}: PayerOperations): FormRoute[] => [
  [
    '/terms',
    {
      ...hiddenFields,
      ...textFields(schema, 'payment_terms', 'credit_limit_minor'),
      monthly_statement: joi.valid('on'),
      autopay: joi.valid('on'),
    },
    apiForm<TermsForm>({
      handler: update,
      schema,
      body({ payment_terms, credit_limit_minor, monthly_statement, autopay }, ctx) {
        const { currency } = ctx.state.membership!;
        return {
          payment_terms: payment_terms ? Number(payment_terms) : null,
          credit_limit_minor: amountEntered(credit_limit_minor, currency, 'credit_limit_minor'),
          monthly_statement: monthly_statement === 'on',
          autopay: autopay === 'on',
        };
      },
      notice: () => 'Payment terms saved.',
      to,
    }),
    'write_billing',
  ],
  [
    '/card-setup',
    hiddenFields,
    apiForm<unknown, { expires_at: string }>({
      handler: setUpCard,
      notice: ({ expires_at }, ctx) =>
        `Card link created, valid until ${formatsOf(ctx).moment(new Date(expires_at))}.`,
      to,
    }),
    ownCard,
  ],
  [
    '/card/remove',
    hiddenFields,
    apiForm({
      handler: removeCard,
      notice: () => 'Card removed. It will not be charged again.',
      to,
    }),
    ownCard,
  ],
];
