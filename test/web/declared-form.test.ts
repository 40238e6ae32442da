import test from 'ava';
import { h } from 'preact';
import { render } from 'preact-render-to-string';
import { changeMember, createMember } from '../../api/resources/members/operations.js';
import { changeRoom } from '../../api/resources/rooms/operations.js';
import { inputOf } from '../../web/dashboard/shared/declared-fields.js';
import { declaredForm } from '../../web/dashboard/shared/declared-form.js';

const createSchema = createMember.body!;
const [email, company_id, locale, billed] = [
  { label: 'Email', type: 'email', required: true } as const,
  { label: 'Paid by company' },
  { label: 'Language' },
  { label: 'Pays for their plan', required: true },
];
const newMemberForm = declaredForm(createSchema, {
  email,
  name: { label: 'Name (optional)' },
  tier: { label: 'Plan', required: true },
  company_id,
  locale,
  billed,
});
const memberForm = declaredForm(changeMember.body!, {
  name: { label: 'Name', required: true },
  email,
  company_id,
  locale,
  billed,
});

const inputs = (html: string): string[] => html.match(/<(input|select)[^>]*>/g) ?? [];

test('the form of a new member has the inputs, the limits and the required fields of its schema', (t) => {
  const form = (tier?: string) =>
    h(newMemberForm.Inputs, {
      of: { tier },
      options: {
        tier: [
          ['basic', 'Basic'],
          ['plus', 'Plus'],
        ],
        company_id: [['', 'none']],
      },
    });
  const html = render(form());
  const [email, name, tier, company] = inputs(html);
  t.regex(email!, /type="email".*name="email"|name="email".*type="email"/);
  t.regex(email!, /required/);
  t.notRegex(name!, /required/);
  t.regex(name!, new RegExp(`maxlength="${inputOf(createSchema, 'name').maxLength}"`, 'i'));
  t.regex(tier!, /<select.*required/);
  t.notRegex(company!, /required/);
  t.regex(html, /<option value(="")?>Choose<\/option><option value="basic">/, 'the choice starts empty');
  const preset = render(form('plus'));
  t.regex(preset, /<option value="plus" selected/);
  t.notRegex(preset, /<select id="tier" name="tier"[^>]*required/, 'a choice with a value cannot be empty');
});

test('a form leaves out an empty field that is optional, and sends null where that means none', (t) => {
  const body = newMemberForm.body({
    email: 'a@example.com',
    name: '',
    tier: 'basic',
    company_id: '',
    billed: 'false',
  });
  t.deepEqual(
    { ...body },
    { email: 'a@example.com', name: undefined, tier: 'basic', company_id: null, locale: null, billed: false },
  );
  t.is(createSchema.validate(body).error, undefined);
});

test('an empty field that a form requires is sent, so that the API refuses it', (t) => {
  const member = { name: 'Ada', email: 'a@example.com', company_id: null, locale: null, billed: true };
  t.deepEqual(memberForm.changes({ name: '', email: 'a@example.com', company_id: '' }, member), { name: '' });
});

test('a form shows only the fields that its reader may change, and sends only those that were submitted', (t) => {
  const member = { name: 'Ada', email: 'a@example.com', company_id: 'c1', locale: null, billed: true };
  const html = render(h(memberForm.Inputs, { of: member, may: (name) => name === 'name' }));
  t.deepEqual(
    inputs(html).map((input) => /name="(\w+)"/.exec(input)![1]),
    ['name'],
  );
  t.deepEqual(memberForm.changes({ name: 'Ada B.' }, member), { name: 'Ada B.' });
});

test('an input for a number with decimals does not cut them off', (t) => {
  const percent = inputOf(changeRoom.body!, 'tier_discounts.plus');
  t.is(percent.maxLength, undefined);
  t.is(percent.inputMode, 'decimal');
  t.is(inputOf(changeRoom.body!, 'capacity').maxLength, 6);
});
