import { isDeepStrictEqual } from 'node:util';
import joi from 'joi';
import type { ComponentChildren } from 'preact';
import { useContext } from 'preact/hooks';
import type { ApiContext } from '../../../api/http/context.js';
import { OwnCode, ownCodeFields } from '../../sign-in/proof.js';
import { sentenceCase } from '../../ui/formats.js';
import { TAX_WORDS } from '../shared/entered-price.js';
import { Choice, Choices, Select, TextArea, TextField } from '../shared/fields.js';
import { FormRejectionContext } from '../shared/form.js';
import {
  entered,
  enteredValue,
  fieldAt,
  schemaFormat,
  isRequired,
  itemSchema,
  moneyField,
  repeated,
  submittedFields,
  valueAt,
  allowedValues,
  written,
  type Entry,
  type Field,
  type Kind,
  type Submitted,
} from './fields.js';

/** What a select or boxes offer: each value and its label. */
export type Options = readonly (readonly [value: string, label: string])[];

/** Where an input is: the schema of the body that it is for, and whether it changes an object. */
export interface Place {
  body: joi.ObjectSchema;
  isChange: boolean;
}

export interface Entered extends Place {
  entry: Entry;
  /** How a row of a list is entered, which can have a rate of tax of its own. */
  rowEntry: (row: Submitted) => Entry;
  of: unknown;
  onlyChanges?: boolean;
}

/** Context of a shown input: the page's data, and the object with the current value as the API returns it. */
export interface Shown<Data> extends Place {
  ctx: ApiContext;
  action: string;
  data: Data;
  of: unknown;
  entry: Entry;
}

/** How one or more fields of a body are entered. Named by the first path or by a name of its own. */
export interface Input<Data = unknown> {
  /** The fields that it submits. */
  fields(name: string, place: Place): Record<string, joi.Schema>;
  /**
   * Values of the body by path. `of`: the object that is changed; with `onlyChanges`, as it was shown, and
   * unchanged values are left out.
   */
  read(name: string, form: Submitted, at: Entered): Record<string, unknown>;
  Show(props: { name: string; shown: Shown<Data> }): ComponentChildren;
  /** Takes the full width; narrow inputs are side by side. */
  wide: (name: string, place: Place) => boolean;
  /** Names of its fields in error messages, by path. */
  called: (name: string) => Record<string, string>;
}

/** A value, or one with what it means. */
export type Suggestion = string | readonly [value: string, label: string];

/** The most suggestions of a list that has more. */
export const MAX_SUGGESTED = 100;

/**
 * What the user of a field is likely to enter. `narrows`: a list that is full is read again for what is
 * entered, from the page of the form with a parameter of the field's name.
 */
export const Suggestions = (props: { id: string; of: readonly Suggestion[]; narrows?: boolean }) => (
  <datalist id={props.id} data-narrows={props.narrows && props.of.length >= MAX_SUGGESTED}>
    {props.of.map((each) => {
      const [value, label] = typeof each === 'string' ? [each] : each;
      return (
        <option key={value} value={value}>
          {label}
        </option>
      );
    })}
  </datalist>
);

/** How one field is entered, beyond what its schema says. */
export interface FieldOptions<Data> {
  /** `{currency}` and `{time_zone}` are those of the form, `{tax}` whether its amounts include tax. */
  label: string | ((data: Data, ctx: ApiContext) => string);
  kind?: Kind;
  type?: 'email' | 'url' | 'time' | 'date' | 'number' | 'password';
  autocomplete?: 'off' | 'new-password';
  autocapitalize?: 'none';
  /** Overrides whether the input takes the full width. */
  wide?: boolean;
  /** A choice is made by radio buttons. */
  radio?: true;
  /** The height of a field of several lines. */
  rows?: number;
  /** What there is to choose from; by default the words of the schema. */
  options?: Options | ((data: Data) => Options);
  /** What it starts with without an object: the text of its input, `on` for a flag. */
  initial?: string | readonly string[] | ((data: Data, entry: Entry) => string | undefined);
  /** The first and the last day that can be chosen. */
  days?: (entry: Entry) => { min?: string; max?: string };
  /** What its user is likely to enter: values, or values with what they mean. */
  suggested?: (data: Data) => readonly Suggestion[];
  /** The suggestions of a full list follow what is entered. */
  narrows?: boolean;
  /** A colour: its text, and a field to pick it. */
  isColour?: true;
  placeholder?: string | ((data: Data) => string);
  /** False: it can be empty, but its label does not say so, because another field makes it required. */
  optional?: false;
  /** The message if no box is selected: `Choose at least one resource`. */
  atLeastOne?: string;
  /** Overrides whether the field is required. */
  required?: boolean;
  /** Whether it is shown; always by default. */
  when?: (data: Data) => boolean;
  /** Its name in error messages. */
  called?: string;
}

/** The inputs of a form by the paths of the body's fields. Inputs for several fields have their own names. */
export type Inputs<Data> = Record<string, string | FieldOptions<Data> | Input<Data>>;

const labelIn = (label: string, { currency, time_zone, tax_bps }: Entry): string =>
  label
    .replace('{currency}', currency)
    .replace('{time_zone}', time_zone)
    .replace('{tax}', TAX_WORDS[tax_bps === undefined ? 'net' : 'gross']);

const WIDE: ReadonlySet<Kind> = new Set(['text', 'lines', 'words', 'choices', 'flag']);

/** The attributes of a text input that follow from its field. */
export function inputAttributes({ path, schema, kind }: Field) {
  const rule = (name: string): number | undefined => schema.$_getRule(name)?.args?.limit;
  const max = rule('max');
  if (kind === 'money') return { name: path, inputMode: 'decimal' as const };
  if (kind === 'minutes') return { name: path, inputMode: 'decimal' as const };
  if (kind !== 'number') return { name: path, maxLength: kind === 'text' ? max : undefined };
  const isDecimal = !schema.$_getRule('integer');
  const maxLength = isDecimal || max === undefined ? undefined : String(max).length;
  return {
    name: path,
    inputMode: isDecimal ? ('decimal' as const) : ('numeric' as const),
    maxLength,
    min: rule('min'),
  };
}

const TYPES: Record<string, 'email' | 'date' | 'url'> = { 'idn-email': 'email', date: 'date', uri: 'url' };

/** The hidden instant of a time: a local time that clocks repeat is two. */
function Exact({ name, value }: { name: string; value: unknown }) {
  const submitted = useContext(FormRejectionContext)?.submitted[name];
  return <input type="hidden" name={name} value={[submitted ?? (value as string | null) ?? ''].flat()[0]} />;
}

function OneField<Data>({
  field,
  options,
  shown,
}: {
  field: Field;
  options: FieldOptions<Data>;
  shown: Shown<Data>;
}) {
  const { path, schema, kind } = field;
  const { ctx, of, entry, data } = shown;
  const label = labelIn(
    typeof options.label === 'function' ? options.label(data, ctx) : options.label,
    entry,
  );
  const value = valueAt(of, path);
  const initial = typeof options.initial === 'function' ? options.initial(data, entry) : options.initial;
  const text = of ? written(field, value, entry) : ([initial ?? ''].flat()[0] ?? '');
  const offered = typeof options.options === 'function' ? options.options(data) : options.options;
  const choices = offered ?? allowedValues(field).map((word) => [word, sentenceCase(word)] as const);
  const required = isRequired(field);
  const { autocomplete, autocapitalize } = options;
  const placeholder =
    typeof options.placeholder === 'function' ? options.placeholder(data) : options.placeholder;
  const optional = options.optional ?? (options.initial === undefined ? undefined : false);
  const common = {
    ...inputAttributes(field),
    label,
    required,
    optional,
    placeholder,
    autocomplete,
    autocapitalize,
  };
  if (kind === 'flag')
    return (
      <Choice name={path} checked={of ? value === true : initial === 'on'}>
        {label}
      </Choice>
    );
  if (kind === 'choices')
    return choices.length === 0 ? null : (
      <Choices
        name={path}
        label={label}
        options={choices}
        chosen={(value as string[] | null) ?? (of ? [] : [initial ?? []].flat())}
      />
    );
  if (options.radio)
    return <Choices type="radio" name={path} label={label} options={choices} chosen={text ? [text] : []} />;
  if (kind === 'choice')
    return <Select name={path} label={label} options={choices} chosen={[text]} optional={!required} />;
  if (kind === 'day') return <TextField {...common} type="date" {...options.days?.(entry)} value={text} />;
  if (kind === 'moment') {
    ctx.state.showsTimes = true;
    return (
      <>
        <TextField {...common} type="datetime-local" value={text} />
        <Exact name={`${path}.exact`} value={value} />
      </>
    );
  }
  if (kind === 'lines' || kind === 'words' || options.rows)
    return <TextArea {...common} rows={options.rows ?? 3} value={text} />;
  const type = options.type ?? TYPES[schemaFormat(schema) ?? ''];
  const suggested = options.suggested?.(data);
  const list = suggested && `${path}-suggested`;
  return (
    <>
      {/* Preact's attributes are a union by `type`, which this is one of. */}
      <TextField {...common} {...options.days?.(entry)} type={type as 'text'} list={list} value={text} />
      {suggested && <Suggestions id={list!} of={suggested} narrows={options.narrows} />}
      {options.isColour && (
        <input
          type="color"
          data-colour-of={path}
          aria-label={`Pick: ${label}`}
          value={text || '#000000'}
          hidden
        />
      )}
    </>
  );
}

/** The input of one field of the body: a label is enough for most. */
export function fieldInput<Data>(declared: string | FieldOptions<Data>): Input<Data> {
  const options = typeof declared === 'string' ? { label: declared } : declared;
  const { called, required, atLeastOne } = options;
  const at = (path: string, place: Place) =>
    fieldAt(place, path, {
      kind: options.kind ?? (options.options && !isList(place.body, path) ? 'choice' : undefined),
      required,
    });
  return {
    fields: (path, place) =>
      atLeastOne
        ? { [path]: repeated.required().messages({ 'any.required': atLeastOne }) }
        : submittedFields(at(path, place)),
    read(path, form, place) {
      const field = at(path, place);
      // A field that was not shown stays unchanged; only boxes are absent when empty.
      const isBox = field.kind === 'flag' || field.kind === 'choices';
      if (form[path] === undefined && (options.radio || (place.onlyChanges && !isBox))) return {};
      const value = entered(field, form, place.entry);
      // A required field without an input stays unchanged.
      if (form[path] === undefined && value === '') return {};
      const isSame =
        place.onlyChanges && isDeepStrictEqual(value, enteredValue(field, place.of, place.entry));
      return isSame ? {} : { [path]: value };
    },
    Show: ({ name, shown }) =>
      options.when && !options.when(shown.data) ? null : (
        <OneField field={at(name, shown)} options={options} shown={shown} />
      ),
    wide: (path, place) =>
      options.wide ??
      (Boolean(options.rows ?? options.radio) || (WIDE.has(at(path, place).kind) && !options.type)),
    called: (path) => (called ? { [path]: called } : {}),
  };
}

const isInput = <Data,>(input: Inputs<Data>[string]): input is Input<Data> =>
  typeof input === 'object' && 'Show' in input;

/** The inputs of a form with their names. */
export const renderInputs = <Data,>(declared: Inputs<Data>): (readonly [name: string, Input<Data>])[] =>
  Object.entries(declared).map(([name, input]) => [name, isInput(input) ? input : fieldInput(input)]);

/** Inputs that stand together in an element: a `<fieldset>`, or a `<details>`. */
export function together<Data>(
  inputs: Inputs<Data>,
  Around: (props: { shown: Shown<Data>; children: ComponentChildren }) => ComponentChildren,
  wide = true,
): Input<Data> {
  const each = renderInputs(inputs);
  return {
    fields: (_, place) => Object.assign({}, ...each.map(([name, { fields }]) => fields(name, place))),
    read: (_, form, at) => Object.assign({}, ...each.map(([name, { read }]) => read(name, form, at))),
    Show: ({ shown }) => (
      <Around shown={shown}>
        {each.map(([name, { Show }]) => (
          <Show key={name} name={name} shown={shown} />
        ))}
      </Around>
    ),
    wide: () => wide,
    called: () => Object.assign({}, ...each.map(([name, { called }]) => called(name))),
  };
}

/** Inputs of an earlier step of a form, whose submitted values are kept in hidden fields. */
export function carried<Data>(inputs: Inputs<Data>): Input<Data> {
  const earlier = together(inputs, () => null);
  return {
    ...earlier,
    Show: ({ name, shown }) => (
      <>
        {Object.keys(earlier.fields(name, shown)).flatMap((field) =>
          [shown.ctx.state.submitted?.[field] ?? []]
            .flat()
            .map((value, n) => <input key={`${field} ${n}`} type="hidden" name={field} value={value} />),
        )}
      </>
    ),
  };
}

const isList = (body: joi.ObjectSchema, path: string): boolean => body.extract(path).type === 'array';

/** Several values of a list as boxes; null for none where the body can have null. */
export const boxes = <Data,>(
  label: FieldOptions<Data>['label'],
  options?: FieldOptions<Data>['options'],
): Input<Data> => fieldInput<Data>({ label, kind: 'choices', options });

/** A field that the page fills in; without a value it is not there. */
export const hidden = <Data,>(value: (data: Data) => string | undefined): Input<Data> => ({
  fields: (name) => ({ [name]: joi.string().allow('') }),
  read: (name, form) => ({ [name]: form[name] || undefined }),
  Show: ({ name, shown: { data } }) => {
    const text = value(data);
    return text === undefined ? null : <input type="hidden" name={name} value={text} />;
  },
  wide: () => true,
  called: () => ({}),
});

/** The amount, in minor units, that the form's confirmation has shown and fills in. */
export const confirmedAmount: Input = {
  fields: (name) => ({ [name]: joi.number().integer() }),
  read: (name, form) => ({ [name]: form[name] }),
  Show: () => null,
  wide: () => true,
  called: () => ({}),
};

export const note = <Data,>(Say: (shown: Shown<Data>) => ComponentChildren): Input<Data> => ({
  fields: () => ({}),
  read: () => ({}),
  Show: ({ shown }) => Say(shown),
  wide: () => true,
  called: () => ({}),
});

/**
 * The code of a form that requires one each time in addition to `proof`, from people with an authenticator.
 */
export const ownCode: Input = {
  fields: () => ownCodeFields,
  read: (name, form) => ({ [name]: form[name] }),
  Show: ({ shown: { ctx } }) => <OwnCode session={ctx.state.session!} />,
  wide: () => true,
  called: () => ({}),
};

/** A choice between fields of which the body has one. */
export function oneOfFields<Data>(
  label: string,
  choices: Record<string, { choice: string; label: string }>,
): Input<Data> {
  const paths = Object.keys(choices);
  const inputs = paths.map((path) => {
    const { label } = choices[path]!;
    return [path, fieldInput<Data>({ label, optional: false })] as const;
  });
  return {
    fields: (name, place) =>
      Object.assign(
        { [name]: joi.valid(...paths).required() },
        ...inputs.map(([path, input]) => input.fields(path, place)),
      ),
    read(name, form, at) {
      const chosen = form[name] as string;
      const field = fieldAt(at, chosen);
      return { [chosen]: entered(field, form, at.entry) ?? '' };
    },
    Show: ({ name, shown }) => (
      <>
        <Choices
          type="radio"
          name={name}
          label={label}
          options={paths.map((path) => [path, choices[path]!.choice])}
          chosen={[paths[0]!]}
        />
        <div class="grid">
          {inputs.map(([path, { Show }]) => (
            <div key={path} data-chooses={`[name=${name}][value=${path}]`}>
              <Show name={path} shown={shown} />
            </div>
          ))}
        </div>
      </>
    ),
    wide: () => true,
    called: () => ({}),
  };
}

/** A column of `rows`: one field of each item. */
interface Column<Data> {
  /** The heading, and with its number what a cell is called. `{tax}`: whether amounts include tax. */
  label: string;
  /** By default the label. */
  cell?: string;
  /** A row is left out if these cells of it are empty. */
  counts?: true;
  options?: (data: Data) => Options;
  initial?: string;
  /** The value of an empty cell; by default the initial one. */
  empty?: string;
}

/**
 * A table of rows for a list of objects under a heading: `columns` by the names of their fields.
 */
export function rows<Data>(
  count: number,
  heading: string,
  columns: Record<string, Column<Data>>,
): Input<Data> {
  const names = Object.entries(columns);
  const filled = names.filter(([, { counts }]) => counts).map(([name]) => name);
  const rowField = (name: string, list: string, { body, isChange }: Place): Field => {
    return fieldAt({ body: itemSchema(body.extract(list)) as joi.ObjectSchema, isChange }, name);
  };
  return {
    fields: (list, place) =>
      Object.fromEntries(
        names.map(([name]) => [
          name,
          rowField(name, list, place).kind === 'money' ? moneyField(repeated) : repeated,
        ]),
      ),
    read(list, form, at) {
      const cells = (name: string): string[] => [form[name] ?? []].flat();
      const length = Math.max(0, ...names.map(([name]) => cells(name).length));
      const items = Array.from({ length }, (_, index) => index)
        .filter((index) => filled.some((name) => cells(name)[index]))
        .map((index) => {
          const row = Object.fromEntries(
            names.map(([name, { initial = '', empty = initial }]) => [
              name,
              cells(name)[index]?.trim() || empty,
            ]),
          );
          const entry = at.rowEntry(row);
          return Object.fromEntries(
            names.map(([name]) => [name, entered(rowField(name, list, at), row, entry)]),
          );
        });
      return { [list]: items };
    },
    Show({ name: list, shown }) {
      const submitted = useContext(FormRejectionContext)?.submitted;
      const submittedCell = (name: string, index: number): string | undefined =>
        submitted && [submitted[name] ?? []].flat()[index];
      const attributesAt = (name: string, index: number) => {
        const { label, cell = label } = columns[name]!;
        return { id: index === 0 ? name : undefined, 'aria-label': `${cell} ${index + 1}` };
      };
      return (
        <>
          <h2>{labelIn(heading, shown.entry)}</h2>
          <table class={`inputs ${list}`}>
            <thead>
              <tr>
                {names.map(([name, { label }]) => (
                  <th key={name}>{labelIn(label, shown.entry)}</th>
                ))}
              </tr>
            </thead>
            <tbody>
              {Array.from({ length: count }, (_, index) => (
                <tr key={index}>
                  {names.map(([name, { label, options, initial }]) => (
                    <td key={name} data-label={labelIn(label, shown.entry)}>
                      {options ? (
                        <select name={name} {...attributesAt(name, index)}>
                          {options(shown.data).map(([value, word]) => (
                            <option key={value} value={value} selected={submittedCell(name, index) === value}>
                              {word}
                            </option>
                          ))}
                        </select>
                      ) : (
                        <input
                          {...inputAttributes(rowField(name, list, shown))}
                          {...attributesAt(name, index)}
                          value={submittedCell(name, index) ?? initial}
                        />
                      )}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </>
      );
    },
    wide: () => true,
    called: () => ({}),
  };
}
