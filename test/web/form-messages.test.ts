import joi from 'joi';
import test from 'ava';
import { createCompany } from '../../api/resources/companies/operations.js';
import { createOauthClient } from '../../api/resources/applications/operations.js';
import { createInvoice } from '../../api/resources/invoices/operations.js';
import { typed, type Typed } from '../../api/http/typed.js';
import { validate } from '../../api/http/validate.js';
import { ApiError, invalidField } from '../../domain/errors.js';
import { problemsIn } from '../../web/dashboard/shared/rejection.js';
import { IN_A_YEAR } from '../support/days.js';

/** A form's message about a body, with the fields that it marks. */
function problemsWith(schema: Typed<unknown>, body: unknown): [string | null, string][] {
  try {
    validate(schema, body, false);
  } catch (error) {
    return problemsIn(error as ApiError).map(({ field, message }) => [field, message]);
  }
  return [];
}

test('a form uses people’s names for fields, by the rule that they break', (t) => {
  t.deepEqual(problemsWith(createCompany.body!, { name: '', billing_email: 'x', payment_terms: -1 }), [
    ['name', 'The name is missing.'],
    ['billing_email', 'The billing email must be an email address.'],
    ['payment_terms', 'The payment terms must be at least 0.'],
  ]);
  const line = { description: 7, quantity: 1, unit_amount_minor: 100, tax_code: 'ZERO' };
  const invoice = { currency: 'GBP', due_at: IN_A_YEAR, lines: [line] };
  t.deepEqual(problemsWith(createInvoice.body!, invoice).slice(0, 1), [
    ['description', 'The description must be a string.'],
  ]);
  t.deepEqual(problemsWith(createOauthClient.body!, { name: 'A', redirect_uris: [] }), [
    ['redirect_uris', 'The redirect URI list must have at least 1 item.'],
  ]);
  const twice = ['https://a.example/b', 'https://a.example/b'];
  t.deepEqual(problemsWith(createOauthClient.body!, { name: 'A', redirect_uris: twice }), [
    ['redirect_uris', 'The second redirect URI is a duplicate.'],
  ]);
});

test('a message from a page’s own schema is shown unchanged', (t) => {
  const required = { 'any.required': 'Choose at least one event.' };
  const schema = typed(joi.object({ event_types: joi.array().required().messages(required) }));
  t.deepEqual(problemsWith(schema, {}), [['event_types', 'Choose at least one event.']]);
});

test('a rule in code has one message for clients of the API, and one for people', (t) => {
  const error = invalidField('max_minutes', 'must not be less than {min_minutes}');
  t.is(error.message, 'max_minutes must not be less than min_minutes.');
  t.deepEqual(problemsIn(error), [
    { field: 'max_minutes', message: 'The maximum booking must not be less than the minimum booking.' },
  ]);
  const other = new ApiError('company_not_found', 'No such company.', { param: 'company_id' });
  t.deepEqual(problemsIn(other), [{ field: 'company_id', message: 'No such company.' }]);
});
