import joi from 'joi';
import type { VNode } from 'preact';
import { render } from 'preact-render-to-string';
import test from 'ava';
import type { ApiContext } from '../../api/http/context.js';
import { email, text, timestamp } from '../../api/http/fields.js';
import { array, boolean, integer, nullable, object, oneOf } from '../../api/http/typed.js';
import {
  bodyWith,
  entered,
  fieldAt,
  numberEntered,
  submittedFields,
  written,
} from '../../web/dashboard/forms/fields.js';
import { form } from '../../web/dashboard/forms/form.js';
import { note } from '../../web/dashboard/forms/inputs.js';
import { Choices, Select, TextArea, TextField } from '../../web/dashboard/shared/fields.js';
import { getWords } from '../../domain/words/words.js';
import { WordsProvider } from '../../web/ui/language.js';
import { operation } from '../../api/http/operation.js';

const body = object(
  {
    name: text(200).trim().min(1),
    billing_email: nullable(email),
    address: nullable(text(500)),
    price_minor: integer.min(0),
    hold_seconds: integer.min(10),
    words: nullable(text(100).allow('')),
    stock: nullable(integer.min(0).max(10_000)),
    valid_until: nullable(timestamp),
    notice: nullable(object({ min_minutes: nullable(integer), max_days: nullable(integer) })),
    days: nullable(array(oneOf(['mon', 'tue']))),
    unit: oneOf(['hour', 'day']),
    internal: boolean,
  },
  'name',
);
const LONDON = { currency: 'GBP', time_zone: 'Europe/London' };

/** A form's message about a field of the body. */
const says = (path: string, value: string | string[] | undefined, isChange = false): unknown =>
  entered(fieldAt({ body, isChange }, path), { [path]: value }, LONDON);

test('each field gets an input by its schema: amounts in their currency, times in their zone, lists as boxes', (t) => {
  t.is(says('price_minor', '£1,250.50'), 125_050);
  t.is(says('stock', '60'), 60);
  t.is(says('stock', 'many'), 'many', 'what is no number is refused by the operation');
  t.deepEqual([says('hold_seconds', '1.5'), says('hold_seconds', 'long')], [90, 'long'], 'in minutes');
  t.is(says('valid_until', '2027-06-01T00:00'), '2027-05-31T23:00:00.000Z');
  t.deepEqual(says('days', ['mon', 'tue']), ['mon', 'tue']);
  t.deepEqual([says('internal', 'on'), says('internal', undefined)], [true, false]);
  t.is(says('address', 'A\r\nB'), 'A\nB');
  t.throws(() => says('price_minor', 'much'), { message: /amount in GBP/ });
});

test('every number of seconds, and every number that JavaScript writes, is entered as it is written', (t) => {
  const hold = fieldAt({ body, isChange: true }, 'hold_seconds');
  for (let seconds = 10; seconds <= 86_400; seconds += 1) {
    const minutes = written(hold, seconds, LONDON);
    if (entered(hold, { hold_seconds: minutes }, LONDON) !== seconds) t.fail(`${seconds}: ${minutes}`);
  }
  t.is(written(hold, 100, LONDON), '1.6667');
  for (const value of [1 / 3, 1e-7, 9_999.123_456_789, 100, 0]) t.is(numberEntered(String(value)), value);
  for (const text of ['1.', '1,5', 'e-7', '1e5', '0x1']) t.is(numberEntered(text), text);
});

test('a repeated local time stays the instant that the form was filled in with', (t) => {
  const field = fieldAt({ body, isChange: true }, 'valid_until');
  const second = '2027-10-31T01:30:00.000Z';
  const form = { valid_until: written(field, second, LONDON), 'valid_until.exact': second };
  t.is(form.valid_until, '2027-10-31T01:30');
  t.is(entered(field, form, LONDON), second);
});

test('an empty field is null where possible, left out of a create, and kept so that a change refuses it', (t) => {
  t.is(says('billing_email', ''), null);
  t.is(says('words', ''), null, 'also where it can be empty text');
  t.is(says('days', undefined), null);
  t.is(says('unit', ''), undefined);
  t.is(says('name', ''), '');
  t.is(says('unit', '', true), '');
});

test('an object whose parts are all empty is null', (t) => {
  const notice = (min_minutes: number | null) => ({
    'notice.min_minutes': min_minutes,
    'notice.max_days': null,
  });
  t.deepEqual(bodyWith(notice(null), body), { notice: null });
  t.deepEqual(bodyWith(notice(30), body), { notice: { min_minutes: 30, max_days: null } });
});

test('a form submits exactly the names of its inputs', (t) => {
  const fields = (path: string) => Object.keys(submittedFields(fieldAt({ body, isChange: false }, path)));
  t.deepEqual(fields('valid_until'), ['valid_until', 'valid_until.exact']);
  t.deepEqual(fields('notice.min_minutes'), ['notice.min_minutes']);
});

test('inputs have the limits, values and choices of the operation', (t) => {
  const change = operation({
    route: 'PATCH /v1/things/:id',
    summary: 'Change a thing',
    scope: 'calendar:write',
    capability: 'write_rooms',
    body,
    responses: { 200: joi.object() },
    run: async () => ({ name: 'A' }),
  });
  const edit = form(
    change,
    {
      name: 'Name',
      price_minor: 'Price in {currency}',
      stock: 'Stock',
      unit: 'Charged',
      billing_email: 'Email',
      hold_seconds: { label: ({ name }: { name: string }) => `Hold of ${name} (minutes)` },
      hint: note<{ name: string }>(({ data: { name } }) => <p>Of {name}.</p>),
    },
    { button: 'Save', of: (data) => data, notice: () => 'Saved.' },
  );
  const ctx = { state: { membership: LONDON, principal: {} }, params: {} } as unknown as ApiContext;
  const data = { name: 'Lunch', price_minor: 1_800, stock: null, unit: 'day', hold_seconds: 90 };
  const html = render(<edit.Inputs page={{ ctx, at: '/things/1', data }} />);
  const input = (name: string) => html.match(new RegExp(`<(input|select)[^>]* name="${name}"[^>]*>`))![0];
  t.regex(input('name'), /required/);
  t.regex(input('name'), /maxlength="200"/i);
  t.regex(input('name'), /value="Lunch"/);
  t.regex(html, /Price in GBP/);
  t.regex(input('price_minor'), /value="18\.00"/);
  t.regex(input('stock'), /maxlength="5"/i);
  t.notRegex(input('stock'), /required/);
  t.regex(html, /<label for="stock">Stock<span[^>]*> \(optional\)<\/span>/, 'it can be null');
  t.is([...html.matchAll(/\(optional\)/g)].length, 2, 'stock and billing_email');
  t.regex(input('billing_email'), /type="email"/);
  t.regex(input('hold_seconds'), /value="1\.5"/);
  t.regex(html, /Hold of Lunch \(minutes\)/);
  t.regex(html, /<p>Of Lunch\.<\/p>/);
  t.regex(html, /<option value="day" selected[^>]*>Day/);
});

test('what is chosen but not offered stays an option of its own', (t) => {
  const html = (of: VNode) => render(<WordsProvider value={getWords('en')}>{of}</WordsProvider>);
  const options = [
    ['', 'none'],
    ['x', 'X'],
  ] as const;
  const of = { name: 'a', label: 'A', options };
  t.regex(
    html(<Select {...of} chosen={['y']} optional />),
    /<option value="y" selected>y<\/option><\/select>/,
  );
  t.notRegex(html(<Select {...of} chosen={['']} />), /value="y"/);
  t.regex(html(<Choices {...of} chosen={['x', 'y']} />), /value="y" checked/);
});

test('the label of a field that can stay empty says so, in the language of the page', (t) => {
  const labels = (language: 'en' | 'fr') =>
    [
      ...render(
        <WordsProvider value={getWords(language)}>
          <TextField name="a" label="A" required />
          <TextField name="b" label="B" />
          <TextField name="c" label="C" optional={false} />
          <TextArea name="d" label="D" />
          <Select name="e" label="E" options={[['', 'None']]} chosen={[]} optional />
          <Select name="f" label="F" options={[['x', 'X']]} chosen={['x']} optional />
        </WordsProvider>,
      ).matchAll(/<label[^>]*>(.*?)<\/label>/g),
    ].map(([, label]) => label!.replaceAll(/<[^>]*>/g, ''));
  t.deepEqual(labels('en'), ['A', 'B (optional)', 'C', 'D (optional)', 'E (optional)', 'F']);
  t.is(labels('fr')[1], 'B (facultatif)');
});
