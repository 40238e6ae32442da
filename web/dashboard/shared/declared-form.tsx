import { isDeepStrictEqual } from 'node:util';
import type { ComponentChildren } from 'preact';
import type joi from 'joi';
import type { Typed } from '../../../api/http/typed.js';
import { inputOf, textFields } from './declared-fields.js';
import { Select, TextArea, TextField } from './fields.js';

/** How people enter and read one field of an operation's body. */
export interface DeclaredInput {
  label: string;
  type?: 'email' | 'url' | 'number';
  /** The height of a field of several lines, as a list is, with an item in each line. */
  rows?: number;
  /** In place of what the schema says: a PATCH requires no field, but its form can. */
  required?: boolean;
  /** How its value is shown among the facts of the object; false if it is not. */
  fact?: ((value: string) => ComponentChildren) | false;
  /** What is shown among the facts if it has no value. */
  none?: ComponentChildren;
}

type Value = string | number | boolean | readonly string[] | null | undefined;

interface InputsProps<Name extends string> {
  of?: { [N in Name]?: Value };
  grid?: boolean;
  options?: { [N in Name]?: Options };
  may?: (name: Name) => boolean;
}

/** The fields of a declared form as they are submitted. */
export type Entered<Form extends { body: (form: never) => unknown }> = Parameters<Form['body']>[0];

/** The fields of a form as they are without an entry. */
export const emptied = <Name extends string>(names: readonly Name[]): { [N in Name]?: string } =>
  Object.fromEntries(names.map((name) => [name, ''])) as { [N in Name]?: string };

/** A number, or null for an empty field; other text is kept for the operation's schema to refuse. */
export function numberEntered(text: string | undefined): number | string | null {
  if (!text) return null;
  return /^-?\d{1,9}(\.\d{1,4})?$/.test(text.trim()) ? Number(text) : text;
}

/** A value as its input has it: a list has a line for each item. */
const written = (value: Value): string => (Array.isArray(value) ? value.join('\n') : String(value ?? ''));

function valueEntered(field: joi.Schema, text: string | undefined): Value {
  if (field.type === 'number') return numberEntered(text);
  if (field.type === 'boolean') return text === 'true' ? true : text === 'false' ? false : text;
  const value = text?.replaceAll('\r\n', '\n');
  if (field.type === 'array') return (value ?? '').split('\n').flatMap((line) => line.trim() || []);
  return value || field.validate(null).error ? value : null;
}

type Options = (readonly [value: string, label: string])[];

/**
 * Fields of an operation's body as a form and as facts, declared once: names and limits are those of the
 * body's `schema`, the words are the page's.
 */
export function declaredForm<Body, Name extends keyof Body & string>(
  schema: Typed<Body, joi.ObjectSchema>,
  inputs: Record<Name, DeclaredInput>,
) {
  const entries = Object.entries(inputs) as [Name, DeclaredInput][];
  const names = entries.map(([name]) => name);
  const isRequired = (name: Name): boolean => inputs[name].required ?? inputOf(schema, name).required;
  /** An empty field that is optional and accepts neither null nor empty text is left out. */
  function entered(name: Name, text: string | undefined): Value {
    const field = schema.extract(name);
    const value = valueEntered(field, text);
    return value === '' && !isRequired(name) && field.validate('').error ? undefined : value;
  }
  return {
    labels: entries.map(([name, { label }]) => [name, label] as const),
    /** The form's fields, for `pageForm`. */
    fields: textFields(schema, ...names),
    /** The fields' part of the body. An empty field is null where the body can have null, or left out. */
    body: (form: { [N in Name]?: string }) =>
      Object.fromEntries(names.map((name) => [name, entered(name, form[name])])) as {
        [N in Name]: Value;
      },
    /** The fields that were entered and differ from those of `of`. */
    changes: (form: { [N in Name]?: string }, of: { [N in Name]: Value }) =>
      Object.fromEntries(
        names.flatMap((name) => {
          if (form[name] === undefined) return [];
          const field = schema.extract(name);
          const value = valueEntered(field, form[name]);
          return isDeepStrictEqual(value, valueEntered(field, written(of[name]))) ? [] : [[name, value]];
        }),
      ),
    /**
     * The inputs with the values of `of`, in a column or side by side: those that `may` accepts, as a select
     * where there are `options`.
     */
    Inputs({ of, grid, options, may = () => true }: InputsProps<Name>) {
      const shown = entries.filter(([name]) => may(name));
      const inputs = shown.map(([name, { label, type, rows }]) => {
        const required = isRequired(name);
        const value = written(of?.[name]);
        const choices = options?.[name];
        if (choices)
          return (
            <Select
              key={name}
              name={name}
              label={label}
              optional={!required}
              options={choices}
              chosen={[value]}
            />
          );
        const input = { ...inputOf(schema, name), required, label, value };
        // Preact's attributes are a union by `type`, which this is one of.
        if (!rows) return <TextField key={name} {...input} type={type as 'text'} />;
        return <TextArea key={name} {...input} rows={rows} />;
      });
      return grid ? (
        <div class="grid">
          {inputs.map((input) => (
            <div key={input.key}>{input}</div>
          ))}
        </div>
      ) : (
        <>{inputs}</>
      );
    },
    /** The names and values of an object that has the fields. */
    facts: (of: { [N in Name]: Value }): (readonly [string, ComponentChildren])[] =>
      entries.flatMap(([name, { label, fact = (value: string) => value, none }]) => {
        if (!fact) return [];
        const value = of[name];
        const shown = value === null || value === undefined ? none : fact(written(value));
        return shown ? [[label, shown] as const] : [];
      }),
  };
}
